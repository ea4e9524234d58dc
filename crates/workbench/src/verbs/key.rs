//! `key inspect`: what a key, an encrypted file or an object is and what it is worth, without its
//! secrets. `key public`: the recipients of identities, and the public key of a private one.

use crate::{
    age_files::{self, Identity, Input, PassphraseArgs, Recipient},
    fault::Fault,
    files::{self, Kind as Access},
    kems,
    objects::{Loaded, cost, cost_in_words, hex, what_it_is},
    pem_keys::{self, Half},
    screen::{Screen, columns},
    signatures,
    signed_files::Signed,
};
use clap::{Args, Subcommand};
use ringwork::{
    estimate::{self, Estimate, failure},
    object::{Description, Kind, MAGIC},
    registry,
    xof::sha3_256,
};
use serde_json::{Value, json};
use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// What to do with an object.
#[derive(Subcommand, Debug)]
pub(crate) enum Key {
    /// Prints kind, scheme, parameters, recipient or fingerprint, security and failure probability;
    /// never a secret
    Inspect(Inspect),
    /// Writes the recipients that belong to identities, or the public key that belongs to a private one in PEM
    Public(Public),
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// Identities, recipients, keys in PEM, encrypted files, commitments, openings, proofs; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Public {
    /// The file of identities or of a private key, or - for standard input
    identities: PathBuf,
    /// Where to put the recipients, one a line, or the public key, or - for standard output
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    #[command(flatten)]
    how: PassphraseArgs,
    /// Replaces a file that exists
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
        let (mut found, mut refused) = (Vec::new(), None);
        for path in files {
            match inspect(path) {
                Ok(more) => found.extend(more),
                Err(fault) if files.len() == 1 => return Err(fault),
                Err(fault) => {
                    let mut facts = Facts::of(path, "unknown");
                    facts.say("refused", json!(fault.to_string()));
                    found.push(facts);
                    refused = refused.or(Some(fault));
                }
            }
        }
        let objects: Vec<Value> = found.iter().map(|facts| facts.0.iter().cloned().collect()).collect();
        screen.answer(json!({ "objects": objects }), || found.iter().map(text).collect::<Vec<_>>().join("\n"))?;
        refused.map_or(Ok(()), Err)
    }
}

impl Public {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Text)], self.force)?;
        let inputs: Vec<_> = [&self.identities].into_iter().chain(&self.how.passphrase_file).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.out], &inputs)?;
        let bytes = age_files::read_keys(&self.identities)?;
        if let Some(half) = pem_keys::half_in(&bytes) {
            return self.pem(&bytes, half, screen);
        }
        let identities = age_files::identities_in(&self.identities, bytes, &self.how)?;
        let texts = identities.iter().map(|identity| {
            identity.to_public().to_text().ok_or_else(|| {
                let why = format!(
                    "there is an identity of a plugin in it, whose recipient the plugin alone knows; {} --help may say \
                     how it tells, and `ringwork encrypt -i` encrypts to it",
                    identity.scheme()
                );
                files::refused(&self.identities, &why)
            })
        });
        let recipients = texts.collect::<Result<Vec<String>, _>>()?;
        files::write(&self.out, (recipients.join("\n") + "\n").as_bytes(), Access::Text, self.force)?;
        let schemes: Vec<&str> = identities.iter().map(Identity::scheme).collect();
        schemes.iter().filter_map(|scheme| registry::encapsulation(scheme)).for_each(|s| screen.note(&what_it_is(&*s)));
        screen.written(json!({ "schemes": schemes, "recipients": recipients }), &[("public", &self.out)], "")
    }
}

impl Public {
    /// The public key of a private one in PEM.
    fn pem(&self, bytes: &[u8], half: Half, screen: &Screen) -> Result<(), Fault> {
        if half == Half::Public {
            return Err(files::refused(&self.identities, &"this is a public key already"));
        }
        let key = PemKey::of(&self.identities, bytes, half, &self.how)?;
        files::write(&self.out, key.pem.as_bytes(), Access::Text, self.force)?;
        screen.written(json!({ "schemes": [key.name] }), &[("public", &self.out)], "")
    }
}

