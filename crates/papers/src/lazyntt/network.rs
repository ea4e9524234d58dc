//! The network: it reduces every `t`-th product that a coefficient meets, and leaves the others exact.
//!
//! Products are numbered by the layers in which a coefficient really meets one: in a layer whose
//! blocks halve, the coefficient at place `p` of a half (slots of an incomplete transform counted
//! as one place) meets one more product for each set bit of `p`. Forward they are numbered from the
//! last one, which is 0, inverse from the first one, which is 1; a product is reduced if its number
//! is a multiple of `t`. The last inverse layer scales, and reduces all of its products.
//!
//! A pass takes two layers, as the engine's passes do. At place `p` of a quarter of its blocks three
//! products out of four have the number of `p`, and the one with the last quarter, in the first of the
//! two layers, the next number. So columns fall into classes by whether either is reduced, the same
//! for all passes, and each class is walked by itself: no column is asked which it is.
//!
//! Layers in thirds follow those in halves, which treat what they split as slots; they reduce all of their products.
//!
//! Source: Kim, Seo, Lee, Kim, No, *Lazy Modular Reduction for NTT* (2024), sections 3.4 and 3.5
//! (the jumping vectors).

use ntt::{
    Recipe, Ring,
    internals::network::{Direction, ExactProducts, Full, Job, Kind, Pass, Step, reduce, scale},
};

/// The layers of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Degree.
    pub n: usize,
    /// Layers that split residues in two.
    pub halves: u32,
    /// Layers that split residues in three.
    pub thirds: u32,
    /// Whether the first one is that of a trinomial.
    pub trinomial: bool,
}

impl Layers {
    /// Those of a recipe.
    pub fn of(usual: &Recipe) -> Self {
        let trinomial = usual.ring() == Ring::Trinomial;
        Self { n: usual.n(), halves: usual.depth(), thirds: usual.thirds(), trinomial }
    }

    /// The passes in forward order: two layers to a pass, the first one alone if their number is odd, and a trinomial's
    /// first layer and those in thirds always alone.
    pub(super) fn passes(self) -> Vec<Pass> {
        let (mut stride, halves) = (self.n, self.halves as usize);
        let mut first = usize::from(self.trinomial && halves > 0);
        let mut passes = Vec::new();
        if first == 1 {
            stride /= 2;
            passes.push(Pass::Trinomial { stride });
        }
        while first < halves {
            let levels = if (halves - first) % 2 == 1 { 1 } else { 2 };
            stride >>= levels;
            passes.push(Pass::Outer { first, levels, stride });
            first += levels as usize;
        }
        for first in halves..halves + self.thirds as usize {
            stride /= 3;
            passes.push(Pass::Thirds { first, stride });
        }
        passes
    }
}

/// The shape of a transform, and the classes of its columns.
#[derive(Clone, Debug)]
pub struct Shape {
    direction: Direction,
    /// In forward order: one or two layers each. The first one may be that of a trinomial, which reduces all of its
    /// products.
    passes: Vec<Pass>,
    /// By whether products with the number of a column are reduced, and those with the next number: the columns, rising.
    columns: [[Vec<u32>; 2]; 2],
}

impl Shape {
    /// The transform with these layers that reduces one of `t` products; `t` is at least 1.
    pub fn new(layers: Layers, t: u32, direction: Direction) -> Self {
        let passes = layers.passes();
        let first = u32::from(direction == Direction::Inverse);
        let degree = layers.n >> layers.halves;
        let is_reduced = |place: u32, next: u32| (place.count_ones() + first + next).is_multiple_of(t);
        let widest =
            if layers.halves > 0 { passes.iter().filter_map(Pass::stride).max().unwrap_or(0) / degree } else { 0 };
        let mut columns: [[Vec<u32>; 2]; 2] = Default::default();
        for place in 0..widest as u32 {
            let class = &mut columns[usize::from(is_reduced(place, 0))][usize::from(is_reduced(place, 1))];
            class.extend(place * degree as u32..(place + 1) * degree as u32);
        }
        Self { direction, passes, columns }
    }

