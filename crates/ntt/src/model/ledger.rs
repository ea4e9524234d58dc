//! `Ledger`: derives the twiddle of each lane, the final position of each slot, and the factors left behind.
//!
//! A lane holds an [`Entry`]: coefficient `coefficient` of the residue modulo `X^d - s^d·zeta^exponent`, times `factor`,
//! where `s` is the shift.
//! The entries of a butterfly's operands determine its twiddle, including the factors that reductions left on either
//! side; the ledger writes it into the table. So the network itself derives the tables, in consumption order, and
//! operands that do not match are an error.

use crate::{
    arith::{Modulus, Powers},
    model::{
        interpreter::{Algebra, Books, Value, interpret},
        row::{Entry, Move, Row},
    },
    network::{Job, Pass, Step, degrees},
    reduction::{Contract, Factor},
};
use alloc::{rc::Rc, vec, vec::Vec};
use core::array::from_fn;

/// Two values with different factors were combined, so no table makes the schedule correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// The layer.
    pub layer: usize,
}

/// The place of a twiddle: in the open row, for all lanes or different from lane to lane; or a scaling twiddle.
#[derive(Clone, Copy, Debug)]
enum Place {
    Broadcast(usize),
    Lanewise(usize),
    Scaling(usize),
}

impl Place {
    const fn number(self) -> usize {
        match self {
            Self::Broadcast(i) => 3 * i,
            Self::Lanewise(i) => 3 * i + 1,
            Self::Scaling(i) => 3 * i + 2,
        }
    }

    const fn of(number: usize) -> Self {
        match (number % 3, number / 3) {
            (0, i) => Self::Broadcast(i),
            (1, i) => Self::Lanewise(i),
            (_, i) => Self::Scaling(i),
        }
    }
}

/// The state of the derivation. Vectors are indices into an arena of lanes.
#[derive(Clone, Debug)]
pub struct Ledger {
    lanes: usize,
    /// For each layer, the degree of the residues that it splits into.
    degrees: Vec<usize>,
    modulus: Modulus,
    contract: Contract,
    order: usize,
    powers: Rc<Powers>,
    /// For each layer, the power of the shift that its twiddles have, and its inverse; none if the shift is 1.
    shifts: Vec<[u64; 2]>,
    layer: usize,
    /// The power of the root by which a [`twist`](Algebra::twist) multiplies, per coefficient.
    pub(crate) twist: usize,
    /// The lanes of all vectors, one vector after the other.
    arena: Vec<Entry>,
    /// Vectors that nothing refers to.
    free: Vec<usize>,
    /// Vectors made since the row was opened and not stored; after the row nothing refers to them.
    unstored: Vec<usize>,
    /// The table so far.
    pub rows: Vec<Row>,
    /// The two scaling residues of the last inverse layer.
    pub scaling: [u64; 2],
    /// The first combination of different factors, if any.
    pub imbalance: Option<Imbalance>,
}

impl Ledger {
    /// A ledger for these passes of degree `n` and a root `zeta` of the given order (1 is allowed).
    #[cfg(feature = "internals")]
    pub fn new(lanes: usize, [n, order]: [usize; 2], passes: &[Pass], contract: Contract, zeta: u64) -> Self {
        let powers = Rc::new(Powers::new(contract.modulus(), zeta, order));
        Self::with_powers(lanes, [n, order], passes, contract, powers, 1)
    }

    /// The same with the powers of the root, and a shift.
    pub(crate) fn with_powers(
        lanes: usize,
        [n, order]: [usize; 2],
        passes: &[Pass],
        contract: Contract,
        powers: Rc<Powers>,
        shift: u64,
    ) -> Self {
        let (modulus, degrees) = (contract.modulus(), degrees(n, passes));
        let power = |degree: usize| modulus.pow(shift, degree as u64);
        let shifted = |degree: &usize| [power(*degree), modulus.inv(power(*degree))];
        let shifts = if shift == 1 { Vec::new() } else { degrees.iter().map(shifted).collect() };
        Self {
            lanes,
            degrees,
            modulus,
            contract,
            order,
            powers,
            shifts,
            layer: 0,
            twist: 0,
            arena: Vec::new(),
            free: Vec::new(),
            unstored: Vec::new(),
            rows: Vec::new(),
            scaling: [0; 2],
            imbalance: None,
        }
    }

