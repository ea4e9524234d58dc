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
    assert_eq!(
        digests,
        [
            "82f101ff648063b376e2bb6c5b7455f655a50c2feadade150efa0e0e6f365aea",
            "c08e783966464e4b26fafa8fade1d46051575a28c7261418df44ca146d74b56f",
            "7498f1c4f341c57c6d79dc4d96e0e6064ebfcbb60153cb2b3fa99bbd03e901a3"
        ]
    );
}
