//! `schema [VERB...]`: the JSON Schema of what verbs write with `--json`.

use super::{
    bench, commit, completions, decrypt, encrypt, estimate, kem, kex, key, keygen, lwe, man, mul, open, plan, primes,
    processor, prove, report, selftest, sign, signature, vectors, verify, verify_proof,
};
use crate::{
    answers::{self, Answers},
    explain,
    fault::Fault,
    identity::{Channels, Identity},
    integers::Integers,
    screen::{Screen, pretty},
};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Every verb with its steps, in the order of their help, and its answers. The first is what is said where no verb was
/// understood.
const ANSWERS: [Answers; 47] = [
    ("", &[]),
    ("report", &[report::Answer::json_schema]),
    ("plan", &[plan::Answer::json_schema, plan::exact::Answer::json_schema, plan::costs::Answer::json_schema]),
    ("explain", &[explain::Answer::json_schema]),
    ("primes", &[primes::Answer::json_schema]),
    ("estimate", &[estimate::PublishedSets::json_schema]),
    ("estimate lwe", &[estimate::CoreAttacks::json_schema, estimate::AllAttacks::json_schema]),
    ("estimate ntru", &[estimate::CoreAttacks::json_schema, estimate::AllAttacks::json_schema]),
    ("estimate sis", &[estimate::CoreAttacks::json_schema, estimate::AllAttacks::json_schema]),
    ("processor run", &[processor::Ran::json_schema]),
    ("processor asm", &[processor::Assembled::json_schema]),
    ("processor trace", &[processor::RandomRun::json_schema]),
    ("processor rounds", &[processor::ManyRounds::json_schema]),
    (
        "mul",
        &[
            mul::Coefficients::<Identity>::json_schema,
            mul::Coefficients::<Channels>::json_schema,
            mul::Coefficients::<Integers>::json_schema,
        ],
    ),
    ("ntt", &[mul::Values::<Identity>::json_schema]),
    ("intt", &[mul::Coefficients::<Identity>::json_schema]),
    ("bench", &[bench::Answer::json_schema, bench::Names::json_schema]),
    ("kem keygen", &[kem::Pair::json_schema]),
    ("kem encapsulate", &[kem::Encapsulated::json_schema]),
    ("kem decapsulate", &[kem::Decapsulated::json_schema]),
    ("kex init", &[kex::Begun::json_schema]),
    ("kex respond", &[kex::Responded::json_schema]),
    ("kex finish", &[kex::Finished::json_schema]),
    ("kex listen", &[kex::socket::Listened::json_schema]),
    ("kex connect", &[kex::socket::Connected::json_schema]),
    ("keygen", &[keygen::NewIdentity::json_schema, keygen::CommitmentKey::json_schema]),
    ("lwe", &[lwe::Answer::json_schema]),
    ("encrypt", &[encrypt::Encrypted::json_schema]),
    ("decrypt", &[decrypt::Decrypted::json_schema]),
    ("rekey", &[encrypt::Encrypted::json_schema]),
    ("key inspect", &[key::inspect::Inspected::json_schema]),
    ("key public", &[key::PublicKeys::json_schema]),
    ("commit", &[commit::Committed::json_schema]),
    ("open", &[open::Opened::json_schema]),
    ("prove", &[prove::Proved::json_schema]),
    ("verify-proof", &[verify_proof::Verified::json_schema]),
    ("sign", &[sign::Signatures::json_schema]),
    ("verify", &[verify::Verified::json_schema]),
    ("signature keygen", &[signature::Pair::json_schema]),
    ("signature trust", &[signature::TrustedKey::json_schema]),
    ("signature sign", &[signature::Signed::json_schema]),
    ("signature verify", &[signature::Verified::json_schema]),
    ("vectors check", &[vectors::Checked::json_schema]),
    ("selftest", &[selftest::Passed::json_schema]),
    ("schema", &[Answer::json_schema]),
    ("completions", &[completions::Answer::json_schema]),
    ("man", &[man::FirstPage::json_schema, man::Pages::json_schema]),
];

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct SchemaOf {
    /// The verb, and its step if only one is of interest, such as `key inspect`; all verbs, if left out
    verb: Vec<String>,
}

/// A JSON Schema.
#[derive(Serialize, JsonSchema)]
struct Answer {
    /// The verb and its step; empty for all.
    of: String,
    /// The schema, of draft 2020-12.
    json_schema: Value,
}

impl SchemaOf {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let of = self.verb.join(" ");
        let begins = |words: &str| {
            of.is_empty() || words.strip_prefix(&*of).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let verbs: Vec<Answers> = ANSWERS.into_iter().filter(|(words, _)| begins(words)).collect();
        if verbs.is_empty() {
            return Err(Fault::Usage(format!("there is no verb {of}; `ringwork help` names all")));
        }
        let json_schema = answers::schema(&verbs);
        let text = pretty(&json_schema);
        screen.print(Answer { of, json_schema }, || text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface;
    use clap::Command;

    /// The words of a command and of its steps, but for those that only have steps.
    fn verbs(command: &Command, words: &str) -> Vec<String> {
        let own = (!command.is_subcommand_required_set()).then(|| words.to_owned());
        let steps = command.get_subcommands().filter(|step| step.get_name() != "help");
        let steps = steps.flat_map(|step| verbs(step, format!("{words} {}", step.get_name()).trim_start()));
        own.into_iter().chain(steps).collect()
    }

    #[test]
    fn every_verb_has_a_schema() {
        let mut all = verbs(&interface(), "");
        all.insert(0, String::new());
        assert_eq!(all, ANSWERS.map(|(words, _)| words));
    }
}
