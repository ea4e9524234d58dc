//! Residues modulo other primes, and division by a prime.

use super::{
    Channel, Rns, RnsError, RnsPoly,
    convert::{NEAR, add_to_all},
};
use crate::{
    exec::{Buffer, Operands, SCALING, each},
    network::Elementwise,
    threads::each_piece,
    word::Word,
};
use alloc::vec::Vec;

impl<T: Word> Rns<T> {
    /// Divides by the last prime and rounds to the nearest integer: the first `n` words for each other prime become the
    /// residues of `round(x/p_k)`, those of the last prime become zero. There are no ties, since primes are odd, and
    /// the result is the same for `x` in `[0, Q)` and for centred `x`. The output belongs to the ring
    /// [`without_last`](Self::without_last).
    ///
    /// This is the rescaling of products in Cheon, Han, Kim, Kim and Song, *A full RNS variant of approximate
    /// homomorphic encryption* (2018). BGV needs another operation, where the remainder must also be a multiple of the
    /// plaintext modulus.
    ///
    /// - **Order:** natural: coefficients, not slots. **Range:** in `(-p, p)`, or `[0, p)` in unsigned
    ///   words; out `[0, p)`.
    /// - **Constant time:** yes.
    /// - **Panics** if there is only one prime, or `a` does not have [`words`](Self::words) words.
    pub fn rescale(&self, a: &mut [T]) {
        self.check(a.len());
        let (last, others) = self.channels.split_last().expect("at least one prime");
        assert!(!others.is_empty(), "a ring modulo one prime is not rescaled");
        let n = self.n();
        let (a, remainder) = a.split_at_mut(n * others.len());
        each(last.backend(), &last.contract, Elementwise::Centre, Operands::of(&mut *remainder));
        let centred = &*remainder;
        each_piece(
            a,
            n,
            || (),
            |(), i, a| {
                others[i].subtract_and_scale(a, centred, &others[i].inverses[others.len()]);
            },
        );
        remainder.fill(T::default());
    }

    /// Copies the residues modulo the prime of a channel of another ring, canonical, and says whether this ring has that
    /// prime.
    fn has_residues_of(&self, channel: &Channel<T>, out: &mut [T], residues: &[T]) -> bool {
        let Some(i) = self.primes().position(|p| p == channel.prime()) else { return false };
        out.copy_from_slice(&residues[i * out.len()..][..out.len()]);
        each(channel.backend(), &channel.contract, Elementwise::CanonicalOfReduced, Operands::of(out));
        true
    }

    /// The conversion from these residues to those modulo the primes of another system.
    ///
    /// **Errors** if the degrees differ.
    pub fn extension_to(&self, to: &Self) -> Result<BaseExtension<T>, RnsError> {
        BaseExtension::new(self, to)
    }
}

/// A conversion of the number itself, from residues modulo some primes to residues modulo others.
///
/// [`run`](Self::run) and [`run_centred`](Self::run_centred) are exact: they compute mixed-radix digits (Garner), with
/// about `k·(k - 1)/2 + k·l` products per coefficient from `k` primes to `l`.
/// [`run_approximate`](Self::run_approximate) adds a small multiple of `Q`, with `k + k·l` products.
///
/// ```
/// use ringwork_ntt::{Request, Rns};
///
/// let from = Rns::<i32>::of_bits(&Request::new(64, 0), 60)?;
/// let to = Rns::<i32>::new(64, &[257, 7681])?;
/// let (mut a, mut b) = (vec![0; from.words()], vec![0; to.words()]);
/// from.decompose_i64(&mut a, &[1_000_000; 64]);
/// from.extension_to(&to)?.run(&mut b, &a);
/// assert_eq!((b[0], b[64]), (1_000_000 % 257, 1_000_000 % 7681));
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BaseExtension<T: Word> {
    from: Rns<T>,
    to: Rns<T>,
    /// For each prime of the output: the primes of the input as twiddles, and `⌊Q/2⌋`.
    weights: Vec<(Vec<[T; SCALING]>, T)>,
    summands: Summands<T>,
}

