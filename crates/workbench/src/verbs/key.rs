//! `key inspect`: what an object is and what it is worth, without its secrets. `key public`: the
//! public key of a secret one.

use super::keygen::fingerprint;
use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{Loaded, cost, cost_in_words, hex, what_it_is},
    screen::{Screen, columns},
};
use clap::{Args, Subcommand};
use ringwork::{
    estimate::{self, Estimate, failure},
    object::{Description, Kind},
    registry,
    schemes::newhope::NewHope,
    seal,
};
use serde_json::{Value, json};
use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

/// What to do with an object.
#[derive(Subcommand, Debug)]
pub(crate) enum Key {
    /// Prints kind, scheme, ring, lengths, fingerprint, security and failure probability; never a
    /// secret
    Inspect(Inspect),
    /// Writes the public key that belongs to a secret key
    Public(Public),
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// Keys, sealed files, commitments, openings, proofs; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Public {
    /// The secret key, or - for standard input
    secret: PathBuf,
    /// Where to put the public key, or - for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
}

impl Key {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Inspect(step) => step.run(screen),
            Self::Public(step) => step.run(screen),
        }
    }
}

impl Inspect {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let Self { files } = self;
        files::at_most_one_dash(&files.iter().collect::<Vec<_>>())?;
        let found = files.iter().map(|path| inspect(path)).collect::<Result<Vec<_>, _>>()?;
        let objects: Vec<Value> = found.iter().map(|facts| facts.0.iter().cloned().collect()).collect();
        screen.answer(json!({ "objects": objects }), || found.iter().map(text).collect::<Vec<_>>().join("\n"))
    }
}

impl Public {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Binary)], self.force)?;
        files::apart(&[&self.out], &[&self.secret])?;
        let secret = Loaded::read(&self.secret, Kind::SecretKey)?;
        let scheme = secret.encapsulation();
        let public = scheme.public_key_of(secret.body()).map_err(|e| secret.refused(&e))?;
        let public = scheme.description().encode(Kind::PublicKey, &public);
        files::write(&self.out, &public, Access::Binary, self.force)?;
        let what = what_it_is(&*scheme);
        let value = json!({ "scheme": scheme.description().name, "fingerprint": fingerprint(&public), "note": what });
        screen.note(&what);
        screen.written(value, &[("public", &self.out)], "")
    }
}

/// All there is to say about one file.
fn inspect(path: &Path) -> Result<Facts, Fault> {
    let mut source = files::open(path)?;
    let object = Loaded::read_first(path, &mut *source, None)?;
    let kind = object.header.kind;
    let Description { name, ring, order, n, q, root, .. } = *object.header.description;
    let mut facts = Facts(Vec::new());
    facts.say("file", json!(files::name(path)));
    facts.say("kind", json!(kind.to_string()));
    facts.say("scheme", json!(name));
    facts.say("ring", json!(ring.to_string()));
    facts.say("n", json!(n));
    facts.say("q", json!(q));
    if root != 0 {
        facts.say("root", json!(root));
    }
    facts.say("order", json!(order.to_string()));
    facts.say("body_bytes", json!(object.header.body_bytes));
    if kind == Kind::SealedFile {
        facts.sealed(&object, &mut *source)?;
    } else {
        object.expect_end(&mut *source)?;
    }
    match kind {
        Kind::PublicKey | Kind::SecretKey | Kind::SealedFile => facts.encapsulation(&object)?,
        Kind::ExchangeSecret | Kind::ExchangeOffer | Kind::ExchangeReply => facts.exchange(&object)?,
        _ => facts.commitments(&object)?,
    }
    Ok(facts)
}

/// In the order in which they are shown.
struct Facts(Vec<(String, Value)>);

impl Facts {
    fn say(&mut self, what: &str, value: Value) {
        self.0.push((what.into(), value));
    }

    /// How much stands behind the head of a sealed file; nothing of it is verified without the key.
    fn sealed(&mut self, object: &Loaded, source: &mut dyn Read) -> Result<(), Fault> {
        let behind = io::copy(source, &mut io::sink()).map_err(|e| files::unreadable(&object.path, &e))?;
        let segments = behind.div_ceil((seal::SEGMENT_BYTES + seal::TAG_BYTES) as u64);
        self.say("segments", json!(segments));
        self.say("file_bytes", json!(behind.saturating_sub(segments * seal::TAG_BYTES as u64)));
        Ok(())
    }