    /// Clears all vectors and rows.
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.free.clear();
        self.unstored.clear();
        self.rows.clear();
    }

    /// The vectors of a polynomial of degree `n` modulo `X^n - zeta^exponent`, in natural order.
    #[cfg(feature = "internals")]
    pub fn coefficients(&mut self, n: usize, exponent: usize) -> Vec<usize> {
        let entry = |coefficient| Entry { exponent, coefficient, factor: Factor::ONE };
        self.vectors(&(0..n).map(entry).collect::<Vec<_>>())
    }

    /// The vectors that hold `entries`.
    pub fn vectors(&mut self, entries: &[Entry]) -> Vec<usize> {
        let vectors = entries.chunks(self.lanes).map(|of_vector| self.made(|_, lane| of_vector[lane])).collect();
        self.unstored.clear();
        vectors
    }

    /// The entries of vectors.
    pub fn entries(&self, data: &[usize]) -> Vec<Entry> {
        data.iter().flat_map(|&v| self.lanes_of(v).iter().copied()).collect()
    }

    fn lanes_of(&self, vector: usize) -> &[Entry] {
        &self.arena[vector * self.lanes..(vector + 1) * self.lanes]
    }

    /// A vector that nothing refers to.
    fn fresh(&mut self) -> usize {
        let vector = self.free.pop().unwrap_or(self.arena.len() / self.lanes);
        if vector * self.lanes == self.arena.len() {
            let none = Entry { exponent: 0, coefficient: 0, factor: Factor::ONE };
            self.arena.resize(self.arena.len() + self.lanes, none);
        }
        self.unstored.push(vector);
        vector
    }

    /// A vector of entries made lane by lane.
    fn made(&mut self, mut entry: impl FnMut(&mut Self, usize) -> Entry) -> usize {
        let vector = self.fresh();
        for lane in 0..self.lanes {
            self.arena[vector * self.lanes + lane] = entry(self, lane);
        }
        vector
    }

    /// Vectors of entries made lane by lane.
    fn made_all<const N: usize>(&mut self, mut entries: impl FnMut(&mut Self, usize) -> [Entry; N]) -> [usize; N] {
        let vectors = from_fn(|_| self.fresh());
        for lane in 0..self.lanes {
            for (vector, entry) in vectors.into_iter().zip(entries(self, lane)) {
                self.arena[vector * self.lanes + lane] = entry;
            }
        }
        vectors
    }

    fn power(&self, exponent: usize) -> u64 {
        self.powers.of(exponent)
    }

    /// A power of the root as a twiddle of this layer, which moves coefficients of `times` times its degree.
    fn moved(&self, exponent: usize, times: i32) -> u64 {
        let power = self.power(exponent);
        let Some([shift, inverse]) = self.shifts.get(self.layer) else { return power };
        let by = if times < 0 { *inverse } else { *shift };
        (0..times.unsigned_abs()).fold(power, |power, _| self.modulus.mul(power, by))
    }

    fn quotient(&self, a: Factor, b: Factor) -> u64 {
        if a.residue == b.residue {
            return 1; // nearly always, and an inverse takes long
        }
        self.modulus.mul(a.residue, self.modulus.inv(b.residue))
    }

    /// Writes a twiddle that moves with `times` times the exponents; each place gets one value only.
    fn write(&mut self, twiddle: usize, lane: usize, residue: u64, times: i32) {
        let moves = Move { layer: self.layer, times };
        let open = self.rows.last_mut();
        let slot = match Place::of(twiddle) {
            Place::Broadcast(index) => {
                let row = open.expect("an open row");
                row.moves[index] = moves;
                &mut row.broadcast[index]
            }
            Place::Lanewise(index) => {
                let row = open.expect("an open row");
                row.moves[row.broadcast.len() + index] = moves;
                &mut row.lanewise[index][lane]
            }
            Place::Scaling(i) => &mut self.scaling[i],
        };
        assert!(*slot == 0 || *slot == residue, "one twiddle for all lanes and columns");
        *slot = residue;
    }

    /// Records two combined values if no table makes up for the difference of their factors.
    fn alike(&mut self, a: Factor, b: Factor) {
        if a.residue != b.residue {
            self.imbalance.get_or_insert(Imbalance { layer: self.layer });
        }
    }

    /// Records if a split in three adds unreduced values to reduced ones.
    fn reduces_within(&mut self, step: Step) {
        if step == Step::Sums {
            self.alike(Factor::ONE, self.contract.reduce_factor());
        }
    }

    /// Coefficients of a residue after the current layer.
    fn part(&self) -> usize {
        self.degrees[self.layer]
    }

    /// A Gentleman–Sande butterfly with sum and multiplicand `reduced` or not; `scale` brings the factor to one.
    fn join(&mut self, reduced: [bool; 2], a: usize, b: usize, w: usize, scale: Option<usize>) -> [usize; 2] {
        let (q, by) = (self.modulus, self.contract.reduce_factor());
        self.made_all(|this, lane| {
            let (u, v) = (this.lanes_of(a)[lane], this.lanes_of(b)[lane]);
            assert_eq!((u.coefficient, (u.exponent + this.order / 2) % this.order), (v.coefficient, v.exponent));
            this.alike(u.factor, v.factor);
            let doubled = u.factor.times(Factor { residue: 2, k: 0 }, q); // u + v = 2·lo, u - v = 2·zeta^e·hi
            let [sum, multiplicand] = reduced.map(|reduced| if reduced { doubled.times(by, q) } else { doubled });
            let target = if scale.is_some() { Factor::ONE } else { sum };
            if let Some(place) = scale {
                this.write(place, lane, this.quotient(Factor::ONE, sum), 0);
            }
            let back = this.moved(this.order - u.exponent % this.order, -1);
            this.write(w, lane, q.mul(this.quotient(target, multiplicand), back), -1);
            let parent = Entry { exponent: 2 * u.exponent % this.order, factor: target, ..u };
            [parent, Entry { coefficient: u.coefficient + this.part(), ..parent }]
        })
    }

    /// A vector times a factor.
    fn multiplied(&mut self, x: usize, factor: Factor) -> usize {
        self.made(|this, lane| {
            let entry = this.lanes_of(x)[lane];
            Entry { factor: entry.factor.times(factor, this.modulus), ..entry }
        })
    }

    /// Runs a job on vectors.
    pub fn run<J: Job<1, 0>>(&mut self, job: J, data: &mut [usize]) -> Option<()> {
        let mut values: Vec<Value> = data.iter().map(|vector| (*vector).into()).collect();
        let done = interpret(job, self, [&mut values], []);
        data.iter_mut().zip(values).for_each(|(vector, value)| *vector = value.into());
        done
    }
}

