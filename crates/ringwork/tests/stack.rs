//! Threads with little stack. Plans are made first, as the documentation asks.

use ringwork::{
    Backend,
    schemes::{
        mldsa::{self, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signed, SigningKey, VerifyingKey},
        mlkem::{self, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    xwing,
};
use std::thread::Builder;

const BYTES: usize = 64 << 10;

/// What overflows its stack there ends this process.
fn apart(work: impl FnOnce() + Send + 'static) {
    Builder::new().stack_size(BYTES).spawn(work).unwrap().join().unwrap();
}

fn encapsulations<P: ParameterSet + Send + 'static>(backend: Backend) {
    drop(DecapsulationKey::<P>::with_backend(backend, &[1; 64]));
    drop(DecapsulationKey::<P>::of_seed(&[1; 64]));
    apart(move || {
        let key = DecapsulationKey::<P>::with_backend(backend, &[1; 64]);
        let expanded = key.to_expanded();
        assert!(DecapsulationKey::<P>::expanded_with_backend(backend, &expanded).unwrap() == key);
        let public = EncapsulationKey::<P>::with_backend(backend, key.encapsulation_key().as_bytes()).unwrap();
        let (ciphertext, sent) = public.encapsulate_derand(&[2; 32]);
        assert!(key.decapsulate_bytes(&ciphertext).unwrap() == sent);
        assert!(key.decapsulate_bytes(&vec![3; ciphertext.len()]).unwrap() != sent);

        let keys = mlkem::keygen_many::<P>(&[[4; 64]; 5]);
        let publics: Vec<_> = keys.iter().map(DecapsulationKey::encapsulation_key).collect();
        let sent = mlkem::encapsulate_many_deterministic(&publics, &[[5; 32].into(); 5]);
        let arrived: Vec<_> = keys.iter().zip(&sent).map(|(key, (ciphertext, _))| (key, &ciphertext[..])).collect();
        for ((_, sent), received) in sent.iter().zip(mlkem::decapsulate_many(&arrived)) {
            assert!(received.unwrap()[..] == sent[..]);
        }
    });
}

fn signatures<P: MlDsaParams>(backend: Backend) {
    drop(SigningKey::<P>::with_backend(backend, &[1; 32]));
    drop(SigningKey::<P>::from_seed(&[1; 32]));
    apart(move || {
        let key = SigningKey::<P>::with_backend(backend, &[1; 32]);
        let expanded = key.to_expanded();
        assert!(ExpandedSigningKey::<P>::from_expanded_with_backend(backend, &expanded).unwrap() == *key);
        let signature = key.sign_deterministic(b"a message", b"a context").unwrap();
        let public = VerifyingKey::<P>::with_backend(backend, key.verifying_key().as_bytes()).unwrap();
        assert!(public.verify_with_context(b"a message", b"a context", &signature));
        assert!(!public.verify_with_context(b"another", b"a context", &signature));

        let keys = mldsa::keygen_many::<P>(&[[4; 32]; 5]);
        let publics: Vec<_> = keys.iter().map(|key| key.verifying_key()).collect();
        let signed: Vec<_> = keys.iter().map(|key| key.sign_deterministic(b"a message", b"").unwrap()).collect();
        let claims = publics.iter().zip(&signed);
        let claims = claims.map(|(key, signature)| Signed {
            key,
            message: b"a message",
            context: b"",
            signature: signature.as_bytes(),
        });
        assert!(mldsa::verify_many(&claims.collect::<Vec<_>>()).iter().all(Result::is_ok));
    });
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly there are no threads")]
fn key_encapsulation_needs_little_stack() {
    for backend in Backend::available() {
        encapsulations::<MlKem512>(backend);
        encapsulations::<MlKem768>(backend);
        encapsulations::<MlKem1024>(backend);
    }
    apart(|| {
        let key = xwing::DecapsulationKey::from_seed(&[1; 32]);
        let (ciphertext, sent) = key.encapsulation_key().encapsulate_derand(&[2; 64]);
        assert!(key.decapsulate_bytes(&ciphertext).unwrap() == sent);
    });
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly there are no threads")]
fn signatures_need_little_stack() {
    for backend in Backend::available() {
        signatures::<MlDsa44>(backend);
        signatures::<MlDsa65>(backend);
        signatures::<MlDsa87>(backend);
    }
}

/// The largest sets on arrays of bytes, which are on the stack as well.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly there are no threads")]
fn arrays_need_little_stack() {
    apart(|| {
        let (mut ek, mut dk, mut ciphertext) = ([0; 1568], [0; 3168], [0; 1568]);
        let (mut sent, mut received) = ([0; 32], [0; 32]);
        MlKem1024::keygen_into(&[1; 64], &mut ek, &mut dk);
        MlKem1024::encapsulate_into(&ek, &[2; 32], &mut ciphertext, &mut sent).unwrap();
        MlKem1024::decapsulate_into(&dk, &ciphertext, &mut received).unwrap();
        assert_eq!(sent, received);
    });
    apart(|| {
        let (mut public, mut secret, mut signature) = ([0; 2592], [0; 4896], [0; 4627]);
        MlDsa87::keygen_into(&[1; 32], &mut public, &mut secret);
        MlDsa87::sign_into(&secret, b"a message", b"", &[2; 32], &mut signature).unwrap();
        MlDsa87::verify_arrays(&public, b"a message", b"", &signature).unwrap();
    });
}
