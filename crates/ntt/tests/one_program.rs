//! What is proved, derived and counted is what runs: the interpreter of the models and a kernel of a machine's form are
//! driven by the same functions, and do the same operations in the same order.

use ringwork_ntt::{
    Backend, Direction, PreReduction, Request, Ring,
    internals::{
        model::{Algebra, Value, interpret},
        network::{
            Border, Each, Elementwise, ExactProducts, Forward, InnerProduct, Inverse, Inversion, Job, Kernel,
            Pointwise, Program, Residues, SlotStep, Summation, ToCanonical, inversion_scratch,
        },
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Load,
    Store,
    Row(usize, usize),
    Share(bool),
    Twiddle(usize),
    TwiddleOfLanes(usize),
    Scaling,
    Add,
    Sub,
    Reduce,
    Multiply,
    MultiplyVariables,
    Dot(usize),
    Interleave(usize),
    Zip,
    Canonical,
    CanonicalOfSum(bool),
    AddModulus,
    SubModulus,
    Layer(usize),
}
use Operation::*;

/// A kernel whose lanes and whose kind of products the compiler knows, as those of machines are.
struct Machine<const LANES: usize, const WIDE: bool> {
    chunk: usize,
    trace: Vec<Operation>,
}

impl<const LANES: usize, const WIDE: bool> Machine<LANES, WIDE> {
    fn note(&mut self, operation: Operation) {
        self.trace.push(operation);
    }
}

impl<const LANES: usize, const WIDE: bool> Kernel for Machine<LANES, WIDE> {
    type V = ();
    type Tw = ();
    type Block = ();
    const LANES: Option<usize> = Some(LANES);
    const WIDE: Option<bool> = Some(WIDE);
    const INSIDE: bool = LANES > 1;

    fn lanes(&self) -> usize {
        LANES
    }
    fn chunk(&self) -> usize {
        self.chunk
    }
    fn is_wide(&self) -> bool {
        WIDE
    }
    fn load(&mut self, (): &()) {
        self.note(Load);
    }
    fn store(&mut self, (): &mut (), (): ()) {
        self.note(Store);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.note(Row(broadcast, lanewise));
        Some(())
    }
    fn share(&mut self, shared: bool) {
        self.note(Share(shared));
    }
    fn twiddle(&mut self, i: usize) {
        self.note(Twiddle(i));
    }
    fn twiddle_lanes(&mut self, i: usize) {
        self.note(TwiddleOfLanes(i));
    }
    fn scaling(&mut self) -> [(); 2] {
        [self.note(Scaling), self.note(Scaling)]
    }
    fn add(&mut self, (): (), (): ()) {
        self.note(Add);
    }
    fn sub(&mut self, (): (), (): ()) {
        self.note(Sub);
    }
    fn reduce(&mut self, (): ()) {
        self.note(Reduce);
    }
    fn mul<const P: usize>(&mut self, x: [(); P], _: [(); P]) -> [(); P] {
        x.map(|()| self.note(Multiply))
    }
    fn mul_var(&mut self, (): (), (): ()) {
        self.note(MultiplyVariables);
    }
    fn dots<const P: usize, const J: usize>(&mut self, _: &[(); P], _: &[()]) -> [(); J] {
        [(); J].map(|()| self.note(Dot(P)))
    }
    fn interleave<const K: usize>(&mut self, (): (), (): ()) -> ((), ()) {
        self.note(Interleave(K));
        ((), ())
    }
    fn zip(&mut self, (): (), (): ()) -> ((), ()) {
        self.note(Zip);
        ((), ())
    }
    fn layer(&mut self, layer: usize) {
        self.note(Layer(layer));
    }
}

impl<const LANES: usize, const WIDE: bool> Residues for Machine<LANES, WIDE> {
    fn canonical(&mut self, (): ()) {
        self.note(Canonical);
    }
    fn canonical_of_sum<const MORE: bool>(&mut self, (): ()) {
        self.note(CanonicalOfSum(MORE));
    }
    fn add_q_to_negative(&mut self, (): ()) {
        self.note(AddModulus);
    }
    fn sub_q_above_half(&mut self, (): ()) {
        self.note(SubModulus);
    }
}

impl<const LANES: usize, const WIDE: bool> ExactProducts for Machine<LANES, WIDE> {
    fn mul_exact(&mut self, (): (), (): ()) {}
}

/// A model that notes what it is asked for.
struct Model {
    lanes: usize,
    bits: u32,
    wide: bool,
    trace: Vec<Operation>,
}

impl Model {
    fn note(&mut self, operation: Operation) -> Value {
        self.trace.push(operation);
        Value::default()
    }
}

impl Algebra for Model {
    fn lanes(&self) -> usize {
        self.lanes
    }
    fn bits(&self) -> u32 {
        self.bits
    }
    fn adds_up_wide(&self) -> bool {
        self.wide
    }
    fn load(&mut self, _: Value) -> Value {
        self.note(Load)
    }
    fn store(&mut self, _: &mut Value, _: Value) {
        self.note(Store);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.note(Row(broadcast, lanewise));
        Some(())
    }
    fn share(&mut self, shared: bool) {
        self.note(Share(shared));
    }
    fn twiddle(&mut self, i: usize) -> usize {
        self.note(Twiddle(i)).into()
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        self.note(TwiddleOfLanes(i)).into()
    }
    fn scaling(&mut self, _: usize) -> usize {
        self.note(Scaling).into()
    }
    fn add(&mut self, _: Value, _: Value) -> Value {
        self.note(Add)
    }
    fn sub(&mut self, _: Value, _: Value) -> Value {
        self.note(Sub)
    }
    fn reduce(&mut self, _: Value) -> Value {
        self.note(Reduce)
    }
    fn mul(&mut self, _: usize, _: Value, _: usize) -> Value {
        self.note(Multiply)
    }
    fn mul_var(&mut self, _: Value, _: Value) -> Value {
        self.note(MultiplyVariables)
    }
    fn mul_exact(&mut self, x: Value, _: usize) -> Value {
        x
    }
    fn dot(&mut self, x: &[Value], _: &[Value]) -> Value {
        self.note(Dot(x.len()))
    }
    fn interleave(&mut self, block: usize, a: Value, b: Value) -> [Value; 2] {
        self.note(Interleave(block));
        [a, b]
    }
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2] {
        self.note(Zip);
        [a, b]
    }
    fn canonical(&mut self, _: Value) -> Value {
        self.note(Canonical)
    }
    fn canonical_of_sum(&mut self, more: bool, _: Value) -> Value {
        self.note(CanonicalOfSum(more))
    }
    fn add_q_to_negative(&mut self, _: Value) -> Value {
        self.note(AddModulus)
    }
    fn sub_q_above_half(&mut self, _: Value) -> Value {
        self.note(SubModulus)
    }
    fn layer(&mut self, layer: usize) {
        self.note(Layer(layer));
    }
}

