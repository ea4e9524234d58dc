//! Requests as plain data, and how likely each is.

use proptest::{option, prelude::*, sample::select};
use ringwork_ntt::{Backend, MAX_DEGREE, Method, Request, Ring, arith::Modulus};

/// A request and the width of its words.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) n: usize,
    pub(crate) q: u64,
    pub(crate) ring: Ring,
    pub(crate) depth: Option<u32>,
    pub(crate) thirds: Option<u32>,
    pub(crate) method: Option<Method>,
    pub(crate) backend: Option<Backend>,
    pub(crate) lazy: bool,
    pub(crate) root: Option<u64>,
    pub(crate) bits: u32,
}

impl Wish {
    pub(crate) fn request(&self) -> Request {
        let mut request = Request::new(self.n, self.q).ring(self.ring);
        if let Some(depth) = self.depth {
            request = request.depth(depth);
        }
        if let Some(thirds) = self.thirds {
            request = request.thirds(thirds);
        }
        if let Some(method) = self.method {
            request = request.method(method);
        }
        if let Some(backend) = self.backend {
            request = request.backend(backend);
        }
        if let Some(root) = self.root {
            request = request.root(root);
        }
        if self.lazy { request.lazy() } else { request }
    }

    /// Layers in thirds that are asked for, or go with it.
    pub(crate) fn layers_in_thirds(&self) -> u32 {
        self.thirds.unwrap_or(if self.depth.is_some() { 0 } else { self.most_thirds() })
    }

    /// Layers in thirds that are possible.
    pub(crate) fn most_thirds(&self) -> u32 {
        let depth = self.depth.unwrap_or_else(|| deepest(self.n, self.q, self.ring));
        if depth == 0 { 0 } else { self.ring.thirds_of_roots(self.q).min(self.ring.thirds(self.n)) }
    }

    /// With a root of the right order in place of `6i + 1` where there is one: that power of the
    /// smallest.
    fn with_power_of_root(mut self) -> Self {
        let Some(i) = self.root else { return self };
        let Ok(q) = Modulus::new(self.q) else { return self };
        let layers = self.depth.unwrap_or_else(|| deepest(self.n, self.q, self.ring));
        let fits = layers < 32 && self.layers_in_thirds() < 15;
        let order = |this: &Self| this.ring.order(layers) * 3_u64.pow(this.layers_in_thirds());
        let smallest = fits.then(|| q.root_of_unity(order(&self))).flatten();
        self.root = smallest.map(|root| q.pow(root, 6 * (i & 0xFFFF) + 1)).or(self.root);
        self
    }
}

/// Layers that roots and degree allow.
pub(crate) fn deepest(n: usize, q: u64, ring: Ring) -> u32 {
    ring.layers_of_roots(q).min(ring.layers(n)).max(ring.least_depth())
}

/// Requests most of which have a plan.
pub(crate) fn likely() -> impl Strategy<Value = Wish> {
    let log_n = prop_oneof![12 => 1..=6_u32, 6 => 7..=8_u32, 1 => 9..=12_u32];
    let less = prop_oneof![3 => Just(None), 1 => (0..4_u32).prop_map(Some)];
    let parts = prop_oneof![6 => Just(1), 2 => Just(3), 1 => select(vec![5, 7, 9, 27])];
    let n = (log_n, parts).prop_map(|(log, parts)| parts << log >> usize::from(parts > 1 && log > 8));
    (n, prime(), less, choices(), option::weighted(0.2, any::<u64>())).prop_map(|(n, q, less, choices, root)| {
        let depth =
            less.map(|less: u32| deepest(n, q, choices.ring).saturating_sub(less).max(choices.ring.least_depth()));
        let bits = choices.bits.max([16, 32, 64][usize::from(q >> 14 > 0) + usize::from(q >> 30 > 0)]);
        let mut wish = Wish { n, q, depth, root, bits, ..choices };
        wish.thirds = wish.thirds.map(|thirds| thirds.min(wish.most_thirds()));
        wish.with_power_of_root()
    })
}

/// Anything that can be asked for.
pub(crate) fn anything() -> impl Strategy<Value = Wish> {
    let n = prop_oneof![
        20 => (0..=8_u32).prop_map(|log| 1 << log),
        1 => (9..=11_u32).prop_map(|log| 1 << log), // the proof of a pointwise product takes the square of the degree
        5 => 0..=600_usize,
        2 => (31..64_u32).prop_map(|log| 1 << log),
        2 => MAX_DEGREE + 1..=usize::MAX,
    ];
    let q = prop_oneof![4 => prime(), 1 => 0..100_u64, 1 => any::<u64>(), 1 => near_a_power_of_two()];
    let depth = prop_oneof![3 => Just(None), 4 => (0..=13_u32).prop_map(Some), 1 => any::<u32>().prop_map(Some)];
    (n, q, depth, choices(), option::weighted(0.3, any::<u64>()), any::<bool>()).prop_map(
        |(n, q, depth, choices, root, valid)| {
            let wish = Wish { n, q, depth, root, ..choices };
            if valid && n > 1 && q > 2 && q % 2 == 1 { wish.with_power_of_root() } else { wish }
        },
    )
}

/// What is chosen beside degree, modulus, depth and root.
fn choices() -> impl Strategy<Value = Wish> {
    let backends: Vec<Backend> = Backend::available().collect();
    let bits = prop_oneof![Just(16), Just(32), Just(64)];
    let ring = select(Ring::ALL.to_vec());
    let method = option::weighted(0.8, select(Method::ALL.to_vec()));
    let backend = option::weighted(0.6, select(backends));
    let thirds = prop_oneof![16 => Just(None), 4 => (0..3_u32).prop_map(Some), 1 => any::<u32>().prop_map(Some)];
    let choices = (ring, method, backend, any::<bool>(), bits, thirds);
    choices.prop_map(|(ring, method, backend, lazy, bits, thirds)| Wish {
        n: 2,
        q: 3,
        ring,
        depth: None,
        thirds,
        method,
        backend,
        lazy,
        root: None,
        bits,
    })
}

/// Primes: known ones, and k·2^m ± 1 of every size below 2^63.
fn prime() -> impl Strategy<Value = u64> {
    const KNOWN: [u64; 20] = [
        3,
        5,
        7,
        17,
        109,
        257,
        3329,
        3457,
        10369,
        7681,
        12289,
        40961,
        65537,
        8380417,
        1073479681,
        2147473409,
        2147483647,
        4293918721,
        27 << 59 | 1,
        0xFFFF_FFFF_0000_0001,
    ];
    let of_form = |bits: core::ops::Range<u32>| {
        (bits, 0..28_u32, any::<u64>(), select(vec![1_i64, -1])).prop_map(|(bits, m, k, sign)| {
            let m = m.min(bits - 1);
            let mut q = ((k >> (64 - bits) >> m | 1) << m).wrapping_add_signed(sign);
            while !reference::field::is_prime(q) {
                q += 1 << m;
            }
            q
        })
    };
    prop_oneof![4 => select(KNOWN.to_vec()), 3 => of_form(3..15), 3 => of_form(3..31), 1 => of_form(3..64)]
        .prop_filter("odd", |q| q % 2 == 1)
}

fn near_a_power_of_two() -> impl Strategy<Value = u64> {
    (2..64_u32, -64..64_i64).prop_map(|(log, offset)| (1_u64 << log).wrapping_add_signed(offset))
}
