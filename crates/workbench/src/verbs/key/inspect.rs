//! `key inspect`: what a key, an encrypted file or an object is and what it is worth, without its secrets.

use super::PemKey;
use crate::{
    age_files::{self, Input, PassphraseArgs, Recipient, Seen},
    answers,
    fault::Fault,
    files,
    objects::{Cost, Loaded, hex},
    pem_keys::{self, Half},
    screen::{Screen, columns},
    signed_files::Signed,
};
use clap::Args;
use ringwork::{
    estimate::failure,
    object::{Description, Kind, MAGIC},
    registry,
    xof::sha3_256,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// Identities, recipients, keys in PEM, encrypted files, commitments, openings, proofs; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What files are.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Inspected<'a> {
    /// Object by object; a file of several keys has several.
    objects: &'a [Facts],
}

/// What there is to say about an object.
#[derive(Serialize, JsonSchema)]
struct Facts {
    /// The file.
    file: String,
    /// What it is.
    kind: String,
    #[serde(flatten)]
    what: What,
}

/// What it is, and what it is worth.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum What {
    /// A private key that is encrypted: nothing else is known of it.
    Encrypted {
        /// How the key follows from the passphrase: `scrypt` or `PBKDF2`.
        passphrase: &'static str,
    },
    /// A key in PEM.
    Pem {
        /// The parameter set.
        scheme: &'static str,
        /// Length of the public key.
        public_key_bytes: usize,
        /// Length of the signatures that it makes.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature_bytes: Option<usize>,
        /// Length of the ciphertexts that it makes.
        #[serde(skip_serializing_if = "Option::is_none")]
        ciphertext_bytes: Option<usize>,
        /// Whether no quantum computer is known to break it.
        post_quantum: bool,
        /// SHA3-256 of the public key's bytes.
        fingerprint: String,
    },
    /// A signature by `sign`, which is not verified.
    Signature {
        /// The fingerprint of the key.
        signer: String,
        /// What the signer says of the file.
        comment: String,
        /// Length of the signature.
        signature_bytes: usize,
    },
    /// A file that is encrypted as age does it.
    File {
        /// Whether it is text.
        armored: bool,
        /// How often each type of stanza is there.
        #[schemars(with = "BTreeMap<String, usize>")]
        stanzas: BTreeMap<String, u64>,
        /// Length of the header, without armor.
        header_bytes: usize,
        /// Length of what stands behind it.
        payload_bytes: u64,
        /// Length of what was encrypted; absent if the file is not whole.
        #[serde(skip_serializing_if = "Option::is_none")]
        plaintext_bytes: Option<u64>,
        /// What the file has more than that, without armor.
        #[serde(skip_serializing_if = "Option::is_none")]
        overhead_bytes: Option<u64>,
        /// Whether no quantum computer is known to open it; absent where a stanza is of an unknown type.
        #[serde(skip_serializing_if = "Option::is_none")]
        post_quantum: Option<bool>,
    },
    /// An identity or a recipient of a research scheme.
    Research {
        /// The scheme.
        scheme: String,
        /// The recipient.
        #[serde(skip_serializing_if = "Option::is_none")]
        recipient: Option<String>,
        /// The cost of finding the secret key.
        security: Cost,
        /// log2 of the probability that decryption fails; null if it never does.
        #[schemars(with = "Option<f64>")]
        failure_log2: f64,
        /// Why this is for research alone, if there is a reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        research_only: Option<String>,
    },
    /// An identity or a recipient of age, of SSH or of a plugin.
    Age {
        /// The scheme, `age-plugin-NAME` for a plugin.
        scheme: String,
        /// The recipient; of a plugin's identity it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        recipient: Option<String>,
        /// Whether no quantum computer is known to break it; of a plugin it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        post_quantum: Option<bool>,
    },
    /// The secret or a message of a key exchange.
    Exchange {
        #[serde(flatten)]
        body: Body,
        /// SHA3-256 of the object, unless it is secret.
        #[serde(skip_serializing_if = "Option::is_none")]
        fingerprint: Option<String>,
        /// The cost of finding the secret.
        security: Cost,
    },
    /// A commitment, its key, its opening or a proof.
    Commitments {
        #[serde(flatten)]
        body: Body,
        #[serde(flatten)]
        of: OfCommitments,
        /// SHA3-256 of the object, unless it is secret.
        #[serde(skip_serializing_if = "Option::is_none")]
        fingerprint: Option<String>,
        /// Length of the longest message.
        message_bytes_at_most: usize,
        /// The cost of learning what was committed to.
        hiding: Cost,
        /// The cost of opening a commitment in two ways.
        binding: Cost,
        /// Why this is for research alone, if there is a reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        research_only: Option<String>,
    },
    /// Of several files, one that is none of these: exit code 3.
    Unknown {
        /// Why.
        refused: String,
    },
}