impl Algebra for Ledger {
    fn lanes(&self) -> usize {
        self.lanes
    }
    fn bits(&self) -> u32 {
        self.contract.constants().bits
    }
    fn store(&mut self, block: &mut Value, x: Value) {
        let vector = usize::from(x);
        if let Some(place) = self.unstored.iter().rposition(|&u| u == vector) {
            self.unstored.swap_remove(place);
            self.free.push((*block).into());
        }
        *block = x;
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.free.append(&mut self.unstored);
        self.rows.push(Row {
            broadcast: vec![0; broadcast],
            lanewise: vec![vec![0; self.lanes]; lanewise],
            moves: vec![Move::default(); broadcast + lanewise],
        });
        Some(())
    }
    fn twiddle(&mut self, i: usize) -> usize {
        Place::Broadcast(i).number()
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        Place::Lanewise(i).number()
    }
    fn scaling(&mut self, i: usize) -> usize {
        Place::Scaling(i).number()
    }
    fn add(&mut self, a: Value, _: Value) -> Value {
        a // sums occur inside butterflies, which the ledger books as wholes
    }
    fn sub(&mut self, _: Value, b: Value) -> Value {
        b
    }
    fn reduce(&mut self, x: Value) -> Value {
        let factor = self.contract.reduce_factor();
        self.multiplied(x.into(), factor).into()
    }
    fn mul(&mut self, _: usize, x: Value, _: usize) -> Value {
        x
    }
    fn mul_exact(&mut self, x: Value, _: usize) -> Value {
        x
    }
    fn mul_var(&mut self, x: Value, _: Value) -> Value {
        x
    }
    fn dot(&mut self, x: &[Value], _: &[Value]) -> Value {
        x[0]
    }
    fn canonical(&mut self, x: Value) -> Value {
        x
    }
    fn canonical_of_sum(&mut self, _: bool, x: Value) -> Value {
        x
    }
    fn add_q_to_negative(&mut self, x: Value) -> Value {
        x
    }
    fn sub_q_above_half(&mut self, x: Value) -> Value {
        x
    }
    /// Replaces `X` by `root^twist·X`: coefficients are multiplied, and the residue is modulo another polynomial.
    fn twist(&mut self, x: Value, w: usize) -> Value {
        let (by, order, x) = (self.twist, self.order, usize::from(x));
        let twisted = self.made(|this, lane| {
            let entry = this.lanes_of(x)[lane];
            this.write(w, lane, this.power(by * entry.coefficient % order), 0);
            let whole = 2 * this.part(); // what the next layer splits
            Entry { exponent: (entry.exponent + order - by * whole % order) % order, ..entry }
        });
        twisted.into()
    }
    fn interleave(&mut self, block: usize, a: Value, b: Value) -> [Value; 2] {
        let [a, b] = [a, b].map(usize::from);
        self.made_all(|this, i| {
            let (x, y) = (this.lanes_of(a), this.lanes_of(b));
            if i & block == 0 { [x[i], x[i + block]] } else { [y[i - block], y[i]] }
        })
        .map(Value::from)
    }
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2] {
        // For each pair of chunks, the lanes alternately: the first half into one chunk, the second half into the
        // other.
        let (chunk, [a, b]) = (self.lanes.min((128 / self.bits()) as usize), [a, b].map(usize::from));
        self.made_all(|this, i| {
            let (start, half) = (i - i % chunk, i % chunk / 2);
            let from = this.lanes_of(if i % 2 == 0 { a } else { b });
            [from[start + half], from[start + chunk / 2 + half]]
        })
        .map(Value::from)
    }
    fn layer(&mut self, layer: usize) {
        self.layer = layer;
    }
    fn books(&mut self) -> Option<&mut dyn Books> {
        Some(self)
    }
}