    fn encapsulation(&mut self, object: &Loaded) -> Result<(), Fault> {
        let scheme = object.encapsulation();
        let refused = |e: registry::Refused| object.refused(&e);
        match object.header.kind {
            Kind::PublicKey => {
                scheme.check_public_key(object.body()).map_err(refused)?;
                self.say("fingerprint", json!(hex(&object.header.digest)));
            }
            Kind::SecretKey => {
                let public = scheme.public_key_of(object.body()).map_err(refused)?;
                let public = scheme.description().encode(Kind::PublicKey, &public);
                self.say("public_key_fingerprint", json!(fingerprint(&public)));
            }
            _ => {
                let (expected, actual) = (scheme.ciphertext_bytes(), object.body().len());
                if expected != actual {
                    return Err(object.refused(&format_args!("a ciphertext has {expected} bytes, this has {actual}")));
                }
                self.say("fingerprint", json!(hex(&object.header.digest)));
            }
        }
        self.estimate("security", scheme.security());
        self.say("failure_log2", json!(scheme.failure_log2()));
        self.research(scheme.research_reason());
        Ok(())
    }

    fn exchange(&mut self, object: &Loaded) -> Result<(), Fault> {
        let set = object.exchange();
        let scheme = NewHope::new(set);
        let body = object.body();
        let checked = match object.header.kind {
            Kind::ExchangeSecret => scheme.secret_from_bytes(body).map(drop),
            Kind::ExchangeOffer => scheme.check_offer(body),
            _ => scheme.check_reply(body),
        };
        checked.map_err(|e| object.refused(&e))?;
        if object.header.kind != Kind::ExchangeSecret {
            self.say("fingerprint", json!(hex(&object.header.digest)));
        }
        self.estimate("security", set.security());
        Ok(())
    }

    fn commitments(&mut self, object: &Loaded) -> Result<(), Fault> {
        let set = object.commitments();
        let seed = match object.header.kind {
            Kind::CommitmentKey => Some(set.seed_of_key(object.body())?),
            Kind::Commitment => Some(set.check_commitment(object.body())?),
            Kind::Opening => {
                set.check_opening(object.body())?;
                let origin = set.origin_of(object.body())?;
                for (what, name) in [("committer", origin.committer), ("context", origin.context)] {
                    self.say(what, json!(String::from_utf8_lossy(name)));
                }
                None
            }
            _ => {
                self.say("claim", json!(set.claim_of(object.body())?));
                None
            }
        };
        if let Some(seed) = seed {
            self.say("key_seed", json!(hex(&seed)));
            self.say("default_key", json!(seed == registry::default_seed()));
        }
        if object.header.kind != Kind::Opening {
            self.say("fingerprint", json!(hex(&object.header.digest)));
        }
        self.say("message_bytes_at_most", json!(set.capacity()));
        self.estimate("hiding", set.hiding());
        self.estimate("binding", set.binding());
        self.research(set.research_reason());
        Ok(())
    }

    fn estimate(&mut self, what: &str, estimate: Result<Estimate, estimate::Error>) {
        self.say(what, cost(estimate));
    }

    fn research(&mut self, reason: Option<String>) {
        if let Some(reason) = reason {
            self.say("research_only", json!(reason));
        }
    }
}

fn text(facts: &Facts) -> String {
    let rows = facts.0.iter().map(|(what, value)| vec![what.replace('_', " "), shown(what, value)]);
    columns("ll", &rows.collect::<Vec<_>>())
}

fn shown(what: &str, value: &Value) -> String {
    match value {
        // Names are somebody else's: nothing in them reaches the terminal as it is.
        Value::String(name) if ["committer", "context"].contains(&what) => format!("{name:?}"),
        Value::String(text) => text.clone(),
        Value::Bool(answer) => if *answer { "yes" } else { "no" }.into(),
        Value::Object(_) => cost_in_words(value),
        value if what == "failure_log2" => failure::in_words(value.as_f64().unwrap_or(f64::NEG_INFINITY)),
        value => value.to_string(),
    }
}
