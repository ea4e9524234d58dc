//! What every help text says besides the arguments: groups of verbs, examples, and exit codes.

use crate::fault::EXIT_CODES;
use clap::Command;

/// Words on the command line, and examples; `crates/workbench/tests/help.rs` runs them in this
/// order in one folder.
const EXAMPLES: [(&str, &[&str]); 46] = [
    ("report", &["ringwork report --quick", "ringwork report --quick --paper royher --out royher.html"]),
    (
        "plan",
        &[
            "ringwork plan 1024 12289",
            "ringwork plan 4096 2^60-2^14+1 --all",
            "ringwork plan --measure --quick --out costs.txt",
            "ringwork plan 1024 268369921 --costs costs.txt",
        ],
    ),
    ("explain", &["ringwork explain 256 3329 --out kyber.html", "ringwork explain --example bakkebo-3"]),
    ("primes", &["ringwork primes 1024 --bits 30", "ringwork primes 1024 --smallest"]),
    ("estimate", &["ringwork estimate --table"]),
    ("estimate lwe", &["ringwork estimate lwe --n 768 --q 3329 --secret binomial:2 --error binomial:2"]),
    ("estimate ntru", &["ringwork estimate ntru --n 700 --q 8192 --secret ternary"]),
    ("estimate sis", &["ringwork estimate sis --n 512 --q 12289 --norm 5833.9 --width 1024"]),
    ("processor run", &["ringwork processor run", "ringwork processor run --set p2 --machine paper"]),
    ("processor asm", &["ringwork processor asm encrypt", "ringwork processor asm --bytes 24801488"]),
    ("processor trace", &["ringwork processor trace decrypt --set small --machine paper --out decrypt.html"]),
    ("processor rounds", &["ringwork processor rounds --rounds 10"]),
    ("mul", &["ringwork mul 4 257 a.txt b.txt"]),
    ("ntt", &["ringwork ntt 4 257 a.txt", "ringwork ntt 4 257 a.txt --json"]),
    ("intt", &["ringwork intt 4 257 slots.json"]),
    ("bench", &["ringwork bench --quick 256/3329/scalar/forward/montgomery-16/reduced"]),
    ("kem keygen", &["ringwork kem keygen --secret bob.pem --public bob.pub.pem"]),
    ("kem encapsulate", &["ringwork kem encapsulate --key bob.pub.pem --ciphertext sealed --shared alice.bytes"]),
    ("kem decapsulate", &["ringwork kem decapsulate --key bob.pem --ciphertext sealed --shared bob.bytes"]),
    ("kex init", &["ringwork kex init --secret alice.secret --out to-bob"]),
    ("kex respond", &["ringwork kex respond --in to-bob --out to-alice --key bob.shared"]),
    ("kex finish", &["ringwork kex finish --secret alice.secret --in to-alice --key alice.shared"]),
    ("kex listen", &["ringwork kex listen 127.0.0.1:7420 --out bob.tcp"]),
    ("kex connect", &["ringwork kex connect 127.0.0.1:7420 --set mlkem-768 --out alice.tcp"]),
    (
        "lwe",
        &[
            "ringwork lwe --parameters N=256,q=7681,p=2,m=3,n=3",
            "ringwork lwe --parameters N=1024,q=12289,p=3,m=32,n=32,beta=2 --messages 3",
        ],
    ),
    ("keygen", &["ringwork keygen -o alice.key", "ringwork keygen --scheme nttru-768 -o study.key"]),
    ("key public", &["ringwork key public alice.key -o alice.pub"]),
    (
        "encrypt",
        &[
            "ringwork encrypt -R alice.pub -o letter.age letter",
            "ringwork encrypt -R alice.pub -a -o letter.asc letter",
            "ringwork encrypt -R id_ed25519.pub -o letter.ssh letter",
        ],
    ),
    (
        "decrypt",
        &[
            "ringwork decrypt -i alice.key -o letter.opened letter.age",
            "ringwork decrypt -i id_ed25519 -o letter.again letter.ssh",
        ],
    ),
    ("rekey", &["ringwork rekey -i id_ed25519 -R alice.pub -o letter.pq letter.ssh"]),
    (
        "commit",
        &["ringwork commit --by alice --context auction-7 --message bid --commitment bid.com --opening bid.open"],
    ),
    ("open", &["ringwork open --by alice --context auction-7 --commitment bid.com --opening bid.open --message bid"]),
    (
        "prove",
        &["ringwork prove --by alice --context auction-7 --commitment bid.com --opening bid.open --proof bid.proof"],
    ),
    ("verify-proof", &["ringwork verify-proof --by alice --context auction-7 --commitment bid.com --proof bid.proof"]),
    ("key inspect", &["ringwork key inspect alice.pub letter.age bid.com"]),
    (
        "signature keygen",
        &["ringwork signature keygen", "ringwork signature keygen --secret signer.pem --public signer.pub.pem"],
    ),
    ("sign", &["ringwork sign letter a.txt", "ringwork sign --key signer.pem --comment draft --out draft.sig letter"]),
    ("signature trust", &["ringwork signature trust alice signer.pub.pem"]),
    (
        "verify",
        &[
            "ringwork verify letter a.txt",
            "ringwork verify --signature draft.sig letter",
            "ringwork verify --key signer.pub.pem --signature draft.sig letter",
        ],
    ),
    ("signature sign", &["ringwork signature sign --key signer.pem --in letter --out letter.bytes"]),
    ("signature verify", &["ringwork signature verify --key signer.pub.pem --in letter --signature letter.bytes"]),
    ("vectors check", &["ringwork vectors check products.json"]),
    ("selftest", &["ringwork selftest"]),
    ("schema", &["ringwork schema plan", "ringwork schema key inspect"]),
    ("completions", &["ringwork completions bash"]),
    ("man", &["ringwork man", "ringwork man --out ."]),
];

