//! The standards.

use crate::{
    memcheck::{conceal, reveal},
    run::{Run, secret_bytes},
};
use ringwork::{
    Backend,
    schemes::{
        mldsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey},
        mlkem::{B32, DecapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    xwing::{self, XWing},
};

pub(crate) fn run(run: &mut Run<'_>) {
    mlkem::<MlKem512>(run);
    mlkem::<MlKem768>(run);
    mlkem::<MlKem1024>(run);
    mldsa::<MlDsa44>(run);
    mldsa::<MlDsa65>(run);
    mldsa::<MlDsa87>(run);
    xwing(run);
    if run.backend == Backend::Scalar {
        arrays(run);
    }
}

/// On arrays of bytes, one word at a time.
fn arrays(run: &mut Run<'_>) {
    macro_rules! ml_kem {
        ($($set:ident $ek:literal $dk:literal $ciphertext:literal;)*) => {$(
            let name = concat!(stringify!($set), " on arrays");
            let (mut ek, mut dk, mut ciphertext) = (Box::new([0; $ek]), Box::new([0; $dk]), Box::new([0; $ciphertext]));
            run.case(&format!("{name}: keygen"), || {
                let (mut ek, mut dk) = (Box::new([0; $ek]), Box::new([0; $dk]));
                $set::keygen_into(&secret_bytes(), &mut ek, &mut dk);
                reveal(&ek[..]) && reveal(&dk[..])
            });
            $set::keygen_into(&[1; 64], &mut ek, &mut dk);
            conceal(&dk[..384 * $set::K]);
            conceal(&dk[$dk - 32..]);
            run.case(&format!("{name}: encapsulation"), || {
                let mut shared = Box::new([0; 32]);
                $set::encapsulate_into(&ek, &secret_bytes(), &mut ciphertext, &mut shared).expect("a key");
                reveal(&ciphertext[..]) && reveal(&shared[..])
            });
            for what in ["decapsulation", "decapsulation of what was changed"] {
                run.case(&format!("{name}: {what}"), || {
                    let mut shared = Box::new([0; 32]);
                    $set::decapsulate_into(&dk, &ciphertext, &mut shared).expect("a key");
                    reveal(&shared[..])
                });
                ciphertext[0] ^= 1;
            }
        )*};
    }
    ml_kem! {
        MlKem512 800 1632 768;
        MlKem768 1184 2400 1088;
        MlKem1024 1568 3168 1568;
    }
    macro_rules! ml_dsa {
        ($($set:ident $public:literal $secret:literal $signature:literal;)*) => {$(
            let name = concat!(stringify!($set), " on arrays");
            let (mut public, mut secret) = (Box::new([0; $public]), Box::new([0; $secret]));
            run.case(&format!("{name}: keygen"), || {
                let (mut public, mut secret) = (Box::new([0; $public]), Box::new([0; $secret]));
                $set::keygen_into(&secret_bytes(), &mut public, &mut secret);
                reveal(&public[..]) && reveal(&secret[..])
            });
            $set::keygen_into(&[1; 32], &mut public, &mut secret);
            conceal(&secret[32..64]);
            conceal(&secret[128..]);
            run.case(&format!("{name}: signature"), || {
                let mut signature = Box::new([0; $signature]);
                (0..4_u8).all(|message| {
                    let signed = $set::sign_mu_into(&secret, &[message; 64], &secret_bytes(), &mut signature);
                    signed.is_ok() && reveal(&signature[..])
                })
            });
        )*};
    }
    ml_dsa! {
        MlDsa44 1312 2560 2420;
        MlDsa65 1952 4032 3309;
        MlDsa87 2592 4896 4627;
    }
    let (mut public, mut ciphertext) = (Box::new([0; xwing::PUBLIC_KEY_BYTES]), Box::new([0; xwing::CIPHERTEXT_BYTES]));
    run.case("X-Wing on arrays: keygen", || {
        let mut public = Box::new([0; xwing::PUBLIC_KEY_BYTES]);
        XWing::keygen_into(&secret_bytes(), &mut public);
        reveal(&public[..])
    });
    XWing::keygen_into(&[1; 32], &mut public);
    run.case("X-Wing on arrays: encapsulation", || {
        let mut shared = Box::new([0; 32]);
        XWing::encapsulate_into(&public, &secret_bytes(), &mut ciphertext, &mut shared).expect("a key");
        reveal(&ciphertext[..]) && reveal(&shared[..])
    });
    run.case("X-Wing on arrays: keygen and decapsulation", || {
        let mut shared = Box::new([0; 32]);
        XWing::decapsulate_into(&secret_bytes(), &ciphertext, &mut shared);
        reveal(&shared[..])
    });
}

/// On the best backend alone: no other can be asked for.
fn xwing(run: &mut Run<'_>) {
    if run.backend != Backend::best() {
        return;
    }
    let known = xwing::DecapsulationKey::from_seed(&[1; 32]);
    let public = known.encapsulation_key().clone();
    let (ciphertext, _) = public.encapsulate_derand(&[2; 64]);
    run.case("X-Wing: keygen and decapsulation", || {
        let key = xwing::DecapsulationKey::from_seed(&secret_bytes());
        let shared = key.decapsulate_bytes(&ciphertext).expect("a ciphertext");
        reveal(&key.encapsulation_key().as_bytes()) && reveal(shared.as_bytes())
    });
    run.case("X-Wing: encapsulation", || {
        let (ciphertext, shared) = public.encapsulate_derand(&secret_bytes());
        reveal(&ciphertext) && reveal(shared.as_bytes())
    });
}

/// The seed ρ, which comes from the secret d, is public: the list of public answers knows where its
/// matrix is made.
fn mlkem<P: ParameterSet>(run: &mut Run<'_>) {
    let (name, backend) = (P::NAME, run.backend);
    let known = DecapsulationKey::<P>::with_backend(backend, &[1; 64]);
    let public = known.encapsulation_key().clone();
    let (ciphertext, _) = public.encapsulate_deterministic(&B32::from([2; 32]));
    let saved = known.to_expanded().to_vec();
    let of_s = 384 * P::K;
    conceal(&saved[..of_s]);
    conceal(&saved[saved.len() - 32..]);

    run.case(&format!("{name}: keygen"), || {
        let key = DecapsulationKey::<P>::with_backend(backend, &secret_bytes());
        reveal(key.encapsulation_key().as_bytes()) && reveal(&key.to_expanded())
    });
    run.case(&format!("{name}: encapsulation"), || {
        let m = B32::from(*secret_bytes::<32>());
        let (ciphertext, shared) = public.encapsulate_deterministic(&m);
        reveal(&ciphertext) && reveal(&shared)
    });
    let mut read = None;
    run.case(&format!("{name}: reading a secret key"), || {
        let key = DecapsulationKey::<P>::expanded_with_backend(backend, &saved).expect("what was written");
        reveal(&read.insert(key).to_expanded())
    });
    let Some(read) = read else { return };
    run.case(&format!("{name}: decapsulation"), || {
        reveal(read.decapsulate_bytes(&ciphertext).expect("a ciphertext").as_bytes())
    });
    run.case(&format!("{name}: decapsulation of what was changed"), || {
        let mut changed = ciphertext.to_vec();
        changed[0] ^= 1;
        reveal(read.decapsulate_bytes(&changed).expect("a ciphertext").as_bytes())
    });
}

/// That signatures are rejected, and challenges of rejected ones, are public: the list knows where.
fn mldsa<P: MlDsaParams>(run: &mut Run<'_>) {
    let (name, backend) = (P::PARAMETERS.name, run.backend);
    let known = SigningKey::<P>::with_backend(backend, &[1; 32]);
    let saved = known.to_expanded().to_vec();
    // ρ and tr are public.
    conceal(&saved[32..64]);
    conceal(&saved[128..]);

    run.case(&format!("{name}: keygen"), || {
        let key = SigningKey::<P>::with_backend(backend, &secret_bytes());
        reveal(key.verifying_key().as_bytes()) && reveal(&key.to_expanded())
    });
    let mut read = None;
    run.case(&format!("{name}: reading a secret key"), || {
        let key = ExpandedSigningKey::<P>::from_expanded_with_backend(backend, &saved).expect("what was written");
        reveal(&read.insert(key).to_expanded())
    });
    let Some(read) = read else { return };
    run.case(&format!("{name}: signature"), || {
        (0..4_u8).all(|message| reveal(read.sign_mu(&[message; 64], &secret_bytes()).as_bytes()))
    });
}
