//! What is measured. Inputs of both classes lie in memory of their own, so that none is nearer to the processor.

use super::{Class, Timing};
use ringwork::{
    object::Purpose,
    registry,
    schemes::{
        mldsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams},
        mlkem::{B32, DecapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
};
use std::hint::black_box;

pub(super) fn run(timing: &mut Timing) {
    known_bad(timing);
    mlkem::<MlKem512>(timing);
    mlkem::<MlKem768>(timing);
    mlkem::<MlKem1024>(timing);
    mldsa::<MlDsa44>(timing);
    mldsa::<MlDsa65>(timing);
    mldsa::<MlDsa87>(timing);
    registry::all(Purpose::Encapsulation).for_each(|scheme| by_name(timing, scheme.name));
}

/// 64 fixed bytes or the random ones.
fn choose(class: Class, random: &[u8; 64]) -> [u8; 64] {
    if class == Class::Fixed { [0xA5; 64] } else { *random }
}

/// What must be seen: a comparison that ends at the first difference.
fn known_bad(timing: &mut Timing) {
    let expected = black_box([0xA5_u8; 64]);
    let equal = |bytes: &[u8; 64]| (0..64).all(|i| black_box(bytes[i]) == expected[i]);
    timing.case("known bad: comparison of 64 bytes", choose, |bytes| equal(bytes));
}

fn mlkem<P: ParameterSet>(timing: &mut Timing) {
    let (name, backend) = (P::NAME, timing.backend);
    let key_of = |seed: &[u8; 64]| DecapsulationKey::<P>::with_backend(backend, seed);
    let known = key_of(&[1; 64]);
    let (ciphertext, _) = known.encapsulation_key().encapsulate_deterministic(&B32::from([2; 32]));
    timing.case(
        &format!("{name}: decapsulation, of random keys"),
        |class, random| key_of(&choose(class, random)),
        |key| key.decapsulate_bytes(&ciphertext),
    );
    timing.case(
        &format!("{name}: decapsulation, of what was changed"),
        |class, random| {
            let mut bytes = ciphertext.to_vec();
            if class == Class::Random {
                bytes.iter_mut().zip(random).for_each(|(byte, random)| *byte ^= random);
            }
            bytes
        },
        |bytes| known.decapsulate_bytes(bytes),
    );
    timing.case(
        &format!("{name}: encapsulation, of random messages"),
        |class, random| B32::try_from(&choose(class, random)[..32]).expect("32 bytes"),
        |message| known.encapsulation_key().encapsulate_deterministic(message),
    );
}

/// How often signatures are rejected depends on the message and on fresh bytes, which are random in both classes.
fn mldsa<P: MlDsaParams>(timing: &mut Timing) {
    timing.case(
        &format!("{}: signature, of random keys", P::PARAMETERS.name),
        |class, random| {
            let key = ExpandedSigningKey::<P>::from_seed(choose(class, random).first_chunk().expect("32 bytes"));
            let fresh: [u8; 32] = *random.last_chunk().expect("32 of 64");
            (key, *random, fresh)
        },
        |(key, message, fresh)| key.sign_mu(message, fresh),
    );
}

/// Encapsulations by their names: the key is read, and then used.
fn by_name(timing: &mut Timing, name: &str) {
    let scheme = registry::encapsulation(name).expect("a name of the registry");
    let mut rng = ringwork::ct::sys_rng();
    let (secret, public) = scheme.keygen(&mut rng);
    let mut fresh = || scheme.encapsulate(&public, &mut rng).expect("a key that was just made").0;
    let ciphertext = fresh();
    timing.case(
        &format!("{name}: decapsulation, of random ciphertexts"),
        |class, _| {
            if class == Class::Fixed {
                drop(fresh());
                ciphertext.clone()
            } else {
                fresh()
            }
        },
        |bytes| scheme.decapsulate(&secret, bytes),
    );
}
