//! Transforms in every order and layout, for `bench`: what a documented order costs beside the native one, and
//! polynomials side by side beside those one after the other.

use crate::{jobs::Aligned, measure::Job};
use ntt::{Backend, Batch, Linear, Plan, PlanError, Request, SlotOrder, Word};
use std::{hint::black_box, rc::Rc};

/// A ring in words of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    log: u32,
    q: u64,
    bits: u32,
    count: usize,
    backend: Backend,
}

/// Moduli, with the word that holds them: NewHope's, BabyBear's, one of 50 bits for homomorphic encryption, and
/// Goldilocks.
const MODULI: [(u64, u32); 4] =
    [(12289, 16), (2_013_265_921, 32), (1_125_899_846_025_217, 64), (0xFFFF_FFFF_0000_0001, 64)];
/// Degrees, as powers of two.
const DEGREES: [u32; 6] = [8, 10, 12, 14, 16, 20];
/// Numbers of polynomials.
const COLUMNS: [usize; 4] = [1, 8, 16, 64];
const LAYOUTS: [&str; 2] = ["interleaved", "one-after-another"];
/// Words of a matrix at most.
const LARGEST: usize = 1 << 24;

impl Shape {
    /// Those that a backend has, each alone and as columns.
    pub(crate) fn all(backend: Backend) -> impl Iterator<Item = Self> {
        let shapes = MODULI.into_iter().flat_map(move |(q, bits)| {
            DEGREES.into_iter().flat_map(move |log| COLUMNS.map(|count| Self { log, q, bits, count, backend }))
        });
        shapes.filter(|shape| (shape.q - 1).is_multiple_of(1 << shape.log) && shape.count << shape.log <= LARGEST)
    }

    /// `layout/n/q/backend`, and the number of columns.
    pub(crate) fn title(self) -> String {
        let columns = if self.count == 1 { String::new() } else { format!("/{}", self.count) };
        format!("layout/{}/{}/{}{columns}", 1 << self.log, self.q, self.backend)
    }

    /// The names of its rows.
    pub(crate) fn names(self) -> Vec<String> {
        let ways: &[&str] = if self.count == 1 { &["forward", "inverse"] } else { &LAYOUTS };
        let name = |way: &&str| SlotOrder::ALL.map(|order| format!("{}/{way}/{order}", self.title()));
        ways.iter().flat_map(name).collect()
    }

    /// The job of that name.
    ///
    /// **Errors** if there is no plan.
    pub(crate) fn job(self, name: &str) -> Result<Option<Job<'static>>, PlanError> {
        match self.bits {
            16 => self.of::<u16>(name),
            32 => self.of::<u32>(name),
            _ => self.of::<u64>(name),
        }
    }

    fn of<T: Word>(self, name: &str) -> Result<Option<Job<'static>>, PlanError> {
        let rest = name.strip_prefix(&format!("{}/", self.title())).and_then(|rest| rest.split_once('/'));
        let Some((way, order)) = rest else { return Ok(None) };
        let Some(order) = SlotOrder::ALL.into_iter().find(|known| known.name() == order) else { return Ok(None) };
        let request = Request::new(1 << self.log, self.q).cyclic().backend(self.backend).depth(self.log);
        let plan = Rc::new(Plan::<T>::with(&request.slot_order(order))?);
        let (count, inverse) = (self.count, way == "inverse");
        let word = |i: u64| T::from_i64((i * 7919 % self.q.min(1 << 30)) as i64);
        let mut words = Aligned::new((0..(count << self.log) as u64).map(word).collect());
        let batch = if way == LAYOUTS[0] { Batch::new(count).interleaved() } else { Batch::new(count) };
        Ok(Some(Job::new(name, move || {
            let words = black_box(words.words_mut());
            match (count, inverse) {
                (1, false) => plan.forward(words),
                (1, true) => plan.inverse(words),
                _ => plan.forward_batch(words, batch),
            }
        })))
    }
}

/// Linear products, and those of a cyclic ring of the next power of two, with operands that the caller fills up.
pub(crate) const LINEAR: [&str; 2] =
    ["linear/1000-by-700/1000000000/linear", "linear/1000-by-700/1000000000/cyclic-2048"];

/// The job of that name.
///
/// **Errors** if there is no plan.
pub(crate) fn linear(name: &str) -> Result<Job<'static>, PlanError> {
    const Q: u64 = 1_000_000_000;
    let words = |length: u32, step: u32| (0..length).map(|i| i * step % Q as u32).collect::<Vec<u32>>();
    let (a, b) = (words(1000, 7919), words(700, 104_729));
    if name == LINEAR[0] {
        let (linear, mut c) = (Linear::<u32>::new([1000, 700], Q)?, vec![0; 1699]);
        return Ok(Job::new(name, move || linear.multiply(&mut c, black_box(&a), black_box(&b))));
    }
    let plan = Plan::<u32>::with(&Request::new(2048, Q).cyclic())?;
    let [mut long_a, mut long_b, mut c] = [const { [0; 2048] }; 3].map(Vec::from);
    Ok(Job::new(name, move || {
        long_a[..1000].copy_from_slice(black_box(&a));
        long_b[..700].copy_from_slice(black_box(&b));
        plan.multiply(&mut c, &long_a, &long_b);
    }))
}
