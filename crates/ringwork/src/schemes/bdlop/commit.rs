//! Keys, commitments, openings.

use super::{Error, Parameters};
use crate::{
    ct::{all_within, fresh_seed, scrubbed},
    decode::{DecodeError, refusal},
    module::{Module, NttVector, Vector, squared_norm},
    sample::{self, ternary},
    xof::{ByteStream, ChaCha20, Shake128},
};
use ntt::{Backend, PlanError, Request};
use rand_core::CryptoRng;
use sample::Word;
use zeroize::Zeroizing;

/// Bytes of a seed.
pub(super) const SEED_BYTES: usize = 32;

/// The public key for commitments, derived from a public seed.
#[derive(Clone, Debug)]
pub struct CommitmentKey<T: Word> {
    pub(super) parameters: Parameters,
    pub(super) seed: [u8; SEED_BYTES],
    pub(super) module: Module<T>,
    /// `A1'`, `d` rows of `k - d`.
    a1: NttVector<T>,
    /// `A2'`, `l` rows of `k - d - l`.
    a2: NttVector<T>,
    uniform: sample::Uniform,
    /// The sampler of masks; `None` for parameters that prove nothing.
    pub(super) masks: Option<sample::Gaussian>,
    /// The backend that samples masks.
    pub(super) backend: Backend,
}

/// A commitment `(c1, c2)`, canonical.
#[derive(Clone, Debug)]
pub struct Commitment<T: Word> {
    pub(super) c1: Vector<T>,
    pub(super) c2: Vector<T>,
}

/// The opening of a commitment: message, randomness, factor. Wiped on drop.
#[derive(Clone, Debug)]
pub struct Opening<T: Word> {
    pub(super) message: Vector<T>,
    pub(super) randomness: Vector<T>,
    /// One polynomial.
    pub(super) factor: Vector<T>,
}

impl<T: Word> PartialEq for Commitment<T> {
    fn eq(&self, other: &Self) -> bool {
        self.c1.words() == other.c1.words() && self.c2.words() == other.c2.words()
    }
}

impl<T: Word> Opening<T> {
    /// An opening from its parts, as the extraction of a proof may give it: message in `[0, q)`,
    /// randomness centred. Nothing is checked here; [`CommitmentKey::open`] refuses values out of
    /// range.
    pub const fn new(message: Vector<T>, randomness: Vector<T>, factor: Vector<T>) -> Self {
        Self { message, randomness, factor }
    }

    /// The message.
    pub const fn message(&self) -> &Vector<T> {
        &self.message
    }

    /// The randomness.
    pub const fn randomness(&self) -> &Vector<T> {
        &self.randomness
    }

    /// The factor, 1 for honest openings.
    pub const fn factor(&self) -> &Vector<T> {
        &self.factor
    }
}

impl<T: Word> Commitment<T> {
    /// `c1` and `c2`.
    pub const fn parts(&self) -> [&Vector<T>; 2] {
        [&self.c1, &self.c2]
    }
}

impl<T: Word> CommitmentKey<T> {
    /// Derives the key from a seed that is public and that nobody chose: take it from a hash or a
    /// beacon.
    ///
    /// Entry `(i, j)` of `A1'` and of `A2'` is sampled by rejection from SHAKE-128 of
    /// `"ringwork bdlop"`, the parameters (`n`, `q`, `k`, `d`, `l`, `β`, `κ`, 8 little-endian bytes
    /// each), the seed, 1 for `A1'` and 2 for `A2'`, `i` and `j`, counted from 0, one byte each.
    ///
    /// **Errors** if words `T` have no plan for the ring.
    pub fn new(parameters: Parameters, seed: &[u8; SEED_BYTES]) -> Result<Self, Error> {
        Self::with_request(parameters, seed, &Request::new(parameters.n, parameters.q), Backend::best())
    }

    /// [`new`](Self::new) on the given backend.
    ///
    /// **Errors** if words `T` have no plan for the ring on it.
    pub fn with_backend(parameters: Parameters, seed: &[u8; SEED_BYTES], backend: Backend) -> Result<Self, Error> {
        Self::with_request(parameters, seed, &Request::new(parameters.n, parameters.q).backend(backend), backend)
    }