/// What there is to say of a key in PEM, public or private.
struct PemKey {
    name: &'static str,
    /// The public key: its bytes, and its file.
    bytes: Vec<u8>,
    pem: String,
    /// Of what it makes.
    makes: (&'static str, usize),
}

impl PemKey {
    fn of(path: &Path, bytes: &[u8], half: Half, passphrase: &PassphraseArgs) -> Result<Self, Fault> {
        let document = pem_keys::of_bytes(path, bytes, half, "this verb", passphrase)?;
        let oid = match half {
            Half::Private => pem_keys::private_info(path, &document)?.algorithm.oid,
            Half::Public => pem_keys::public_info(path, &document)?.algorithm.oid,
        };
        let Some(name) = pem_keys::known(oid) else {
            return Err(pem_keys::other_algorithm(path, oid, "keys of ML-KEM, X-Wing and ML-DSA are read"));
        };
        if name.starts_with("ML-DSA") {
            let key = match half {
                Half::Private => signatures::secret_of(path, &document)?.public(),
                Half::Public => signatures::public_of(path, &document)?,
            };
            let makes = ("signature_bytes", key.set().signature_bytes());
            return Ok(Self { name, bytes: key.bytes(), pem: key.to_pem(), makes });
        }
        let key = match half {
            Half::Private => kems::secret_of(path, &document)?.public(),
            Half::Public => kems::public_of(path, &document)?,
        };
        Ok(Self { name, bytes: key.bytes(), pem: key.to_pem(), makes: ("ciphertext_bytes", key.ciphertext_bytes()) })
    }
}

/// A key in PEM. Of one that is encrypted to a passphrase nothing else is known.
fn pem_key(path: &Path, text: &str, half: Half) -> Result<Facts, Fault> {
    if let Some(kdf) = pem_keys::encryption(path, text)? {
        let mut facts = Facts::of(path, "encrypted private key");
        facts.say("passphrase", json!(kdf));
        return Ok(facts);
    }
    let key = PemKey::of(path, text.as_bytes(), half, &PassphraseArgs::NONE)?;
    let mut facts = Facts::of(path, if half == Half::Private { "private key" } else { "public key" });
    facts.say("scheme", json!(key.name));
    facts.say("public_key_bytes", json!(key.bytes.len()));
    facts.say(key.makes.0, json!(key.makes.1));
    facts.say("post_quantum", json!(true));
    facts.say("fingerprint", json!(hex(&sha3_256(&key.bytes))));
    Ok(facts)
}

/// What `ringwork sign` writes. Nothing of it is verified.
fn signature(path: &Path, text: &str) -> Result<Facts, Fault> {
    let signed = Signed::of_bytes(path, text.as_bytes())?;
    let mut facts = Facts::of(path, "signature");
    facts.say("signer", json!(signed.signer));
    facts.say("comment", json!(signed.comment));
    facts.say("signature_bytes", json!(signed.bytes.len()));
    Ok(facts)
}

/// All there is to say about one file, which may hold several keys.
fn inspect(path: &Path) -> Result<Vec<Facts>, Fault> {
    let mut source = files::open(path)?;
    const START: usize = 1 << 10;
    let mut start = Zeroizing::new(Vec::with_capacity(START)); // wiped, and in its place: it may be a secret
    let read = (&mut source).take(START as u64).read_to_end(&mut start);
    read.map_err(|e| files::unreadable(path, &e))?;
    let (is_object, is_file) = (start.starts_with(&MAGIC), age_files::is_age(&start));
    if !is_object && files::is_utf16(&start) {
        return Err(files::refused(path, &files::UTF16));
    }
    let mut source = io::Cursor::new(start).chain(source);
    match (is_object, is_file) {
        (true, _) => Ok(vec![object(path, &mut source)?]),
        (_, true) => Ok(vec![encrypted(path, source)?]),
        _ => key_file(path, &mut source),
    }
}

/// An encrypted file. Nothing of it is verified without the key.
fn encrypted(path: &Path, source: impl Read) -> Result<Facts, Fault> {
    let mut facts = Facts::of(path, "encrypted file");
    let input = Input::new(path, source)?;
    facts.say("armored", json!(input.is_armored));
    facts.say("stanzas", json!(input.stanzas()));
    Ok(facts)
}

/// Identities or recipients, one a line, or a key in PEM.
fn key_file(path: &Path, source: &mut dyn Read) -> Result<Vec<Facts>, Fault> {
    let other = "this is no object of ringwork, no file of age, and no file of its keys or of a key in PEM";
    let text = files::text_of(path, source).map_err(|_| files::refused(path, &other))?;
    if Signed::is_in(text.as_bytes()) {
        return Ok(vec![signature(path, &text)?]);
    }
    if let Some(half) = pem_keys::half_in(text.as_bytes()) {
        return Ok(vec![pem_key(path, &text, half)?]);
    }
    let Some((is_secret, recipients)) = age_files::keys_in(&text) else { return Err(files::refused(path, &other)) };
    let facts = |recipient: &Recipient| {
        let mut facts = Facts::of(path, if is_secret { "identity" } else { "recipient" });
        facts.say("scheme", json!(recipient.scheme()));
        if let Some(text) = recipient.to_text() {
            facts.say("recipient", json!(text));
        }
        if let Some(scheme) = registry::encapsulation(recipient.scheme()) {
            facts.encapsulation(&*scheme);
        } else if let Some(is_post_quantum) = recipient.is_post_quantum() {
            facts.say("post_quantum", json!(is_post_quantum));
        }
        facts
    };
    Ok(recipients.iter().map(facts).collect())
}

fn object(path: &Path, source: &mut dyn Read) -> Result<Facts, Fault> {
    let object = Loaded::read_first(path, source, None)?;
    let kind = object.header.kind;
    let Description { name, ring, order, n, q, root, .. } = *object.header.description;
    let mut facts = Facts::of(path, &kind.to_string());
    facts.say("scheme", json!(name));
    facts.say("ring", json!(ring.to_string()));
    facts.say("n", json!(n));
    facts.say("q", json!(q));
    if root != 0 {
        facts.say("root", json!(root));
    }
    facts.say("order", json!(order.to_string()));
    facts.say("body_bytes", json!(object.header.body_bytes));
    object.expect_end(source)?;
    match kind {
        Kind::ExchangeSecret | Kind::ExchangeOffer | Kind::ExchangeReply => facts.exchange(&object)?,
        _ => facts.commitments(&object)?,
    }
    Ok(facts)
}

/// In the order in which they are shown.
#[derive(Clone)]
struct Facts(Vec<(String, Value)>);

impl Facts {
    fn of(path: &Path, kind: &str) -> Self {
        Self(vec![("file".into(), json!(files::name(path))), ("kind".into(), json!(kind))])
    }