/// The factors of the approximate conversion, as twiddles.
#[derive(Clone, Debug)]
struct Summands<T: Word> {
    /// `(Q/p_i)^-1` modulo `p_i`.
    own: Vec<[T; SCALING]>,
    /// For each prime of the output, `Q/p_i` modulo it.
    weights: Vec<Vec<[T; SCALING]>>,
}

impl<T: Word> Summands<T> {
    fn new(from: &Rns<T>, to: &Rns<T>) -> Self {
        let rest = |i: usize, channel: &Channel<T>| {
            let p = channel.contract.modulus();
            let others = from.primes().enumerate().filter(|(j, _)| *j != i);
            others.fold(1, |product, (_, q)| p.mul(product, q % p.get()))
        };
        let own =
            |(i, channel): (usize, &Channel<T>)| channel.twiddle(channel.contract.modulus().inv(rest(i, channel)));
        let weights =
            |channel: &Channel<T>| (0..from.channels.len()).map(|i| channel.twiddle(rest(i, channel))).collect();
        Self {
            own: from.channels.iter().enumerate().map(own).collect(),
            weights: to.channels.iter().map(weights).collect(),
        }
    }
}

impl<T: Word> BaseExtension<T> {
    /// The conversion from the residues of one system to those of another.
    ///
    /// **Errors** if the degrees differ.
    pub fn new(from: &Rns<T>, to: &Rns<T>) -> Result<Self, RnsError> {
        if from.n() != to.n() {
            return Err(RnsError::Degrees { from: from.n(), to: to.n() });
        }
        let weights = |channel: &Channel<T>| {
            let twiddles = from.primes().map(|p| channel.twiddle(p % channel.prime())).collect();
            (twiddles, channel.residue(&from.half))
        };
        let (weights, summands) = (to.channels.iter().map(weights).collect(), Summands::new(from, to));
        Ok(Self { from: from.clone(), to: to.clone(), weights, summands })
    }

    /// The residues of the number in `[0, Q)` that has the residues `residues`.
    ///
    /// - **Order:** natural. **Range:** in `(-p, p)`, or `[0, p)` in unsigned words; out `[0, p)`.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have the length of a polynomial of its system.
    pub fn run(&self, out: &mut [T], residues: &[T]) {
        self.check(out.len(), residues.len());
        self.convert(out, residues, false);
    }

    /// The residues of the number in `[-Q/2, Q/2]` that has the residues `residues`.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as [`run`](Self::run).
    pub fn run_centred(&self, out: &mut [T], residues: &[T]) {
        self.check(out.len(), residues.len());
        self.convert(out, residues, true);
    }

    /// The residues of a number `x + u·Q`, where `x` in `[-Q/2, Q/2]` has the residues `residues` of `k` primes, and
    /// `|u| ≤ k/2`: of `x` itself if `k` is 1. It takes no more than the `k·l` products of a sum,
    /// `Σ [x·(Q/p_i)^-1 mod p_i]·Q/p_i`, with centred residues in the brackets; without these, `u` would be in `[0, k)`.
    ///
    /// Source: the fast base conversion of Bajard, Eynard, Hasan and Zucca, *A full RNS variant of FV like somewhat
    /// homomorphic encryption schemes* (2016), section 2.2. Halevi, Polyakov and Shoup, *An improved RNS variant of the
    /// BFV homomorphic encryption scheme* (2019), find `u` in floating point; [`run_centred`](Self::run_centred) is
    /// exact without that.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as [`run`](Self::run).
    pub fn run_approximate(&self, out: &mut [T], residues: &[T]) {
        self.check(out.len(), residues.len());
        self.approximate(out, residues);
    }

    /// [`run`](Self::run), or [`run_centred`](Self::run_centred), for any number of polynomials.
    ///
    /// **Panics** if they belong to another ring.
    #[must_use]
    pub fn poly(&self, a: &RnsPoly<T>, centred: bool) -> RnsPoly<T> {
        self.all(a, |out, residues| self.convert(out, residues, centred))
    }