    fn with_request(
        parameters: Parameters,
        seed: &[u8; SEED_BYTES],
        request: &Request,
        backend: Backend,
    ) -> Result<Self, Error> {
        let Parameters { n, q, k, d, l, beta, .. } = parameters;
        let module = Module::with(&request.sums(k as u64)).map_err(|e: PlanError| Error::Parameters(e.to_string()))?;
        let matrix = |number: u8, rows: usize, columns: usize| {
            let mut entries = Vector::zeros(n, rows * columns);
            for (index, entry) in entries.words_mut().chunks_exact_mut(n).enumerate() {
                let mut input = b"ringwork bdlop".to_vec();
                input.extend(parameters.bytes());
                input.extend(seed);
                #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
                input.extend([number, (index / columns) as u8, (index % columns) as u8]);
                sample::uniform_mod_vartime(q, &mut Shake128::new(&input), entry);
            }
            module.forward(&entries)
        };
        let uniform = sample::Uniform::new(beta).map_err(|e| Error::Parameters(e.to_string()))?;
        let masks = parameters.proves().then(|| sample::Gaussian::new(parameters.sigma()));
        let masks = masks.transpose().map_err(|e| Error::Parameters(e.to_string()))?;
        let (a1, a2) = (matrix(1, d, k - d), matrix(2, l, k - d - l));
        Ok(Self { parameters, seed: *seed, module, a1, a2, uniform, masks, backend })
    }

    /// The parameters.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The seed.
    pub const fn seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    /// Operations on vectors over the ring.
    pub const fn module(&self) -> &Module<T> {
        &self.module
    }

    /// A message of `l` polynomials from residues in `[0, q)`, padded with zeros.
    ///
    /// **Errors** if there are too many residues, or one is not canonical.
    pub fn message(&self, values: &[u64]) -> Result<Vector<T>, Error> {
        let Parameters { n, q, l, .. } = self.parameters;
        if values.len() > n * l {
            let why = format!("a message has {} coefficients at most, this has {}", n * l, values.len());
            return Err(Error::Parameters(why));
        }
        if let Some(index) = values.iter().position(|value| *value >= q) {
            return Err(Error::Parameters(format!("coefficient {index} of the message is not below q = {q}")));
        }
        Ok(Vector::filled(n, l, |words| {
            for (word, value) in words.iter_mut().zip(values) {
                *word = T::from_i64(*value as i64);
            }
        }))
    }

    /// Commits to a message in `[0, q)`; the opening has the factor 1.
    ///
    /// **Constant time:** yes. **Errors** if the message does not have `l` polynomials in `[0, q)`.
    pub fn commit<R: CryptoRng>(&self, message: Vector<T>, rng: &mut R) -> Result<(Commitment<T>, Opening<T>), Error> {
        self.commit_derand(message, &fresh_seed(rng))
    }

    /// [`commit`](Self::commit) with randomness derived from a secret seed and the message: all `k`
    /// polynomials as one string of [`Uniform`](sample::Uniform), from [`ChaCha20::of_use`]; its
    /// label is `"ringwork bdlop randomness"`, the parameters, the seed of the key, and the packed
    /// message.
    ///
    /// So a generator that repeats itself does not reveal the difference of two messages. Whoever
    /// knows the seed can test guesses of the message.
    pub fn commit_derand(
        &self,
        message: Vector<T>,
        seed: &[u8; SEED_BYTES],
    ) -> Result<(Commitment<T>, Opening<T>), Error> {
        scrubbed(|| self.commit_seeded(message, seed))
    }

    fn commit_seeded(&self, message: Vector<T>, seed: &[u8; SEED_BYTES]) -> Result<(Commitment<T>, Opening<T>), Error> {
        let Parameters { n, k, l, .. } = self.parameters;
        self.message_of(l, &message)?;
        let mut label = Zeroizing::new(Vec::with_capacity(256 + self.module.packed_bytes(l)));
        label.extend_from_slice(b"ringwork bdlop randomness");
        label.extend(self.parameters.bytes());
        label.extend_from_slice(&self.seed);
        self.module.pack(&message, &mut label);
        let mut stream = ChaCha20::of_use(&label, seed);
        let randomness = Vector::filled(n, k, |words| self.short(&mut stream, words));
        let factor = Vector::filled(n, 1, |words| words[0] = T::from_i64(1));
        let commitment = self.commit_with(&message, &randomness)?;
        Ok((commitment, Opening { message, randomness, factor }))
    }