/// Verbs by what they are for.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Files", &["keygen", "encrypt", "decrypt", "rekey", "key"]),
    ("Signatures", &["sign", "verify", "signature"]),
    ("Shared keys", &["kem", "kex"]),
    ("Commitments", &["commit", "open", "prove", "verify-proof"]),
    ("Transforms and products", &["plan", "explain", "primes", "mul", "ntt", "intt"]),
    ("Measurements and estimates", &["report", "bench", "estimate", "lwe"]),
    ("Hardware", &["processor"]),
    ("This program", &["selftest", "vectors", "schema", "completions", "man", "help"]),
];

/// The command with that at the end of every help text.
pub(crate) fn explained(command: Command) -> Command {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{}\nOptions:\n{{options}}{{after-help}}",
        groups(&command)
    );
    below(command, "").help_template(template)
}

/// The verbs, group by group.
fn groups(command: &Command) -> String {
    const WIDTH: usize = 100;
    let names = GROUPS.iter().flat_map(|(_, names)| *names);
    let margin = 4 + names.map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (group, names) in GROUPS {
        text += &format!("\n{group}:\n");
        for name in names {
            let verb = command.find_subcommand(name);
            let about =
                verb.and_then(Command::get_about).map_or("Says this, or what a verb does".into(), ToString::to_string);
            let mut line = format!("  {name}");
            line.extend(std::iter::repeat_n(' ', margin - line.len()));
            for word in about.split_whitespace() {
                if line.chars().count() + word.chars().count() > WIDTH {
                    text = text + line.trim_end() + "\n";
                    line = " ".repeat(margin);
                }
                line = line + word + " ";
            }
            text = text + line.trim_end() + "\n";
        }
    }
    text
}

fn below(command: Command, words: &str) -> Command {
    let examples = EXAMPLES.iter().find(|(of, _)| *of == words).map_or(&[][..], |(_, lines)| lines);
    let mut end = String::new();
    if !examples.is_empty() {
        end = format!("Examples:\n  {}\n\n", examples.join("\n  "));
    }
    let command = command.after_help(end + EXIT_CODES);
    command.mut_subcommands(|step| {
        let words = format!("{words} {}", step.get_name());
        below(step, words.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface;

    #[test]
    fn every_verb_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let interface = interface();
        let mut verbs: Vec<&str> = interface.get_subcommands().map(Command::get_name).chain(["help"]).collect();
        grouped.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }
}
