//! Answers that depend on secrets and are public all the same, each with its reason.

/// A function and why what it decides, or where it reads, may be known: file, function, reason.
const PUBLIC: &[[&str; 3]] = &[
    [
        "ringwork/src/sample/rejection.rs",
        "uniform_mod_vartime",
        "a matrix or polynomial of a public seed, which is itself drawn from the secret seed of a key",
    ],
    [
        "ringwork/src/sample/rejection.rs",
        "accept",
        "the same, and which candidates for coefficients of an ML-DSA secret are rejected, which says nothing of those that are \
         taken (FIPS 204, algorithm 31)",
    ],
    ["ringwork/src/schemes/mldsa/sample.rs", "take", "the same"],
    ["ringwork/src/xof/turns.rs", "in_lanes", "the same: that another block is needed"],
    [
        "lanes/src/x86/avx2_words.rs",
        "compact16",
        "the same, which is all that it serves: it is in variable time by its definition",
    ],
    ["lanes/src/x86/avx2_words.rs", "compact32", "the same"],
    ["lanes/src/scalar.rs", "compact", "the same"],
    ["ringwork/src/bits.rs", "unpack", "whether saved bytes are refused; those that are well-formed take one path"],
    [
        "ringwork/src/ring/polynomial/codec.rs",
        "unpack",
        "whether saved bytes are refused; those that are well-formed take one path",
    ],
    ["ringwork/src/schemes/nttru/encode.rs", "unpack", "whether a saved secret is refused"],
    ["ringwork/src/schemes/mlkem/pke.rs", "decode_12", "whether a saved secret is refused"],
    ["ringwork/src/schemes/mlkem/arrays.rs", "check_12", "whether a saved secret is refused"],
    [
        "ringwork/src/schemes/mlkem/arrays.rs",
        "decapsulate",
        "whether a saved secret key is damaged, and refused; X-Wing's comes from its seed, and never is",
    ],
    ["ringwork/src/schemes/mldsa/encode.rs", "unpack_s", "whether a saved secret is refused"],
    ["ringwork/src/schemes/mldsa/expand.rs", "keys_of_bytes", "whether a saved secret key is damaged, and refused"],
    [
        "ringwork/src/schemes/mldsa/sign.rs",
        "candidate",
        "that a signature is rejected, and by which check, which is independent of the key (docs/constant-time.md)",
    ],
    ["ringwork/src/schemes/mldsa/arrays.rs", "candidate", "the same"],
    ["ringwork/src/schemes/mldsa/arrays.rs", "sign", "the same: that another candidate is tried"],
    ["ringwork/src/schemes/mldsa/encode.rs", "pack_hint", "the hint of a signature that is accepted: part of it"],
    ["ringwork/src/key_info.rs", "key", "whether the two forms of a saved key are of different keys, and refused"],
    ["ringwork/src/schemes/mlkem/keys.rs", "eq", "the same, and that two keys are the same"],
    ["age/src/bech32.rs", "decode", "whether the text of an identity is in order, or refused"],
    ["age/src/lib.rs", "decode", "where the text of an identity ends"],
    ["ringwork/src/decode.rs", "undamaged", "whether a saved secret key is damaged, and refused"],
    ["ringwork/src/kem.rs", "secret_key_from_bytes", "the same, where the compiler has it in the caller"],
    ["ringwork/src/registry/encapsulation.rs", "read", "the same"],
    ["ringwork/src/bits.rs", "encode", "the answers of a proof that was accepted: they are what is written"],
    [
        "ringwork/src/schemes/bdlop/commit.rs",
        "eq",
        "that an opening does not open its commitment; the answer is of public bytes",
    ],
    [
        "ringwork/src/ring/polynomial/engine.rs",
        "invert",
        "that a polynomial has no inverse: key generation draws again",
    ],
    ["ringwork/src/schemes/ntru/mod.rs", "keygen_derand", "that f has no inverse: key generation draws again"],
    ["ringwork/src/schemes/ntru/mod.rs", "check_message", "that a message is out of range, and refused"],
    ["ringwork/src/schemes/ntru/mod.rs", "encrypt_derand", "the same, where the compiler has it in the caller"],
    ["ringwork/src/schemes/ntru/mod.rs", "message_to_bytes", "the same"],
    ["ringwork/src/schemes/nttru/mod.rs", "decapsulate", "that a ciphertext is rejected, as NTTRU does openly"],
    ["ringwork/src/schemes/bdlop/commit.rs", "message", "that a message is not canonical, and refused"],
    ["ringwork/src/schemes/bdlop/commit.rs", "message_of", "that a message is not canonical, and refused"],
    [
        "ringwork/src/schemes/bdlop/commit.rs",
        "check_norms",
        "that randomness is too long, and refused; that an answer is",
    ],
    ["ringwork/src/schemes/bdlop/commit.rs", "open", "that an opening does not open its commitment"],
    ["ringwork/src/schemes/bdlop/proof.rs", "check_witness", "that an opening is not one of which anything is proved"],
    [
        "ringwork/src/schemes/bdlop/proof.rs",
        "accepted",
        "how many attempts a proof takes, which is independent of the opening",
    ],
    [
        "ringwork/src/sample/fixed_weight.rs",
        "shuffle",
        "a challenge: part of a proof or signature, or of an attempt that was rejected, which says nothing (docs/constant-time.md)",
    ],
];

/// An entry of the list, as it is shown.
pub(super) fn shown([file, function, _]: &[&str; 3]) -> String {
    format!("{function} in crates/{file}")
}

/// The whole list.
pub(super) const fn all() -> &'static [[&'static str; 3]] {
    PUBLIC
}

/// Why a branch or an address may depend on a secret there, if it may. The place is
/// `crates/…/file.rs:7`.
pub(super) fn entry(place: &str, function: &str) -> Option<&'static [&'static str; 3]> {
    let file = place.strip_prefix("crates/")?.rsplit_once(':')?.0;
    PUBLIC.iter().find(|[of_file, of_function, _]| *of_file == file && *of_function == function)
}

/// Parts of the names of cases in which something public is drawn value by value, by rejection: a
/// matrix or a challenge; or answers are written value by value. Everywhere else an answer is one
/// branch of one call.
const DRAWN: [&str; 6] = ["keygen", "proof", "signature", "registry", "reading a secret key", "age identity"];
/// Answers of one case at most.
const ANSWERS: u64 = 16;

/// Whether a case has more reports than answers: then a function of the list branches on every
/// coefficient.
pub(super) fn too_many(case: &str, errors: u64) -> bool {
    errors > ANSWERS && !DRAWN.iter().any(|part| case.contains(part))
}