    fn say(&mut self, what: &str, value: Value) {
        self.0.push((what.into(), value));
    }

    fn encapsulation(&mut self, scheme: &dyn registry::Encapsulation) {
        self.estimate("security", scheme.security());
        self.say("failure_log2", json!(scheme.failure_log2()));
        self.research(scheme.research_reason());
    }

    fn exchange(&mut self, object: &Loaded) -> Result<(), Fault> {
        let scheme = object.exchange();
        scheme.check(object.header.kind, object.body()).map_err(|e| object.refused(&e))?;
        if object.header.kind != Kind::ExchangeSecret {
            self.say("fingerprint", json!(hex(&object.header.digest)));
        }
        self.estimate("security", scheme.security());
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
        Value::String(name) if ["comment", "committer", "context"].contains(&what) => format!("{name:?}"),
        Value::String(text) => text.clone(),
        Value::Bool(answer) => if *answer { "yes" } else { "no" }.into(),
        Value::Object(stanzas) if what == "stanzas" => {
            stanzas.iter().map(|(tag, count)| format!("{count} {tag}")).collect::<Vec<_>>().join(", ")
        }
        Value::Object(_) => cost_in_words(value),
        value if what == "failure_log2" => failure::in_words(value.as_f64().unwrap_or(f64::NEG_INFINITY)),
        value => value.to_string(),
    }
}