    /// `(A1·r, A2·r + m)`.
    ///
    /// **Constant time:** yes. **Errors** if the message or the randomness has another shape, the
    /// message is not in `[0, q)`, or the randomness is longer than in any valid opening.
    pub fn commit_with(&self, message: &Vector<T>, randomness: &Vector<T>) -> Result<Commitment<T>, Error> {
        let Parameters { k, l, .. } = self.parameters;
        self.message_of(l, message)?;
        self.shape("randomness", k, randomness)?;
        self.check_norms(randomness, 4)?;
        let (c1, mut c2) = self.images(randomness);
        self.module.add(&mut c2, message);
        Ok(Commitment { c1, c2 })
    }

    /// Checks that this opens the commitment.
    ///
    /// **Errors** say what is wrong. Variable time: a published opening is public.
    pub fn open(&self, commitment: &Commitment<T>, opening: &Opening<T>) -> Result<(), Error> {
        self.check_commitment(commitment)?;
        self.check_sizes(opening)?;
        let (a1_r, mut a2_r) = self.images(&opening.randomness);
        let factor = self.module.forward(&opening.factor);
        let scaled = |v: &Vector<T>| self.module.product(&self.module.forward(v), factor.words());
        self.module.add(&mut a2_r, &scaled(&opening.message));
        if scaled(&commitment.c1).words() != a1_r.words() {
            return Err(Error::Equation("the equation f·c1 = A1·r"));
        }
        if scaled(&commitment.c2).words() != a2_r.words() {
            return Err(Error::Equation("the equation f·c2 = A2·r + f·m"));
        }
        Ok(())
    }

    /// Checks the shape and range of a commitment, which may come from another key.
    pub(super) fn check_commitment(&self, commitment: &Commitment<T>) -> Result<(), Error> {
        let Parameters { d, l, .. } = self.parameters;
        self.canonical("a commitment's first part", d, &commitment.c1)?;
        self.canonical("a commitment's second part", l, &commitment.c2)
    }

    /// Checks the shapes, ranges, norms and factor of an opening.
    pub(super) fn check_sizes(&self, opening: &Opening<T>) -> Result<(), Error> {
        let Parameters { k, l, .. } = self.parameters;
        self.message_of(l, &opening.message)?;
        self.shape("randomness", k, &opening.randomness)?;
        self.shape("a factor", 1, &opening.factor)?;
        if !self.is_factor(opening.factor.words()) {
            return Err(Error::Factor);
        }
        self.check_norms(&opening.randomness, 4)
    }

    /// `(A1·r, A2·r)`, canonical.
    pub(super) fn images(&self, r: &Vector<T>) -> (Vector<T>, Vector<T>) {
        let Parameters { k, d, l, .. } = self.parameters;
        let tail = self.module.forward(&r.part(d..k));
        let mut c2 = self.module.product(&self.a2, tail.polynomials(l..k - d, &self.module));
        self.module.add(&mut c2, &r.part(d..d + l));
        (self.first_image_of(r, &tail), c2)
    }

    /// `A1·r`, canonical.
    pub(super) fn first_image(&self, r: &Vector<T>) -> Vector<T> {
        let Parameters { k, d, .. } = self.parameters;
        self.first_image_of(r, &self.module.forward(&r.part(d..k)))
    }

    fn first_image_of(&self, r: &Vector<T>, tail: &NttVector<T>) -> Vector<T> {
        let mut c1 = self.module.product(&self.a1, tail.words());
        self.module.add(&mut c1, &r.part(0..self.parameters.d));
        c1
    }

