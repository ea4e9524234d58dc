//! What is wanted, and what is proved of it.

use super::{
    error::Error,
    network::{Layers, LazyTransform, Shape},
};
use ntt::{
    Backend, Direction, Interval, Method, OpCount, Place, Recipe, Request, Ring, SlotStep, Violation,
    internals::{
        model::{Counter, Ranges},
        network::Pointwise,
    },
};

/// A transform that is wanted. What is `None` is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Degree.
    pub n: usize,
    /// Modulus, a prime.
    pub q: u64,
    /// Of `t` products in a row one is reduced: 1 reduces all, 2 is SM, 3 is SSM.
    pub t: u32,
    /// Ring.
    pub ring: Ring,
    /// Layers; by default as many as the roots allow.
    pub depth: Option<u32>,
    /// Primitive root of unity; by default the smallest.
    pub root: Option<u64>,
    /// Layers in thirds, which reduce all of their products and follow those in halves; by default none.
    pub thirds: Option<u32>,
    /// A method of reduction: others than Montgomery's are refused.
    pub method: Option<Method>,
    /// A backend: others than the scalar one are refused.
    pub backend: Option<Backend>,
}

impl Wanted {
    /// The negacyclic transform of degree `n` modulo `q`, as deep as the roots allow.
    pub const fn new(n: usize, q: u64, t: u32) -> Self {
        let [depth, thirds] = [None; 2];
        Self { n, q, t, ring: Ring::Negacyclic, depth, root: None, thirds, method: None, backend: None }
    }

    /// The request for the transform of the engine with the same slots in the same order, which
    /// reduces all products.
    pub const fn usual(&self) -> Request {
        let mut request = Request::new(self.n, self.q).ring(self.ring);
        if let Some(depth) = self.depth {
            request = request.depth(depth);
        }
        if let Some(root) = self.root {
            request = request.root(root);
        }
        let thirds = match self.thirds {
            Some(thirds) => thirds,
            None => 0,
        };
        request.thirds(thirds).method(Method::Montgomery).backend(Backend::Scalar)
    }

    /// The transform in words of 16, 32 or 64 bits.
    ///
    /// **Errors** if LazyNTT does not have it, if the engine has none of the same slots, or if some value could leave
    /// its word. Whether words are wide enough is proved, not assumed from the paper's `R > q^t`, which does not
    /// suffice.
    pub fn prove(&self, bits: u32) -> Result<Proved, Error> {
        let Self { t, .. } = *self;
        let (method, backend) = (self.method.unwrap_or(Method::Montgomery), self.backend.unwrap_or(Backend::Scalar));
        match *self {
            Self { t: 0, .. } => return Err(Error::Zero),
            _ if method != Method::Montgomery || backend != Backend::Scalar => {
                return Err(Error::Elsewhere { t, method, backend });
            }
            _ => {}
        }
        let usual = self.usual().recipe(bits)?;
        Proved::new(usual.clone(), t).map_err(|violation| {
            // A coefficient meets fewer than 32 products, and more reductions make what fits fit better.
            let (mut fits, mut fails) = (0, t.min(32));
            while fails - fits > 1 {
                let t = (fits + fails) / 2;
                *if Proved::new(usual.clone(), t).is_ok() { &mut fits } else { &mut fails } = t;
            }
            let smaller = (fits > 0).then_some(fits);
            Error::Range { n: usual.n(), q: usual.q(), t, bits, violation, smaller }
        })
    }
}

/// The proved ranges of a transform and of products of what it gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What a word can hold.
    pub word: Interval,
    /// What the forward transform may be given.
    pub input: Interval,
    /// Every value computed in each forward layer.
    pub forward: Vec<Interval>,
    /// What the forward transform gives.
    pub slots: Interval,
    /// What pointwise products give.
    pub products: Interval,
    /// What the layers of the inverse transform are given.
    pub inverse_input: Interval,
    /// Every value computed in each inverse layer, indexed like `forward`; it runs from the last to the first.
    pub inverse: Vec<Interval>,
    /// What the inverse transform gives.
    pub output: Interval,
}

/// A transform that is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    usual: Recipe,
    t: u32,
    reduces_before_inverse: bool,
    certificate: Certificate,
}