/// What an object holds.
#[derive(Serialize, JsonSchema)]
struct Body {
    /// The parameter set.
    scheme: &'static str,
    /// The ring: negacyclic, cyclic or trinomial.
    ring: String,
    /// The degree.
    n: u32,
    /// The modulus.
    q: u64,
    /// The root of unity that numbers slots; absent where there are coefficients.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<u64>,
    /// How the numbers are ordered.
    order: String,
    /// Length without the header.
    body_bytes: usize,
}

/// What only some objects of commitments have.
#[derive(Default, Serialize, JsonSchema)]
struct OfCommitments {
    /// Of an opening: who committed.
    #[serde(skip_serializing_if = "Option::is_none")]
    committer: Option<String>,
    /// Of an opening: for what.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    /// Of a proof: what it is a proof of, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    /// Of a commitment or a commitment key: the seed of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_seed: Option<String>,
    /// Whether this is the seed that `commit` takes if no other is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    default_key: Option<bool>,
}

impl Inspect {
    pub(super) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let Self { files } = self;
        files::at_most_one_dash(&files.iter().collect::<Vec<_>>())?;
        let (mut found, mut refused) = (Vec::new(), None);
        for path in files {
            match inspect(path) {
                Ok(more) => found.extend(more),
                Err(fault) if files.len() == 1 => return Err(fault),
                Err(fault) => {
                    found.push(Facts::of(path, "unknown", What::Unknown { refused: fault.to_string() }));
                    refused = refused.or(Some(fault));
                }
            }
        }
        screen.answer(Inspected { objects: &found }, || found.iter().map(text).collect::<Vec<_>>().join("\n"))?;
        refused.map_or(Ok(()), Err)
    }
}

/// A key in PEM. Of one that is encrypted to a passphrase nothing else is known.
fn pem_key(path: &Path, text: &str, half: Half) -> Result<Facts, Fault> {
    if let Some(kdf) = pem_keys::encryption(path, text)? {
        return Ok(Facts::of(path, "encrypted private key", What::Encrypted { passphrase: kdf }));
    }
    let key = PemKey::of(path, text.as_bytes(), half, &PassphraseArgs::NONE)?;
    let PemKey { name: scheme, bytes, makes: [signature_bytes, ciphertext_bytes], .. } = key;
    let (public_key_bytes, fingerprint) = (bytes.len(), hex(&sha3_256(&bytes)));
    let kind = if half == Half::Private { "private key" } else { "public key" };
    let post_quantum = true;
    let what = What::Pem { scheme, public_key_bytes, signature_bytes, ciphertext_bytes, post_quantum, fingerprint };
    Ok(Facts::of(path, kind, what))
}

/// What `ringwork sign` writes. Nothing of it is verified.
fn signature(path: &Path, text: &str) -> Result<Facts, Fault> {
    let Signed { signer, comment, bytes } = Signed::of_bytes(path, text.as_bytes())?;
    Ok(Facts::of(path, "signature", What::Signature { signer, comment, signature_bytes: bytes.len() }))
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
    let seen = Input::new(path, source)?.seen()?;
    let post_quantum = seen.is_post_quantum();
    let Seen { is_armored: armored, stanzas, header_bytes, payload_bytes, plaintext_bytes } = seen;
    let all = header_bytes as u64 + payload_bytes;
    let overhead_bytes = plaintext_bytes.map(|plaintext| all - plaintext);
    let what =
        What::File { armored, stanzas, header_bytes, payload_bytes, plaintext_bytes, overhead_bytes, post_quantum };
    Ok(Facts::of(path, "encrypted file", what))
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
    if pem_keys::has_block(text.as_bytes(), "CERTIFICATE") {
        let why = "this is a certificate, which is not read; `openssl x509 -pubkey -noout -in` shows the key in it";
        return Err(files::refused(path, &why));
    }
    let found = age_files::keys_in(&text).map_err(|why| files::refused(path, &why))?;
    let Some((is_secret, recipients)) = found else { return Err(files::refused(path, &other)) };
    let facts = |key: &Recipient| {
        let (scheme, recipient) = (key.scheme().to_owned(), key.to_text());
        let what = match registry::encapsulation(&scheme) {
            None => What::Age { scheme, recipient, post_quantum: key.is_post_quantum() },
            Some(known) => What::Research {
                scheme,
                recipient,
                security: Cost::of(known.security()),
                failure_log2: known.failure_log2(),
                research_only: known.research_reason(),
            },
        };
        Facts::of(path, if is_secret { "identity" } else { "recipient" }, what)
    };
    Ok(recipients.iter().map(facts).collect())
}

