//! ML-KEM and ML-DSA against AWS-LC: 10,000 seeds for each set, or as many as `ROUNDS` says.

use aws_lc_rs::{
    encoding::{AsRawBytes, PqdsaPrivateKeyRaw},
    kem::{self, ML_KEM_512, ML_KEM_768, ML_KEM_1024},
    signature::{
        KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87, ML_DSA_87_SIGNING,
        PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm, UnparsedPublicKey,
    },
};
use ringwork::{
    schemes::{
        mldsa::{
            MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey,
            pkcs8::{EncodePrivateKey, EncodePublicKey},
        },
        mlkem::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed},
    },
    xof::{ByteStream, ChaCha20},
};

fn rounds() -> usize {
    std::env::var("ROUNDS").map_or(10_000, |rounds| rounds.parse().expect("ROUNDS is a number"))
}

fn encapsulation<P: ParameterSet>(algorithm: &'static kem::Algorithm) {
    let mut stream = ChaCha20::new(&[21; 32], (P::K as u64).to_le_bytes());
    for round in 0..rounds() {
        let (mut seed, mut m) = (Seed::default(), B32::default());
        stream.read(&mut seed);
        stream.read(&mut m);
        let ours = DecapsulationKey::<P>::from_seed(seed);
        let public = ours.encapsulation_key();
        let theirs = kem::DecapsulationKey::new(algorithm, &ours.to_expanded()).unwrap();
        let their_public = kem::EncapsulationKey::new(algorithm, public.as_bytes()).unwrap();
        assert_eq!(their_public.key_bytes().unwrap().as_ref(), public.as_bytes(), "{round}");

        let (ciphertext, shared) = their_public.encapsulate().unwrap();
        assert_eq!(ours.decapsulate_bytes(ciphertext.as_ref()).unwrap().as_bytes(), shared.as_ref(), "{round}");
        let (ciphertext, shared) = public.encapsulate_deterministic(&m);
        assert_eq!(theirs.decapsulate(ciphertext[..].into()).unwrap().as_ref(), &shared[..], "{round}");
        let mut changed = ciphertext.to_vec();
        changed[usize::from(m[0]) + 2 * usize::from(m[1])] ^= 1 << (m[2] & 7);
        let rejected = ours.decapsulate_bytes(&changed).unwrap();
        assert_eq!(theirs.decapsulate(changed[..].into()).unwrap().as_ref(), rejected.as_bytes(), "{round}");

        // Keys of theirs.
        if round < rounds().div_ceil(10) {
            let theirs = kem::DecapsulationKey::generate(algorithm).unwrap();
            let bytes = theirs.key_bytes().unwrap();
            let read = DecapsulationKey::<P>::from_expanded(bytes.as_ref()).unwrap();
            assert_eq!(&read.to_expanded()[..], bytes.as_ref(), "{round}");
            let public = theirs.encapsulation_key().unwrap().key_bytes().unwrap();
            assert_eq!(&EncapsulationKey::<P>::from_bytes(public.as_ref()).unwrap(), read.encapsulation_key());
        }
    }
}

#[test]
fn mlkem() {
    encapsulation::<MlKem512>(&ML_KEM_512);
    encapsulation::<MlKem768>(&ML_KEM_768);
    encapsulation::<MlKem1024>(&ML_KEM_1024);
}

fn signatures<P: MlDsaParams>(
    signing: &'static PqdsaSigningAlgorithm,
    verification: &'static PqdsaVerificationAlgorithm,
) {
    let mut stream = ChaCha20::new(&[22; 32], (P::PARAMETERS.k as u64).to_le_bytes());
    for round in 0..rounds() {
        let (mut seed, mut randomness, mut message) = ([0; 32], [0; 32], [0; 60]);
        [&mut seed[..], &mut randomness, &mut message].into_iter().for_each(|bytes| stream.read(bytes));
        let ours = SigningKey::<P>::from_seed(&seed);
        let public = ours.verifying_key();
        let theirs = PqdsaKeyPair::from_seed(signing, &seed).unwrap();
        assert_eq!(theirs.public_key().as_ref(), public.as_bytes(), "{round}");
        let raw: PqdsaPrivateKeyRaw<'_> = theirs.private_key().as_raw_bytes().unwrap();
        assert_eq!(raw.as_ref(), &ours.to_expanded()[..], "{round}");

        let mut signature = vec![0; P::PARAMETERS.signature_bytes()];
        theirs.sign(&message, &mut signature).unwrap();
        public.verify_bytes(&message, b"", &signature).unwrap();
        let verifier = UnparsedPublicKey::new(verification, public.as_bytes());
        let signature = ours.sign_mu(&public.mu(&message, b"").unwrap(), &randomness);
        verifier.verify(&message, signature.as_bytes()).unwrap();
        let mut changed = signature.as_bytes().to_vec();
        changed[usize::from(message[0]) + 8 * usize::from(message[1])] ^= 1 << (message[2] & 7);
        assert!(verifier.verify(&message, &changed).is_err(), "{round}");
        assert!(public.verify_bytes(&message, b"", &changed).is_err(), "{round}");

        // Documents.
        if round < rounds().div_ceil(100) {
            let read = PqdsaKeyPair::from_pkcs8(signing, ours.to_pkcs8_der().unwrap().as_bytes()).unwrap();
            assert_eq!(read.public_key().as_ref(), public.as_bytes(), "{round}");
            let document = public.to_public_key_der().unwrap();
            let verifier = UnparsedPublicKey::new(verification, document.as_bytes());
            verifier.verify(&message, signature.as_bytes()).unwrap();
        }
    }
}

#[test]
fn mldsa() {
    signatures::<MlDsa44>(&ML_DSA_44_SIGNING, &ML_DSA_44);
    signatures::<MlDsa65>(&ML_DSA_65_SIGNING, &ML_DSA_65);
    signatures::<MlDsa87>(&ML_DSA_87_SIGNING, &ML_DSA_87);
}
