//! The network: it reduces every `t`-th product that a coefficient meets, and leaves the others exact.
//!
//! Products are numbered by the layers in which a coefficient really meets one: in a layer whose
//! blocks halve, the coefficient at place `p` of a half (slots of an incomplete transform counted
//! as one place) meets one more product for each set bit of `p`. Forward they are numbered from the
//! last one, which is 0, inverse from the first one, which is 1; a product is reduced if its number
//! is a multiple of `t`. The last inverse layer scales, and reduces all of its products.
//!
//! So columns fall into two classes, the same for all layers, and each class is walked by itself:
//! no column is asked which it is.
//!
//! Source: Kim, Seo, Lee, Kim, No, *Lazy Modular Reduction for NTT* (2024), sections 3.4 and 3.5
//! (the jumping vectors).

use ntt::internals::network::{Direction, ExactProducts, Full, Job, Kind, Step, reduce, scale};

/// The shape of a transform, and the classes of its columns.
#[derive(Clone, Debug)]
pub struct Shape {
    n: usize,
    depth: u32,
    direction: Direction,
    /// Whether layer 0 is that of a trinomial, which reduces all of its products.
    trinomial: bool,
    /// Places of which the product is reduced, rising; and those of which it is left exact.
    places: [Vec<u32>; 2],
}

impl Shape {
    /// A transform of degree `n` and `depth` layers, which reduces one of `t` products; `t` is at least 1.
    pub fn new(n: usize, depth: u32, t: u32, direction: Direction, trinomial: bool) -> Self {
        let half = if depth == 0 { 0 } else { 1_u32 << (depth - 1) };
        let first = u32::from(direction == Direction::Inverse);
        let is_reduced = |place: &u32| (place.count_ones() + first).is_multiple_of(t);
        let (reduced, exact) = (0..half).partition(is_reduced);
        Self { n, depth, direction, trinomial, places: [reduced, exact] }
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

/// Runs all layers. Rows of the table have two twiddles: one for reduced products, and the plain
/// residue.
#[inline(always)]
pub fn lazy_ntt<K: ExactProducts>(k: &mut K, shape: &Shape, data: &mut [K::Block]) -> Option<()> {
    for i in 0..shape.depth {
        match (shape.direction, i) {
            (Direction::Forward, 0) if shape.trinomial => trinomial_layer(k, data)?,
            (Direction::Forward, _) => layer::<K, false>(k, shape, i, data)?,
            (Direction::Inverse, _) if i + 1 < shape.depth => layer::<K, true>(k, shape, shape.depth - 1 - i, data)?,
            (Direction::Inverse, _) => last_layer(k, shape.trinomial, data)?,
        }
    }
    if shape.depth == 0 && shape.direction == Direction::Inverse { scale(k, data) } else { Some(()) }
}

/// Layer 0 of a trinomial.
#[inline(always)]
fn trinomial_layer<K: ExactProducts>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    let (low, high) = data.split_at_mut_checked(data.len() / 2)?;
    k.row(2, 0)?;
    let w = k.twiddle(0);
    k.layer(0);
    for (low, high) in low.iter_mut().zip(high) {
        let (a, b) = (k.load(low), k.load(high));
        let (a, b) = k.ct_trinomial(Step::Plain, a, b, w);
        k.store(low, a);
        k.store(high, b);
    }
    Some(())
}

#[inline(always)]
fn layer<K: ExactProducts, const INVERSE: bool>(
    k: &mut K,
    shape: &Shape,
    layer: u32,
    data: &mut [K::Block],
) -> Option<()> {
    let (half, degree) = (shape.n >> (layer + 1), shape.n >> shape.depth);
    let places_in_half = 1 << (shape.depth - 1 - layer);
    let in_layer = |places: &Vec<u32>| places.partition_point(|place| *place < places_in_half);
    let [reduced, exact] = [&shape.places[0], &shape.places[1]].map(|places| places.get(..in_layer(places)));
    k.layer(layer as usize);
    for block in data.chunks_exact_mut(2 * half) {
        let (low, high) = block.split_at_mut_checked(half)?;
        k.row(2, 0)?;
        let w = [k.twiddle(0), k.twiddle(1)];
        columns::<K, INVERSE, false>(k, w[0], reduced?, degree, low, high)?;
        columns::<K, INVERSE, true>(k, w[1], exact?, degree, low, high)?;
    }
    Some(())
}

/// The columns of one class.
#[inline(always)]
fn columns<K: ExactProducts, const INVERSE: bool, const EXACT: bool>(
    k: &mut K,
    w: K::Tw,
    places: &[u32],
    degree: usize,
    low: &mut [K::Block],
    high: &mut [K::Block],
) -> Option<()> {
    for place in places {
        for j in *place as usize * degree..(*place as usize + 1) * degree {
            let (low, high) = (low.get_mut(j)?, high.get_mut(j)?);
            let (a, b) = (k.load(low), k.load(high));
            let (sum, difference) = if INVERSE {
                let ([sum], [difference]) = k.sums([a], [b]);
                (sum, product::<K, EXACT>(k, difference, w))
            } else {
                let t = product::<K, EXACT>(k, b, w);
                let ([sum], [difference]) = k.sums([a], [t]);
                (sum, difference)
            };
            k.store(low, sum);
            k.store(high, difference);
        }
    }
    Some(())
}

#[inline(always)]
fn product<K: ExactProducts, const EXACT: bool>(k: &mut K, x: K::V, w: K::Tw) -> K::V {
    if EXACT {
        return k.mul_exact(x, w);
    }
    let [product] = k.mul([x], [w]);
    product
}

/// Layer 0 of the inverse.
#[inline(always)]
fn last_layer<K: ExactProducts>(k: &mut K, trinomial: bool, data: &mut [K::Block]) -> Option<()> {
    let (low, high) = data.split_at_mut_checked(data.len() / 2)?;
    let scaling = k.scaling();
    k.layer(0);
    for (low, high) in low.iter_mut().zip(high) {
        let (a, b) = (k.load(low), k.load(high));
        let (a, b) = if trinomial {
            k.gs_trinomial(Step::Plain, a, b, scaling)
        } else {
            let ([sum], [difference]) = k.gs_scaled(Step::Plain, [a], [b], scaling);
            (sum, difference)
        };
        k.store(low, a);
        k.store(high, b);
    }
    Some(())
}