impl Books for Ledger {
    fn ct(&mut self, a: Value, b: Value, w: usize) -> [Value; 2] {
        let [a, b] = [a, b].map(usize::from);
        self.made_all(|this, lane| {
            let (lo, hi) = (this.lanes_of(a)[lane], this.lanes_of(b)[lane]);
            assert_eq!((lo.exponent, lo.coefficient + this.part()), (hi.exponent, hi.coefficient));
            assert_eq!(lo.exponent % 2, 0, "a residue that splits has a square");
            let root = lo.exponent / 2;
            let residue = this.modulus.mul(this.moved(root, 1), this.quotient(lo.factor, hi.factor));
            this.write(w, lane, residue, 1);
            [Entry { exponent: root, ..lo }, Entry { exponent: root + this.order / 2, ..lo }]
        })
        .map(Value::from)
    }

    fn gs(&mut self, reduced: [bool; 2], a: Value, b: Value, w: usize, scale: Option<usize>) -> [Value; 2] {
        self.join(reduced, a.into(), b.into(), w, scale).map(Value::from)
    }

    fn ct_thirds(&mut self, step: Step, v: [Value; 3], [w, square, omega]: [usize; 3]) -> [Value; 3] {
        let v = v.map(usize::from);
        self.reduces_within(step);
        self.made_all(|this, lane| {
            let [a, b, c] = v.map(|v| this.lanes_of(v)[lane]);
            let part = this.part();
            assert_eq!([b.exponent, c.exponent], [a.exponent; 2]);
            assert_eq!([b.coefficient, c.coefficient], [a.coefficient + part, a.coefficient + 2 * part]);
            assert_eq!(a.exponent % 3, 0, "a residue that splits in three has a cube root");
            this.alike(b.factor, c.factor);
            let (root, third, to) = (a.exponent / 3, this.order / 3, this.quotient(a.factor, b.factor));
            this.write(w, lane, this.modulus.mul(this.moved(root, 1), to), 1);
            this.write(square, lane, this.modulus.mul(this.moved(2 * root, 2), to), 2);
            this.write(omega, lane, this.power(third), 0);
            from_fn(|i| Entry { exponent: root + i * third, ..a })
        })
        .map(Value::from)
    }