    /// The passes in forward order; the inverse runs them backwards.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }
}

/// A transform on words: all layers, and a reduction of slots.
#[derive(Clone, Copy, Debug)]
pub struct LazyTransform<'w> {
    /// The layers.
    pub shape: &'w Shape,
    /// Whether slots are reduced: after the layers forward, before them in an inverse transform.
    pub reduces: bool,
}

impl Job<1, 0> for LazyTransform<'_> {
    const KIND: Kind = Kind::SingleWords;
    #[inline(always)]
    fn run<K: Full>(self, k: &mut K, [data]: [&mut [K::Block]; 1], []: [&[K::Block]; 0]) -> Option<()> {
        let Self { shape, reduces } = self;
        if reduces && shape.direction == Direction::Inverse {
            reduce(k, data)?;
        }
        lazy_ntt(k, shape, data)?;
        if reduces && shape.direction == Direction::Forward { reduce(k, data) } else { Some(()) }
    }
}

/// Runs all layers. Rows of the table have two twiddles for each residue: one for reduced products, and the residue
/// itself.
#[inline(always)]
pub fn lazy_ntt<K: ExactProducts>(k: &mut K, shape: &Shape, data: &mut [K::Block]) -> Option<()> {
    match shape.direction {
        Direction::Forward => {
            for pass in &shape.passes {
                match *pass {
                    Pass::Trinomial { .. } => trinomial::<K, false>(k, data)?,
                    Pass::Thirds { first, stride } => thirds::<K, false>(k, first, stride, data)?,
                    Pass::Outer { first, levels, stride } => {
                        groups::<K, false, false>(k, shape, first, levels, stride, data)?;
                    }
                    _ => return None,
                }
            }
        }
        Direction::Inverse => {
            for pass in shape.passes.iter().rev() {
                match *pass {
                    Pass::Trinomial { .. } => trinomial::<K, true>(k, data)?,
                    Pass::Thirds { first, stride } => thirds::<K, true>(k, first, stride, data)?,
                    Pass::Outer { first: 0, levels, stride } => {
                        groups::<K, true, true>(k, shape, 0, levels, stride, data)?;
                    }
                    Pass::Outer { first, levels, stride } => {
                        groups::<K, true, false>(k, shape, first, levels, stride, data)?;
                    }
                    _ => return None,
                }
            }
            if shape.passes.is_empty() {
                scale(k, data)?;
            }
        }
    }
    Some(())
}

/// All groups of a pass; `LAST` is the inverse's pass with layer 0, which scales.
#[inline(always)]
fn groups<K: ExactProducts, const INVERSE: bool, const LAST: bool>(
    k: &mut K,
    shape: &Shape,
    first: usize,
    levels: u32,
    stride: usize,
    data: &mut [K::Block],
) -> Option<()> {
    let in_pass = |columns: &Vec<u32>| columns.partition_point(|column| (*column as usize) < stride);
    let class = |this: usize, next: usize| {
        let columns = &shape.columns[this][next];
        columns.get(..in_pass(columns))
    };
    let [[neither, next], [this, both]] = [[class(0, 0)?, class(0, 1)?], [class(1, 0)?, class(1, 1)?]];
    for group in data.chunks_exact_mut(stride << levels) {
        // Of the pass with layer 0, the inverse has the twiddles of that layer as scaling.
        let residues = if LAST { levels & 2 } else { 2 * levels - 1 };
        k.row(2 * residues as usize, 0)?;
        let walk = Walk { first, scaling: LAST.then(|| k.scaling()) };
        if levels == 1 {
            for columns in [neither, next] {
                walk.pairs::<K, INVERSE, false>(k, columns, group, stride)?;
            }
            for columns in [this, both] {
                walk.pairs::<K, INVERSE, true>(k, columns, group, stride)?;
            }
        } else {
            walk.quartets::<K, INVERSE, false, false>(k, neither, group, stride)?;
            walk.quartets::<K, INVERSE, false, true>(k, next, group, stride)?;
            walk.quartets::<K, INVERSE, true, false>(k, this, group, stride)?;
            walk.quartets::<K, INVERSE, true, true>(k, both, group, stride)?;
        }
    }
    Some(())
}