fn object(path: &Path, source: &mut dyn Read) -> Result<Facts, Fault> {
    let object = Loaded::read_first(path, source, None)?;
    let kind = object.header.kind;
    let Description { name, ring, order, n, q, root, .. } = *object.header.description;
    let body_bytes = object.header.body_bytes;
    let (ring, root, order) = (ring.to_string(), (root != 0).then_some(root), order.to_string());
    let body = Body { scheme: name, ring, n, q, root, order, body_bytes };
    object.expect_end(source)?;
    let what = match kind {
        Kind::ExchangeSecret | Kind::ExchangeOffer | Kind::ExchangeReply => exchange(&object, body)?,
        _ => commitments(&object, body)?,
    };
    Ok(Facts::of(path, &kind.to_string(), what))
}

fn exchange(object: &Loaded, body: Body) -> Result<What, Fault> {
    let (scheme, kind) = (object.exchange(), object.header.kind);
    scheme.check(kind, object.body()).map_err(|e| object.refused(&e))?;
    let fingerprint = (kind != Kind::ExchangeSecret).then(|| hex(&object.header.digest));
    Ok(What::Exchange { body, fingerprint, security: Cost::of(scheme.security()) })
}

fn commitments(object: &Loaded, body: Body) -> Result<What, Fault> {
    let (set, kind) = (object.commitments(), object.header.kind);
    let of_seed = |seed: [u8; 32]| OfCommitments {
        key_seed: Some(hex(&seed)),
        default_key: Some(seed == registry::default_seed()),
        ..OfCommitments::default()
    };
    let of = match kind {
        Kind::CommitmentKey => of_seed(set.seed_of_key(object.body())?),
        Kind::Commitment => of_seed(set.check_commitment(object.body())?),
        Kind::Opening => {
            set.check_opening(object.body())?;
            let origin = set.origin_of(object.body())?;
            let text = |bytes| Some(String::from_utf8_lossy(bytes).into_owned());
            let (committer, context) = (text(origin.committer), text(origin.context));
            OfCommitments { committer, context, ..OfCommitments::default() }
        }
        _ => OfCommitments { claim: Some(set.claim_of(object.body())?), ..OfCommitments::default() },
    };
    Ok(What::Commitments {
        body,
        of,
        fingerprint: (kind != Kind::Opening).then(|| hex(&object.header.digest)),
        message_bytes_at_most: set.capacity(),
        hiding: Cost::of(set.hiding()),
        binding: Cost::of(set.binding()),
        research_only: set.research_reason(),
    })
}

impl Facts {
    fn of(path: &Path, kind: &str, what: What) -> Self {
        Self { file: files::name(path), kind: kind.into(), what }
    }

    /// A cost by its key.
    fn cost(&self, key: &str) -> Option<&Cost> {
        match (key, &self.what) {
            ("security", What::Research { security, .. } | What::Exchange { security, .. }) => Some(security),
            ("hiding", What::Commitments { hiding, .. }) => Some(hiding),
            ("binding", What::Commitments { binding, .. }) => Some(binding),
            _ => None,
        }
    }
}

fn text(facts: &Facts) -> String {
    let values = answers::value(facts);
    let rows = values.as_object().into_iter().flatten().map(|(what, value)| {
        let shown = facts.cost(what).map_or_else(|| shown(what, value), ToString::to_string);
        vec![what.replace('_', " "), shown]
    });
    columns("ll", &rows.collect::<Vec<_>>())
}

fn shown(what: &str, value: &Value) -> String {
    match value {
        // Names are somebody else's: nothing in them reaches the terminal as it is.
        Value::String(name) if ["comment", "committer", "context"].contains(&what) => format!("{name:?}"),
        Value::String(text) => text.clone(),
        Value::Bool(answer) => if *answer { "yes" } else { "no" }.into(),
        Value::Object(stanzas) => {
            stanzas.iter().map(|(tag, count)| format!("{count} {tag}")).collect::<Vec<_>>().join(", ")
        }
        value if what == "failure_log2" => failure::in_words(value.as_f64().unwrap_or(f64::NEG_INFINITY)),
        value => value.to_string(),
    }
}