    /// [`run_approximate`](Self::run_approximate) for any number of polynomials.
    ///
    /// **Panics** if they belong to another ring.
    #[must_use]
    pub fn poly_approximate(&self, a: &RnsPoly<T>) -> RnsPoly<T> {
        self.all(a, |out, residues| self.approximate(out, residues))
    }

    fn all(&self, a: &RnsPoly<T>, run: impl FnOnce(&mut [T], &[T])) -> RnsPoly<T> {
        self.from.own(a);
        let mut out = self.to.zeros(a.len());
        if !a.is_empty() {
            run(out.words.words_mut(), a.words.words());
        }
        out
    }

    fn check(&self, out: usize, residues: usize) {
        self.from.check(residues);
        self.to.check(out);
    }

    /// The sum of [`run_approximate`](Self::run_approximate), for as many coefficients as there are.
    pub(super) fn approximate(&self, out: &mut [T], residues: &[T]) {
        let Self { from, to, summands, .. } = self;
        let length = residues.len() / from.channels.len();
        let mut parts = Buffer::copy_of(residues);
        each_piece(
            parts.words_mut(),
            length,
            || (),
            |(), i, part| {
                let channel = &from.channels[i];
                let (backend, contract, scaling) = (channel.backend(), &channel.contract, &summands.own[i]);
                each(backend, contract, Elementwise::Scale, Operands { scaling, ..Operands::of(&mut *part) });
                each(backend, contract, Elementwise::Centre, Operands::of(part));
            },
        );
        let parts = parts.words();
        each_piece(
            out,
            length,
            || Buffer::zeros(NEAR),
            |near, i, out| {
                let (channel, weights) = (&to.channels[i], &summands.weights[i]);
                if from.has_residues_of(channel, out, residues) {
                    return;
                }
                for (at, sum) in out.chunks_mut(NEAR).enumerate() {
                    sum.fill(T::default());
                    let term = &mut near.words_mut()[..sum.len()];
                    for (part, scaling) in parts.chunks_exact(length).zip(weights) {
                        term.copy_from_slice(&part[at * NEAR..][..sum.len()]);
                        let operands = Operands { scaling, ..Operands::new([&mut *term], [&*sum]) };
                        each(channel.backend(), &channel.contract, Elementwise::ScaleAndAddSmall, operands);
                        sum.copy_from_slice(term);
                    }
                }
            },
        );
    }

    /// The mixed-radix conversion, for as many coefficients as there are.
    pub(super) fn convert(&self, out: &mut [T], residues: &[T], centred: bool) {
        let Self { from, to, weights, .. } = self;
        let count = from.channels.len();
        let length = residues.len() / count;
        let mut digits = Buffer::zeros(length * count);
        each_piece(
            digits.words_mut(),
            NEAR * count,
            || (),
            |(), i, digits| {
                let start = i * NEAR;
                from.digits(digits, residues, start..start + digits.len() / count, centred);
            },
        );
        let digits = digits.words();
        each_piece(
            out,
            length,
            || (),
            |(), i, out| {
                let (channel, (weights, half)) = (&to.channels[i], &weights[i]);
                let (backend, contract) = (channel.backend(), &channel.contract);
                if from.has_residues_of(channel, out, residues) {
                    return;
                }
                // Digits are below primes, as a rule of the same size.
                let small = from.primes().all(|p| p / 2 < channel.prime());
                let add = if small { Elementwise::ScaleAndAddSmall } else { Elementwise::ScaleAndAdd };
                for (x, digits) in out.chunks_mut(NEAR).zip(digits.chunks(NEAR * count)) {
                    let mut rest = digits.chunks_exact(x.len()).zip(weights).rev();
                    let (highest, _) = rest.next().expect("at least one prime");
                    x.copy_from_slice(highest);
                    if count == 1 && !(small && centred) {
                        each(backend, contract, Elementwise::Canonical, Operands::of(&mut *x));
                    }
                    for (digit, scaling) in rest {
                        let operands = Operands { scaling, ..Operands::new([&mut *x], [digit]) };
                        each(backend, contract, add, operands);
                    }
                    if centred {
                        add_to_all(channel, x, *half, Elementwise::Add { negative: true });
                    }
                }
            },
        );
    }
}
