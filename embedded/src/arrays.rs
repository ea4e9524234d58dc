//! Without a heap: keys are arrays of bytes, and each operation expands what it needs on the stack.

use crate::{known, row};
use semihosting::println;

/// Known bytes as an array.
fn array<const N: usize>(bytes: &'static [u8]) -> &'static [u8; N] {
    bytes.try_into().expect("as many bytes as the set says")
}

#[cfg(feature = "mlkem")]
pub fn encapsulations(known: &known::Encapsulations) {
    use ringwork::schemes::mlkem::MlKem768;

    let mut seed = [0; 64];
    seed[..32].copy_from_slice(known.d);
    seed[32..].copy_from_slice(known.z);
    println!("ML-KEM-768");
    let (mut ek, mut dk) = ([0; 1184], [0; 2400]);
    row("  keys", || MlKem768::keygen_into(&seed, &mut ek, &mut dk));
    assert!(ek == *known.ek && dk == *known.dk);

    let (public, m) = (array(known.encapsulated_ek), array(known.encapsulated_m));
    let (mut ciphertext, mut shared) = ([0; 1088], [0; 32]);
    let sent = row("  encapsulate", || MlKem768::encapsulate_into(public, m, &mut ciphertext, &mut shared));
    assert!(sent.is_ok() && ciphertext == *known.encapsulated_c && shared == *known.encapsulated_k);

    let mut received = [0; 32];
    assert!(MlKem768::encapsulate_into(&ek, m, &mut ciphertext, &mut shared).is_ok());
    let answer = row("  decapsulate", || MlKem768::decapsulate_into(&dk, &ciphertext, &mut received));
    assert!(answer.is_ok() && received == shared);
    let (secret, ciphertext) = (array(known.rejected_dk), array(known.rejected_c));
    let answer = row("  decapsulate, rejected", || MlKem768::decapsulate_into(secret, ciphertext, &mut received));
    assert!(answer.is_ok() && received == *known.rejected_k);
}

#[cfg(feature = "mldsa")]
pub fn signatures(known: [&known::Signatures; 2]) {
    use ringwork::schemes::mldsa::{MlDsa44, MlDsa65, arrays};

    macro_rules! of_set {
        ($name:literal $set:ident $public:literal $secret:literal $signature:literal, $known:expr) => {{
            println!($name);
            let known = $known;
            let (mut public, mut secret) = ([0; $public], [0; $secret]);
            row("  keys", || $set::keygen_into(array(known.seed), &mut public, &mut secret));
            assert!(public == *known.public_key && secret[64..128] == $set::tr(&public));

            let (secret, randomness) = (array(known.signed_secret_key), array(known.signed_randomness));
            let tr = secret[64..].first_chunk().expect("tr");
            let mu = arrays::mu_internal(tr, &[known.signed_message]);
            let mut signature = [0; $signature];
            let signed = row("  sign", || $set::sign_mu_into(secret, &mu, randomness, &mut signature));
            assert!(signed.is_ok() && signature == *known.signed_signature);

            let (public, signature) = (array(known.verified_public_key), array(known.verified_signature));
            let tr = $set::tr(public);
            let mu = arrays::mu_internal(&tr, &[known.verified_message]);
            assert!(row("  verify", || $set::verify_mu_arrays(public, &mu, signature)).is_ok());
            let forged = arrays::mu_internal(&tr, &[known.verified_message, b"!"]);
            assert!($set::verify_mu_arrays(public, &forged, signature).is_err());
        }};
    }
    of_set!("ML-DSA-44" MlDsa44 1312 2560 2420, known[0]);
    of_set!("ML-DSA-65" MlDsa65 1952 4032 3309, known[1]);
}
