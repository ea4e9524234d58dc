//! Every scheme in a few lines: keys, messages, commitments, proofs.
//! `cargo run --release -p ringwork --example schemes`

#![forbid(unsafe_code)]

use ringwork::{
    ct::sys_rng,
    kem::{Encryption, Kem},
    schemes::{
        bdlop::{BDLOP_1024, CommitmentKey, Statement},
        lwe::{LWE_768, Lwe, MLWE_256},
        newhope::{NewHope, USENIX2016},
        nttru::Nttru,
        rlwe::{P1, P2, Rlwe},
    },
};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    newhope()?;
    nttru()?;
    encapsulate("ring-LWE P1", Rlwe::<P1>::new())?;
    encapsulate("ring-LWE P2", Rlwe::<P2>::new())?;
    encapsulate("module-LWE", Lwe::<i16, _>::by_transform(MLWE_256)?)?;
    encapsulate("LWE", Lwe::<i32, _>::by_schoolbook(LWE_768))?;
    commit()
}

fn newhope() -> Result<(), Box<dyn Error>> {
    let (newhope, mut rng) = (NewHope::new(USENIX2016), sys_rng());
    let (secret, message_a) = newhope.init(&mut rng);
    let (message_b, bob) = newhope.respond(&message_a, &mut rng)?;
    let alice = newhope.finish(secret, &message_b)?;
    println!("NewHope: messages of {} and {} bytes, same key: {}", message_a.len(), message_b.len(), alice == bob);
    Ok(())
}

fn nttru() -> Result<(), Box<dyn Error>> {
    let (nttru, mut rng) = (Nttru::new(), sys_rng());
    let (secret, public) = nttru.keygen(&mut rng);
    let (ciphertext, shared) = nttru.encapsulate(&public, &mut rng);
    let same = nttru.decapsulate(&secret, &ciphertext)? == shared;
    println!("NTTRU: ciphertext of {} bytes, same key: {same}", ciphertext.len());
    Ok(())
}

fn encapsulate<E: Encryption>(name: &str, encryption: E) -> Result<(), Box<dyn Error>> {
    let (kem, mut rng) = (Kem::new(encryption)?, sys_rng());
    let secret = kem.keygen(&mut rng);
    let public = kem.public_key_from_bytes(secret.public_key().as_bytes())?;
    let (ciphertext, shared) = kem.encapsulate(&public, &mut rng);
    let loaded = kem.secret_key_from_bytes(&kem.secret_key_to_bytes(&secret))?;
    let same = kem.decapsulate(&loaded, &ciphertext)? == shared;
    let [key, carried] = [public.as_bytes().len(), ciphertext.len()];
    println!("{name}: public key of {key} bytes, ciphertext of {carried}, same key: {same}");
    Ok(())
}

fn commit() -> Result<(), Box<dyn Error>> {
    let mut rng = sys_rng();
    let key = CommitmentKey::<i64>::new(BDLOP_1024, &[1; 32])?;
    let (commitment, opening) = key.commit(key.message(&[3, 1, 4, 1, 5])?, &mut rng)?;
    key.open(&commitment, &opening)?;
    let (commitments, openings) = ([commitment], [opening]);
    let statement = Statement { commitments: &commitments, relation: None, context: b"example" };
    let proof = key.prove(&statement, &openings, &mut rng)?;
    key.verify(&statement, &proof)?;
    key.verify_batch(&[(statement, &proof)], &mut rng).map_err(|(_, e)| e)?;
    println!("commitment of {} bytes, proof of {}", key.commitment_bytes(), key.proof_to_bytes(&proof).len());
    Ok(())
}