impl Proved {
    /// The proof for a recipe by Montgomery's method on the scalar backend.
    fn new(usual: Recipe, t: u32) -> Result<Self, Violation> {
        let (contract, input) = (usual.contract(), usual.certificate().input());
        let (layers, n) = (usual.layers() as usize, usual.n());
        let refused = |place, range| Violation { layer: layers, butterfly: 0, place, range };
        let reduced = |range| contract.reduce_range(range).ok_or(refused(Place::Reduction, range));
        let transform = |direction, input| {
            let mut proof = Ranges::new(1, contract, layers);
            let (shape, mut data) = (shape(&usual, t, direction), vec![input; n]);
            let job = LazyTransform { shape: &shape, reduces: false };
            proof.run(job, [&mut data], []).expect("models have tables of any length");
            let of_layers = proof.layers.iter().map(|layer| layer.expect("every layer was run")).collect();
            proof.violation.map_or(Ok((of_layers, union(data))), Err)
        };
        let (forward, last) = transform(Direction::Forward, input)?;
        let slots = if layers > 0 { reduced(last)? } else { last };

        let (step, degree) = (usual.schedules().slots(), usual.slot_degree());
        let mut proof = Ranges::new(1, contract, 0);
        let (factors, mut products) = (vec![slots.union(input); degree], vec![input; degree]);
        proof.run(Pointwise { step, degree }, [&mut products], [&factors, &factors]).expect("whole slots");
        if let Some(violation) = proof.violation {
            return Err(Violation { layer: layers, ..violation });
        }
        let products = union(products);

        // Sums of products are canonical.
        let canonical = Interval::new(0, input.hi);
        let given = [input.union(products).union(slots), products.union(canonical).union(reduced(input.union(slots))?)];
        let (reduces_before_inverse, (inverse, output)) = match transform(Direction::Inverse, given[0]) {
            Ok(proved) => (false, proved),
            Err(_) => (true, transform(Direction::Inverse, given[1])?),
        };
        let inverse_input = given[usize::from(reduces_before_inverse)];
        let word = contract.words();
        let certificate = Certificate { word, input, forward, slots, products, inverse_input, inverse, output };
        Ok(Self { usual, t, reduces_before_inverse, certificate })
    }

    /// The transform of the engine with the same slots in the same order, which takes the products of slots.
    pub const fn usual(&self) -> &Recipe {
        &self.usual
    }

    /// Of `t` products in a row one is reduced.
    pub const fn t(&self) -> u32 {
        self.t
    }

    /// The proved ranges.
    pub const fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Whether the forward transform reduces slots behind its layers.
    pub const fn reduces_slots(&self) -> bool {
        self.usual.layers() > 0
    }

    /// Whether the inverse transform reduces slots before its layers. Products it never does.
    pub const fn reduces_before_inverse(&self) -> bool {
        self.reduces_before_inverse
    }

    /// How slots are multiplied.
    pub fn slot_step(&self) -> SlotStep {
        self.usual.schedules().slots()
    }

    /// The layers and their classes of columns.
    pub fn shape(&self, direction: Direction) -> Shape {
        shape(&self.usual, self.t, direction)
    }

    /// Operations of a forward transform, a pointwise product and its inverse transform.
    pub fn counts(&self) -> [OpCount; 3] {
        let (n, step) = (self.usual.n(), self.slot_step());
        let transform = |direction, reduces| {
            let (mut counter, shape) = (Counter::new(1), self.shape(direction));
            counter.run(LazyTransform { shape: &shape, reduces }, [n, 0]).expect("models have tables of any length");
            counter.count
        };
        let mut products = Counter { adds_up_wide: step.wide, ..Counter::new(1) };
        products.run(Pointwise { step, degree: self.usual.slot_degree() }, [n; 2]).expect("whole slots");
        let forward = transform(Direction::Forward, self.reduces_slots());
        [forward, products.count, transform(Direction::Inverse, false)]
    }
}

fn shape(usual: &Recipe, t: u32, direction: Direction) -> Shape {
    Shape::new(Layers::of(usual), t, direction)
}

fn union(ranges: Vec<Interval>) -> Interval {
    ranges.into_iter().reduce(Interval::union).expect("a degree is not 0")
}
