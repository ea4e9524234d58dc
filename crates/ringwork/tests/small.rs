//! Few operations, which Miri interprets in minutes, for this machine and for a big-endian one (`cargo xtask miri`).
//! Where there is time, `mlkem.rs` has the standard's vectors; the digests here are of what it agrees with.

use ringwork::{
    schemes::mlkem::{B32, DecapsulationKey, MlKem512, Seed},
    xof::sha3_256,
};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn one_encapsulation_of_mlkem() {
    let mut counter = 0..=255_u8;
    let seed = Seed::from(core::array::from_fn(|_| counter.next().unwrap()));
    let key = DecapsulationKey::<MlKem512>::from_seed(seed);
    let public = key.encapsulation_key();
    let (ciphertext, shared) = public.encapsulate_deterministic(&B32::from([0xA5; 32]));
    assert_eq!(key.decapsulate_bytes(&ciphertext).unwrap().as_bytes()[..], shared[..]);
    let digests = [public.as_bytes(), &ciphertext[..], &shared[..]].map(|bytes| hex(&sha3_256(bytes)));
    assert_eq!(digests, ["", "", "",]);
}