/// A pass through one group of rows.
#[derive(Clone, Copy)]
struct Walk<Tw> {
    /// Its first layer.
    first: usize,
    /// The twiddles of layer 0 of the inverse.
    scaling: Option<[Tw; 2]>,
}

impl<Tw: Copy> Walk<Tw> {
    /// One layer, on columns of one class.
    #[inline(always)]
    fn pairs<K: ExactProducts<Tw = Tw>, const INVERSE: bool, const REDUCED: bool>(
        self,
        k: &mut K,
        columns: &[u32],
        group: &mut [K::Block],
        stride: usize,
    ) -> Option<()> {
        let [low, high] = rows(group, stride)?;
        let w = if self.scaling.is_none() { Some(twiddle::<K, REDUCED>(k, 0)) } else { None };
        for &j in columns {
            let j = j as usize;
            let (low, high) = (low.get_mut(j)?, high.get_mut(j)?);
            let (a, b) = (k.load(low), k.load(high));
            k.layer(self.first);
            let (a, b) = match w {
                Some(w) => butterfly::<K, INVERSE, REDUCED>(k, a, b, w),
                None => scaled(k, a, b, self.scaling?),
            };
            k.store(low, a);
            k.store(high, b);
        }
        Some(())
    }

    /// Two layers, on columns of one class: `THIS` says whether products with their number are reduced, `NEXT` whether
    /// those with the next one are.
    #[inline(always)]
    fn quartets<K: ExactProducts<Tw = Tw>, const INVERSE: bool, const THIS: bool, const NEXT: bool>(
        self,
        k: &mut K,
        columns: &[u32],
        group: &mut [K::Block],
        stride: usize,
    ) -> Option<()> {
        if columns.is_empty() {
            return Some(());
        }
        let [r0, r1, r2, r3] = rows(group, stride)?;
        // The residues of a row: one of the first layer, unless it is that of the scaling, and two of the second.
        let at = usize::from(self.scaling.is_none());
        let second = [twiddle::<K, THIS>(k, at), twiddle::<K, THIS>(k, at + 1)];
        let first = match self.scaling {
            None => Some((twiddle::<K, THIS>(k, 0), twiddle::<K, NEXT>(k, 0))),
            Some(_) => None,
        };
        for &j in columns {
            let j = j as usize;
            let (p0, p1, p2, p3) = (r0.get_mut(j)?, r1.get_mut(j)?, r2.get_mut(j)?, r3.get_mut(j)?);
            let (x0, x1, x2, x3) = (k.load(p0), k.load(p1), k.load(p2), k.load(p3));
            let (x0, x1, x2, x3) = if INVERSE {
                k.layer(self.first + 1);
                let (x0, x1) = butterfly::<K, true, THIS>(k, x0, x1, second[0]);
                let (x2, x3) = butterfly::<K, true, THIS>(k, x2, x3, second[1]);
                k.layer(self.first);
                let ((x0, x2), (x1, x3)) = match (first, self.scaling) {
                    (Some((this, next)), _) => {
                        (butterfly::<K, true, THIS>(k, x0, x2, this), butterfly::<K, true, NEXT>(k, x1, x3, next))
                    }
                    (None, scaling) => (scaled(k, x0, x2, scaling?), scaled(k, x1, x3, scaling?)),
                };
                (x0, x1, x2, x3)
            } else {
                let (this, next) = first?;
                k.layer(self.first);
                let (x0, x2) = butterfly::<K, false, THIS>(k, x0, x2, this);
                let (x1, x3) = butterfly::<K, false, NEXT>(k, x1, x3, next);
                k.layer(self.first + 1);
                let (x0, x1) = butterfly::<K, false, THIS>(k, x0, x1, second[0]);
                let (x2, x3) = butterfly::<K, false, THIS>(k, x2, x3, second[1]);
                (x0, x1, x2, x3)
            };
            k.store(p0, x0);
            k.store(p1, x1);
            k.store(p2, x2);
            k.store(p3, x3);
        }
        Some(())
    }
}