/// The operations of a job on sequences with these numbers of vectors; both kernels must run the same ones.
fn same<const LANES: usize, const WIDE: bool, J: Job<M, N>, const M: usize, const N: usize>(
    bits: u32,
    job: J,
    vectors: [usize; 2],
) -> Vec<Operation> {
    let chunk = LANES.min((128 / bits) as usize);
    let mut machine = Machine::<LANES, WIDE> { chunk, trace: Vec::new() };
    let mut written = [(); M].map(|()| vec![(); vectors[0]]);
    let read = vec![(); vectors[1]];
    job.run(&mut machine, written.each_mut().map(|out| &mut out[..]), [&read[..]; N]).expect("a table without end");

    let mut model = Model { lanes: LANES, bits, wide: WIDE, trace: Vec::new() };
    let mut written = [(); M].map(|()| vec![Value::default(); vectors[0]]);
    let read = vec![Value::default(); vectors[1]];
    interpret(job, &mut model, written.each_mut().map(|out| &mut out[..]), [&read[..]; N]).expect("no end here");
    assert_eq!(machine.trace.len(), model.trace.len());
    assert!(machine.trace == model.trace);
    machine.trace
}

fn transforms_and_products<const LANES: usize>(request: &Request, bits: u32) {
    let recipe = request.recipe(bits).unwrap();
    assert_eq!(recipe.lanes(), LANES);
    let (schedules, vectors, degree) = (recipe.schedules(), recipe.n() / LANES, recipe.slot_degree());
    for reduce in [false, true] {
        let border = Border { reduce, ..Border::NOTHING };
        let steps = schedules.steps(Direction::Forward);
        let program = Program { blocks: recipe.blocks(), border, ..Program::new(recipe.passes(), steps) };
        let trace = same::<LANES, false, _, 1, 0>(bits, Forward { program }, [vectors, 0]);
        let products = trace.iter().filter(|operation| **operation == Multiply).count();
        assert_eq!(products as u64, recipe.counts()[0].products, "what is counted runs");
    }
    let border =
        |canonical| Border { reduce: schedules.before_inverse() == PreReduction::All, canonical, ..Border::NOTHING };
    for canonical in [ToCanonical::Never, ToCanonical::FromReduced, ToCanonical::ByReduction] {
        let steps = schedules.steps(Direction::Inverse);
        let border = border(canonical);
        let program = Program { blocks: recipe.blocks(), border, ..Program::new(recipe.passes(), steps) };
        same::<LANES, false, _, 1, 0>(bits, Inverse { program }, [vectors, 0]);
    }
    for wide in [false, true] {
        let step = SlotStep { operands: true, sums: false, wide };
        same::<LANES, true, _, 1, 2>(bits, Pointwise { step, degree }, [vectors; 2]);
        same::<LANES, false, _, 1, 2>(bits, Pointwise { step: SlotStep { wide: false, ..step }, degree }, [vectors; 2]);
    }
    if degree <= 4 {
        for canonical in [false, true] {
            let sums = Summation { stride: recipe.n(), every: 2, canonical };
            let job = InnerProduct { step: SlotStep::default(), sums, degree };
            let vectors_read = 3 * vectors;
            let trace = same::<LANES, false, _, 1, 2>(bits, job, [vectors, vectors_read]);
            let count = |what| trace.iter().filter(|operation| **operation == what).count();
            assert!(count(MultiplyVariables) >= vectors_read);
            assert_eq!(count(Canonical), if canonical { vectors } else { 0 });
        }
    }
    let groups = vectors / degree;
    let job = Inversion { step: SlotStep::default(), groups, degree, exponent: recipe.q() - 2 };
    same::<LANES, false, _, 2, 1>(bits, job, [vectors.max(inversion_scratch(groups, degree)), vectors]);
}