    /// Refuses a vector of another length or degree.
    pub(super) fn shape(&self, what: &'static str, expected: usize, vector: &Vector<T>) -> Result<(), Error> {
        let n = self.parameters.n;
        if vector.n() != n {
            return Err(Error::Parameters(format!("{what} must have polynomials of degree {n}, not {}", vector.n())));
        }
        let actual = vector.length();
        if actual == expected { Ok(()) } else { Err(Error::Shape { what, expected, actual }) }
    }

    /// Refuses a public vector of another shape, or with a coefficient outside `[0, q)`.
    pub(super) fn canonical(&self, what: &'static str, expected: usize, vector: &Vector<T>) -> Result<(), Error> {
        self.shape(what, expected, vector)?;
        if self.are_residues(vector) {
            return Ok(());
        }
        let numbers = vector.words().iter().map(|&x| {
            let x: i64 = x.into();
            x as u64
        });
        Err(refusal(what, numbers, self.parameters.q).into())
    }

    /// The same for a message, without saying where the bad coefficient is.
    fn message_of(&self, l: usize, message: &Vector<T>) -> Result<(), Error> {
        const WHAT: &str = "a message";
        self.shape(WHAT, l, message)?;
        if self.are_residues(message) { Ok(()) } else { Err(DecodeError::Secret(WHAT).into()) }
    }

    fn are_residues(&self, vector: &Vector<T>) -> bool {
        all_within(vector.words(), 0, self.parameters.q as i64 - 1)
    }

    /// Refuses polynomials longer than `factor·σ√n`: first by their coefficients, so that no square
    /// overflows and no transform gets more than `q`. If the coefficients are so small that no sum
    /// can be too large, no norm is computed.
    pub(super) fn check_norms(&self, r: &Vector<T>, factor: i128) -> Result<(), Error> {
        let (Parameters { n, q, .. }, bound) = (self.parameters, self.parameters.squared_bound(factor));
        let largest = self.parameters.largest_coefficient(factor).min(q - 1);
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let harmless = (bound / n as i128).isqrt() as u64;
        if !beyond(r.words(), harmless.min(largest)) {
            return Ok(());
        }
        let too_long = |polynomial: &[T]| beyond(polynomial, largest) || squared_norm(polynomial) > bound;
        match r.polynomials().position(too_long) {
            Some(index) => Err(Error::Norm { index }),
            None => Ok(()),
        }
    }

    /// Whether a polynomial is 1 or a non-zero difference of two challenges.
    ///
    /// A coefficient of such a difference is at most 2 in absolute value. Where it is ±2, both
    /// challenges are non-zero; where it is ±1, exactly one of them is. So the ±1 are shared evenly
    /// between the two, and the rest of the `κ` are where both are equal.
    fn is_factor(&self, f: &[T]) -> bool {
        let mut count = [0_usize; 3];
        for &x in f {
            let x: i64 = x.into();
            match x.unsigned_abs() {
                size @ 0..=2 => count[size as usize] += 1,
                _ => return false,
            }
        }
        let [zeros, ones, twos] = count;
        let first: i64 = f[0].into();
        if ones == 1 && twos == 0 && first == 1 {
            return true;
        }
        let not_equal = twos + (ones >> 1);
        let kappa = self.parameters.kappa;
        ones + twos > 0 && ones & 1 == 0 && not_equal <= kappa && kappa - not_equal <= zeros
    }

    /// Coefficients in `[-beta, beta]`.
    fn short(&self, stream: &mut impl ByteStream, words: &mut [T]) {
        if self.parameters.beta == 1 { ternary(stream, words) } else { self.uniform.sample(stream, words) }
    }
}

/// Whether a coefficient exceeds `largest` in absolute value.
pub(super) fn beyond<T: Word>(polynomial: &[T], largest: u64) -> bool {
    !all_within(polynomial, -(largest as i64), largest as i64)
}

impl Parameters {
    /// The parameters as hash input: `n`, `q`, `k`, `d`, `l`, `beta`, `kappa`, 8 little-endian
    /// bytes each.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        let sizes = [self.k, self.d, self.l, self.beta as usize, self.kappa];
        let numbers = [self.n as u64, self.q].into_iter().chain(sizes.map(|x| x as u64));
        numbers.flat_map(u64::to_le_bytes)
    }
}