/// The rows of a group, `stride` vectors each.
#[inline(always)]
fn rows<B, const H: usize>(group: &mut [B], stride: usize) -> Option<[&mut [B]; H]> {
    let mut rest = group.chunks_exact_mut(stride);
    let mut rows: [&mut [B]; H] = core::array::from_fn(|_| Default::default());
    for row in &mut rows {
        *row = rest.next()?.get_mut(..stride)?;
    }
    Some(rows)
}

/// The twiddle of the residue number `i` of the open row.
#[inline(always)]
fn twiddle<K: ExactProducts, const REDUCED: bool>(k: &mut K, i: usize) -> K::Tw {
    k.twiddle(2 * i + usize::from(!REDUCED))
}

/// Cooley and Tukey's butterfly, or that of Gentleman and Sande, with a product that is reduced or exact.
#[inline(always)]
fn butterfly<K: ExactProducts, const INVERSE: bool, const REDUCED: bool>(
    k: &mut K,
    a: K::V,
    b: K::V,
    w: K::Tw,
) -> (K::V, K::V) {
    if INVERSE {
        let ([sum], [difference]) = k.sums([a], [b]);
        return (sum, product::<K, REDUCED>(k, difference, w));
    }
    let t = product::<K, REDUCED>(k, b, w);
    let ([sum], [difference]) = k.sums([a], [t]);
    (sum, difference)
}

#[inline(always)]
fn product<K: ExactProducts, const REDUCED: bool>(k: &mut K, x: K::V, w: K::Tw) -> K::V {
    if REDUCED {
        let [product] = k.mul([x], [w]);
        return product;
    }
    k.mul_exact(x, w)
}

/// Layer 0 of the inverse, which reduces both results.
#[inline(always)]
fn scaled<K: ExactProducts>(k: &mut K, a: K::V, b: K::V, scaling: [K::Tw; 2]) -> (K::V, K::V) {
    let ([sum], [difference]) = k.gs_scaled(Step::Plain, [a], [b], scaling);
    (sum, difference)
}

/// A layer in thirds.
#[inline(always)]
fn thirds<K: ExactProducts, const INVERSE: bool>(
    k: &mut K,
    layer: usize,
    stride: usize,
    data: &mut [K::Block],
) -> Option<()> {
    for group in data.chunks_exact_mut(3 * stride) {
        k.row(6, 0)?;
        let w = [twiddle::<K, true>(k, 0), twiddle::<K, true>(k, 1), twiddle::<K, true>(k, 2)];
        let [r0, r1, r2] = rows(group, stride)?;
        for ((p0, p1), p2) in r0.iter_mut().zip(r1).zip(r2) {
            let v = [k.load(p0), k.load(p1), k.load(p2)];
            k.layer(layer);
            let [a, b, c] = if INVERSE { k.gs_thirds(Step::Plain, v, w) } else { k.ct_thirds(Step::Plain, v, w) };
            k.store(p0, a);
            k.store(p1, b);
            k.store(p2, c);
        }
    }
    Some(())
}

/// Layer 0 of a trinomial; of the inverse it has the scaling as twiddles.
#[inline(always)]
fn trinomial<K: ExactProducts, const INVERSE: bool>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    let (low, high) = data.split_at_mut_checked(data.len() / 2)?;
    let w = if INVERSE {
        k.scaling()
    } else {
        k.row(2, 0)?;
        [twiddle::<K, true>(k, 0); 2]
    };
    k.layer(0);
    for (low, high) in low.iter_mut().zip(high) {
        let (a, b) = (k.load(low), k.load(high));
        let (a, b) =
            if INVERSE { k.gs_trinomial(Step::Plain, a, b, w) } else { k.ct_trinomial(Step::Plain, a, b, w[0]) };
        k.store(low, a);
        k.store(high, b);
    }
    Some(())
}
