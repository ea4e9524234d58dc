//! LWE and module-LWE encryption from seeds, and encapsulation by it.

use super::{
    Trouble, bytes, compare, compare_keys,
    encapsulation::{KemTest, encapsulate},
    read, refused,
};
use crate::plans::machine_backends;
use ntt::Request;
use ringwork::{
    module::Module,
    sample::Word,
    schemes::lwe::{Lwe, Multiplier, Parameters, Schoolbook},
};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Display;

#[derive(Debug, Deserialize)]
struct Sizes {
    n: usize,
    q: u64,
    p: u64,
    beta: u32,
    m: usize,
    /// Columns of A; without it as many as rows.
    d: Option<usize>,
    k: usize,
    l: usize,
}

#[derive(Debug, Deserialize)]
struct Test {
    #[serde(flatten)]
    sizes: Sizes,
    key_seed: String,
    public_key: String,
    secret_key: String,
    message: Vec<u64>,
    seed: String,
    ciphertext: String,
}

impl Sizes {
    /// Whether messages come back is for the file to show.
    fn parameters(&self) -> Result<Parameters, Trouble> {
        let &Self { n, q, p, beta, m, d, k, l } = self;
        let square = Parameters::measuring_only(n, q, p, beta, m, [k, l]);
        square.and_then(|square| square.with_columns(d.unwrap_or(m))).map_err(refused)
    }
}

pub(super) fn encryption(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let test: Test = read(test)?;
    let parameters = test.sizes.parameters()?;
    encrypt(&Lwe::<i64, Schoolbook>::by_schoolbook(parameters), &test, &"the schoolbook")?;
    let by_transforms = encrypt_in_words::<i16>(parameters, &test)?
        + encrypt_in_words::<i32>(parameters, &test)?
        + encrypt_in_words::<i64>(parameters, &test)?;
    Ok(1 + by_transforms)
}

fn encrypt_in_words<T: Word>(parameters: Parameters, test: &Test) -> Result<usize, Trouble> {
    let engines = by_transforms::<T>(parameters);
    engines.iter().try_for_each(|(lwe, who)| encrypt(lwe, test, who))?;
    Ok(engines.len())
}

/// On every backend that has a plan for these words.
fn by_transforms<T: Word>(parameters: Parameters) -> Vec<(Lwe<T, Module<T>>, String)> {
    if 2 * parameters.q() >= 1 << (T::BITS - 1) {
        return Vec::new();
    }
    let request = Request::new(parameters.n(), parameters.q()).sums(parameters.rank() as u64);
    let on = |backend| {
        let module = Module::with(&request.backend(backend)).ok()?;
        Some((Lwe::with_multiplier(parameters, module), format!("{backend}, {}-bit words", T::BITS)))
    };
    machine_backends().filter_map(on).collect()
}

fn encrypt<T: Word, M: Multiplier<T>>(lwe: &Lwe<T, M>, test: &Test, who: &dyn Display) -> Result<(), Trouble> {
    let message = lwe.message(&test.message).map_err(refused)?;
    let keys = lwe.keys(&bytes(&test.key_seed)?);
    compare_keys(lwe, &keys, [&test.public_key, &test.secret_key], who)?;
    let (secret, public) = keys;
    let ciphertext = lwe.encrypt_polynomials(&public, &message, &bytes(&test.seed)?);
    compare(&lwe.ciphertext_to_bytes(&ciphertext), &test.ciphertext, "ciphertext", who)?;
    if lwe.decrypt_polynomials(&secret, &ciphertext).words() != message.words() {
        return Err(Trouble::Mismatch { field: "message", who: who.to_string() });
    }
    Ok(())
}

pub(super) fn encapsulation(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
    let test: KemTest = read(test)?;
    let parameters = read::<Sizes>(parameters)?.parameters()?;
    encapsulate(Lwe::<i64, Schoolbook>::by_schoolbook(parameters), &test, &"the schoolbook")?;
    let by_transforms = encapsulate_in_words::<i16>(parameters, &test)?
        + encapsulate_in_words::<i32>(parameters, &test)?
        + encapsulate_in_words::<i64>(parameters, &test)?;
    Ok(1 + by_transforms)
}

fn encapsulate_in_words<T: Word>(parameters: Parameters, test: &KemTest) -> Result<usize, Trouble> {
    let engines = by_transforms::<T>(parameters);
    let count = engines.len();
    engines.into_iter().try_for_each(|(lwe, who)| encapsulate(lwe, test, &who))?;
    Ok(count)
}