    fn gs_thirds(&mut self, step: Step, v: [Value; 3], [w, square, omega]: [usize; 3]) -> [Value; 3] {
        let (q, by, v) = (self.modulus, self.contract.reduce_factor(), v.map(usize::from));
        self.reduces_within(step);
        self.made_all(|this, lane| {
            let [a, b, c] = v.map(|v| this.lanes_of(v)[lane]);
            let (order, third, part) = (this.order, this.order / 3, this.part());
            assert_eq!([b.coefficient, c.coefficient], [a.coefficient; 2]);
            assert_eq!([b.exponent, c.exponent], [third, 2 * third].map(|i| (a.exponent + i) % order));
            this.alike(a.factor, b.factor);
            this.alike(a.factor, c.factor);
            let tripled = a.factor.times(Factor { residue: 3, k: 0 }, q);
            let [sum, multiplicand] = [step != Step::Plain, step == Step::Both]
                .map(|reduced| if reduced { tripled.times(by, q) } else { tripled });
            let (back, to) = (order - a.exponent % order, this.quotient(sum, multiplicand));
            this.write(w, lane, q.mul(this.moved(back, -1), to), -1);
            this.write(square, lane, q.mul(this.moved(2 * back, -2), to), -2);
            this.write(omega, lane, this.power(third), 0);
            let whole = Entry { exponent: 3 * a.exponent % order, factor: sum, ..a };
            from_fn(|i| Entry { coefficient: a.coefficient + i * part, ..whole })
        })
        .map(Value::from)
    }

    fn ct_trinomial(&mut self, a: Value, b: Value, w: usize) -> [Value; 2] {
        let [a, b] = [a, b].map(usize::from);
        self.made_all(|this, lane| {
            let (lo, hi) = (this.lanes_of(a)[lane], this.lanes_of(b)[lane]);
            assert_eq!((lo.exponent, lo.coefficient + this.part()), (hi.exponent, hi.coefficient));
            this.alike(lo.factor, hi.factor);
            this.write(w, lane, this.power(this.order / 6), 0);
            [Entry { exponent: this.order / 6, ..lo }, Entry { exponent: this.order / 6 * 5, ..lo }]
        })
        .map(Value::from)
    }

    fn gs_trinomial(&mut self, reduced: [bool; 2], a: Value, b: Value, [f, w]: [usize; 2]) -> [Value; 2] {
        let (q, [a, b]) = (self.modulus, [a, b].map(usize::from));
        let [sixth, other] = [self.order / 6, self.order / 6 * 5];
        // u + v = 2·lo + hi and u - v = (z - z^5)·hi, both times their factor: this gives half of hi, and lo plus that
        // half.
        let twice_root = q.mul(2, q.add(self.power(sixth), q.neg(self.power(other))));
        self.made_all(|this, lane| {
            let (u, v) = (this.lanes_of(a)[lane], this.lanes_of(b)[lane]);
            assert_eq!((u.coefficient, u.exponent, v.exponent), (v.coefficient, sixth, other));
            this.alike(u.factor, v.factor);
            let of_reduced = u.factor.times(this.contract.reduce_factor(), q);
            let [sum, difference] = reduced.map(|r| if r { of_reduced.residue } else { u.factor.residue });
            this.write(f, lane, q.inv(q.mul(2, sum)), 0);
            this.write(w, lane, q.inv(q.mul(twice_root, difference)), 0);
            let whole = Entry { exponent: 0, factor: Factor::ONE, ..u };
            [whole, Entry { coefficient: u.coefficient + this.part(), ..whole }]
        })
        .map(Value::from)
    }
}
