//! With a heap: keys are expanded once.

use crate::{known, row};
use semihosting::println;

#[cfg(feature = "mlkem")]
pub fn encapsulations(known: &known::Encapsulations) {
    use ringwork::schemes::mlkem::{DecapsulationKey, EncapsulationKey, MlKem768};
    type Secret = DecapsulationKey<MlKem768>;

    let mut seed = [0; 64];
    seed[..32].copy_from_slice(known.d);
    seed[32..].copy_from_slice(known.z);
    println!("ML-KEM-768");
    // These make the plan of the ring, which stays.
    drop(row("  first keys", || Secret::of_seed(&seed)));
    let key = row("  keys", || Secret::of_seed(&seed));
    assert!(key.encapsulation_key().as_bytes() == known.ek);
    assert!(key.to_expanded()[..] == *known.dk);
    drop(key);

    let public = || EncapsulationKey::<MlKem768>::from_bytes(known.encapsulated_ek);
    let public = row("  public key from bytes", public).expect("a key");
    let m = known.encapsulated_m.try_into().expect("32 bytes");
    let (ciphertext, shared) = row("  encapsulate", || public.encapsulate_derand(m));
    assert!(ciphertext[..] == *known.encapsulated_c && shared[..] == *known.encapsulated_k);
    drop(public);

    let key = Secret::of_seed(&seed);
    let (ciphertext, sent) = key.encapsulation_key().encapsulate_derand(m);
    let received = row("  decapsulate", || key.decapsulate_bytes(&ciphertext));
    assert!(received.is_ok_and(|received| received == sent));
    let key = Secret::from_expanded(known.rejected_dk).expect("a key");
    let rejected = row("  decapsulate, rejected", || key.decapsulate_bytes(known.rejected_c));
    assert!(rejected.is_ok_and(|shared| shared[..] == *known.rejected_k));
}

#[cfg(feature = "mldsa")]
pub fn signatures([of_44, of_65]: [&known::Signatures; 2]) {
    use ringwork::schemes::mldsa::{MlDsa44, MlDsa65};
    signatures_of::<MlDsa44>(of_44);
    signatures_of::<MlDsa65>(of_65);
}

#[cfg(feature = "mldsa")]
fn signatures_of<P: ringwork::schemes::mldsa::MlDsaParams>(known: &known::Signatures) {
    use ringwork::schemes::mldsa::{ExpandedSigningKey, SigningKey, VerifyingKey};

    println!("{}", P::PARAMETERS.name);
    let seed = known.seed.try_into().expect("32 bytes");
    drop(row("  first keys", || SigningKey::<P>::from_seed(seed)));
    let key = row("  keys", || SigningKey::<P>::from_seed(seed));
    assert!(key.verifying_key().as_bytes() == known.public_key);
    drop(key);

    let key = row("  secret key from bytes", || ExpandedSigningKey::<P>::from_expanded(known.signed_secret_key));
    let key = key.expect("a key");
    let randomness = known.signed_randomness.try_into().expect("32 bytes");
    let signature = row("  sign", || key.sign_internal(&[known.signed_message], randomness));
    assert!(signature.as_bytes() == known.signed_signature);
    drop(key);

    let key = row("  public key from bytes", || VerifyingKey::<P>::from_bytes(known.verified_public_key));
    let key = key.expect("a key");
    let mu = key.mu_internal(&[known.verified_message]);
    assert!(row("  verify", || key.verify_mu_bytes(&mu, known.verified_signature)).is_ok());
    let forged = key.mu_internal(&[known.verified_message, b"!"]);
    assert!(key.verify_mu_bytes(&forged, known.verified_signature).is_err());
}
