//! Private keys of the standards in PKCS #8, in each of their forms. Tags and lengths are public, and what an
//! expanded key has of the public key; every other byte is secret.

use crate::{
    memcheck::{conceal, reveal},
    run::Run,
};
use core::ops::Range;
use pkcs8::{
    AlgorithmIdentifierRef, DecodePrivateKey, EncodePrivateKey, ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Encode, Tag,
        asn1::{AnyRef, OctetStringRef},
    },
};
use ringwork::{
    Backend,
    schemes::{
        mldsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey},
        mlkem::{DecapsulationKey, KeyExport, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
};

/// On the best backend, which documents are read on.
pub(crate) fn run(run: &mut Run<'_>) {
    if run.backend == Backend::best() {
        mlkem::<MlKem512>(run);
        mlkem::<MlKem768>(run);
        mlkem::<MlKem1024>(run);
        mldsa::<MlDsa44>(run);
        mldsa::<MlDsa65>(run);
        mldsa::<MlDsa87>(run);
    }
}

fn mlkem<P: ParameterSet>(run: &mut Run<'_>) {
    let known = DecapsulationKey::<P>::from_seed([1; 64].into());
    let (seed, expanded) = (known.to_bytes(), known.to_expanded());
    let private = [0..384 * P::K, expanded.len() - 32..expanded.len()];
    let [of_seed, of_expanded, of_both] = documents(P::OID, &seed, &expanded, private);
    let read = |document: &[u8]| DecapsulationKey::<P>::from_pkcs8_der(document).expect("what was written");
    run.case(&format!("{}: reading a secret key as seed, and writing it", P::NAME), || {
        let key = read(&of_seed);
        let written = key.to_pkcs8_der().expect("a key that has a seed");
        reveal(written.as_bytes()) && reveal(&key.to_expanded())
    });
    run.case(&format!("{}: reading a secret key in expanded form", P::NAME), || {
        reveal(&read(&of_expanded).to_expanded())
    });
    run.case(&format!("{}: reading a secret key in both forms", P::NAME), || reveal(&read(&of_both).to_expanded()));
}

fn mldsa<P: MlDsaParams>(run: &mut Run<'_>) {
    let name = P::PARAMETERS.name;
    let known = SigningKey::<P>::from_seed(&[1; 32]);
    let expanded = known.to_expanded();
    // All but ρ and tr.
    let [of_seed, of_expanded, of_both] = documents(P::OID, known.as_seed(), &expanded, [32..64, 128..expanded.len()]);
    let read = |document: &[u8]| SigningKey::<P>::from_pkcs8_der(document).expect("what was written");
    run.case(&format!("{name}: reading a secret key as seed, and writing it"), || {
        let key = read(&of_seed);
        let written = key.to_pkcs8_der().expect("a key that has a seed");
        reveal(written.as_bytes()) && reveal(&key.to_expanded())
    });
    run.case(&format!("{name}: reading a secret key in expanded form"), || {
        let key = ExpandedSigningKey::<P>::from_pkcs8_der(&of_expanded).expect("what was written");
        reveal(&key.to_expanded())
    });
    run.case(&format!("{name}: reading a secret key in both forms"), || reveal(&read(&of_both).to_expanded()));
}

/// The documents of a key: as seed, expanded, and both. All of the seed is secret, and of the expanded form what
/// stands in those places.
fn documents(oid: ObjectIdentifier, seed: &[u8], expanded: &[u8], private: [Range<usize>; 2]) -> [Vec<u8>; 3] {
    let string = |bytes| OctetStringRef::new(bytes).and_then(|string| string.to_der()).expect("a short string");
    let [of_seed, of_expanded] = [seed, expanded].map(string);
    let pair = [&of_seed[..], &of_expanded].concat();
    let both = AnyRef::new(Tag::Sequence, &pair).and_then(|pair| pair.to_der()).expect("a short sequence");
    // The tag [0] in place of that of a string.
    let of_seed = [&[0x80], &of_seed[1..]].concat();
    let document = |form: &[u8]| {
        let (algorithm, form) = (AlgorithmIdentifierRef { oid, parameters: None }, OctetStringRef::new(form));
        PrivateKeyInfoRef::new(algorithm, form.expect("a short form")).to_der().expect("a short document")
    };
    let documents = [document(&of_seed), document(&of_expanded), document(&both)];
    // Whatever a document has stands at its end.
    conceal(last(&documents[0], seed.len()));
    for document in &documents[1..] {
        let expanded = last(document, expanded.len());
        private.iter().for_each(|place| conceal(&expanded[place.clone()]));
    }
    conceal(&last(&documents[2], of_expanded.len() + seed.len())[..seed.len()]);
    documents
}

/// The last bytes.
fn last(bytes: &[u8], count: usize) -> &[u8] {
    &bytes[bytes.len() - count..]
}