/// F2: transforms of every kind of pass, products, inner products and inverses.
#[test]
fn machines_and_models_do_the_same() {
    for depth in [4, 5, 6, 7, 8] {
        let request = Request::new(256, 12289).depth(depth);
        transforms_and_products::<1>(&request.backend(Backend::Scalar), 16);
        if depth >= 6 {
            transforms_and_products::<4>(&request.backend(Backend::Array64), 16);
            transforms_and_products::<16>(&request.backend(Backend::Array256), 16);
        }
    }
    transforms_and_products::<16>(&Request::new(768, 7681).ring(Ring::Trinomial).backend(Backend::Array256), 16);
    transforms_and_products::<8>(&Request::new(192, 7681).backend(Backend::Array256), 32);
    transforms_and_products::<4>(&Request::new(1 << 12, 1_073_479_681).backend(Backend::Array256), 64);
    // In blocks, with a twist.
    transforms_and_products::<8>(&Request::new(1 << 18, 1_073_479_681).backend(Backend::Array256), 32);
}

/// What lies between transforms.
#[test]
fn element_wise_operations_are_the_same() {
    let unary = [
        Elementwise::Reduce,
        Elementwise::Scale,
        Elementwise::Canonical,
        Elementwise::CanonicalOfReduced,
        Elementwise::Centre,
    ];
    let of_pairs = [
        Elementwise::Add { negative: false },
        Elementwise::Add { negative: true },
        Elementwise::AddCentred { negative: false },
        Elementwise::AddCentred { negative: true },
        Elementwise::AddWords,
        Elementwise::AddReduced,
        Elementwise::ScaleAndAdd,
        Elementwise::ScaleAndAddSmall,
        Elementwise::SubtractAndScale,
    ];
    for how in unary.into_iter().chain(of_pairs) {
        let trace = same::<8, false, _, 1, 1>(32, Each { how }, [5, 5]);
        assert_eq!(trace.iter().filter(|operation| **operation == Store).count(), 5, "{how:?}");
    }
}
