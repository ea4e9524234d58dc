//! Samplers, and secrets as strings of bits.

use crate::{
    memcheck::reveal,
    run::{Run, secret_bytes, secret_words},
};
use ringwork::{
    bits::Interval,
    ct::SecretBytes,
    sample::{self, Binomial, Gaussian, Ternary, Uniform, Word},
    xof::{ByteStream, ChaCha20, Shake256},
};

pub(crate) fn run(run: &mut Run<'_>) {
    let backend = run.backend;
    for eta in [2, 12, 16] {
        let order = Binomial::order(backend, 256, |i| i);
        run.case(&format!("binomial, eta {eta}"), || {
            let mut out = [0; 256];
            Binomial { eta }.sample(&order, &mut out, &secret_bytes::<1024>()[..]);
            reveal(&out)
        });
    }
    run.case("ternary of NTTRU", || {
        let mut out = [0; 256];
        Ternary { factor: 3 }.sample(backend, &mut out, &secret_bytes::<128>()[..]);
        reveal(&out)
    });
    // One, two and five terms; tables of 32 to 256 columns.
    for sigma in [0.5, 4.859, 11.0, 22.0, 215.0, 25000.0] {
        let gaussian = Gaussian::new(sigma).expect("a width of the sampler's");
        run.case(&format!("Gaussian, sigma {sigma}"), || {
            drawn::<i32>(|stream, out| gaussian.sample(backend, stream, out))
        });
        run.case(&format!("Gaussian, sigma {sigma}, 64 bits"), || {
            drawn::<i64>(|stream, out| gaussian.sample(backend, stream, out))
        });
    }
    for beta in [1, 2, 1000] {
        let uniform = Uniform::new(beta).expect("a bound of the sampler's");
        run.case(&format!("uniform, beta {beta}"), || drawn::<i16>(|stream, out| uniform.sample(stream, out)));
        run.case(&format!("uniform, beta {beta}, 64 bits"), || drawn::<i64>(|stream, out| uniform.sample(stream, out)));
    }
    run.case("binary", || drawn::<i16>(sample::binary));
    run.case("SHAKE-256 of a secret", || {
        let mut out = [0; 200];
        Shake256::new(&secret_bytes::<32>()[..]).read(&mut out);
        reveal(&out)
    });
    run.case("comparison of secrets", || {
        let [a, b] = [secret_bytes::<32>(), secret_bytes::<32>()].map(|bytes| SecretBytes::copied(&bytes));
        reveal(&[a == b])
    });
    words::<i16>(run);
    words::<i32>(run);
    words::<i64>(run);
}

fn words<T: Word>(run: &mut Run<'_>) {
    let backend = run.backend;
    run.case(&format!("noise added, {} bits", T::BITS), || {
        let (mut total, noise) = (secret_words::<T>(100, 0, 7680), secret_words::<T>(100, -5, 5));
        T::add_multiple(backend, &mut total, T::from_i64(3), &noise, T::from_i64(7681));
        reveal(&total)
    });
    for interval in [Interval::symmetric(1), Interval::symmetric(500)] {
        run.case(&format!("packing and unpacking of {interval:?}, {} bits", T::BITS), || {
            let mut bytes = Vec::new();
            interval.pack(&secret_words::<T>(333, -1, 1), &mut bytes);
            let mut back = vec![T::default(); 333];
            interval.unpack("a secret", &bytes, &mut back).is_ok() && reveal(&back)
        });
    }
}

/// What a sampler makes of the stream of a secret seed.
fn drawn<T: Word>(sample: impl FnOnce(&mut ChaCha20, &mut [T])) -> bool {
    let mut out = vec![T::default(); 100];
    sample(&mut ChaCha20::new(&secret_bytes(), [0; 8]), &mut out);
    reveal(&out)
}
