//! Plans and their verbs.

use crate::border::{Failure, Status, answer, check_apart, facts, free, give, place, read, words, words_mut};
use ntt::{AnyPlan, Batch, InputError, Plan, Request, Ring, SlotOrder, Word};

/// `ringwork_request`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RingworkRequest {
    size: usize,
    n: usize,
    q: u64,
    ring: u32,
    order: u32,
    bits: u32,
    depth: u32,
    root: u64,
    shift: u64,
}

/// The numbers of rings.
pub(crate) fn ring(number: u32) -> Result<Ring, Failure> {
    let found = [Ring::Negacyclic, Ring::Cyclic, Ring::Trinomial].get(number as usize).copied();
    found.ok_or_else(|| {
        let names = "0 (negacyclic), 1 (cyclic), 2 (trinomial)";
        Status::Plan.because(format!("ring {number} is none of {names}"))
    })
}

fn order(number: u32) -> Result<SlotOrder, Failure> {
    let found = [SlotOrder::Canonical, SlotOrder::BitReversed, SlotOrder::Native].get(number as usize).copied();
    found.ok_or_else(|| {
        let names = "0 (natural), 1 (bit-reversed), 2 (native)";
        Status::Plan.because(format!("order {number} is none of {names}"))
    })
}

impl RingworkRequest {
    fn plan(&self) -> Result<AnyPlan, Failure> {
        let mut request = Request::new(self.n, self.q).ring(ring(self.ring)?).slot_order(order(self.order)?);
        if self.depth != 0 {
            request = request.depth(self.depth);
        }
        if self.root != 0 {
            request = request.root(self.root);
        }
        if self.shift != 0 {
            request = request.shift(self.shift);
        }
        let decision = match self.bits {
            0 => request.decide_any(),
            bits => request.decide(bits),
        };
        decision.map(AnyPlan::from_decision).map_err(|error| Status::Plan.because(error))
    }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_plan_new(request: *const RingworkRequest, plan: *mut *mut AnyPlan) -> i32 {
    answer(|| {
        if request.is_null() || plan.is_null() {
            return Err(Status::Null.because("request or plan is NULL"));
        }
        // SAFETY: the first field is there in every version of the structure.
        let size = unsafe { (&raw const (*request).size).read_unaligned() };
        if size != size_of::<RingworkRequest>() {
            let expected = size_of::<RingworkRequest>();
            return Err(Status::Length.because(format!("request.size is {size}, and this library's {expected}")));
        }
        // SAFETY: it has the size of the structure.
        let made = unsafe { request.read_unaligned() }.plan()?;
        // SAFETY: a place for a pointer, as the header says.
        unsafe { give(plan, made) };
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_plan_free(plan: *mut AnyPlan) {
    // SAFETY: as the header says.
    unsafe { free(plan) };
}

facts! {
    of AnyPlan:
    ringwork_plan_n: usize = |plan| plan.n();
    ringwork_plan_q: u64 = |plan| plan.q();
    ringwork_plan_words: usize = |plan| plan.ntt_len();
    ringwork_plan_bits: u32 = |plan| plan.bits();
    ringwork_plan_is_signed: i32 = |plan| i32::from(!matches!(plan, AnyPlan::U32(_) | AnyPlan::U64(_)));
    ringwork_plan_root: u64 = |plan| plan.recipe().filter(|it| it.layers() > 0).map_or(0, ntt::Recipe::root);
}

fn refused(error: InputError) -> Failure {
    match error {
        InputError::Length { .. } => Status::Length.because(error),
        _ => Status::Range.because(error),
    }
}

/// Words of polynomials.
fn length<T>(of_each: usize, count: usize) -> Result<usize, Failure> {
    let words = of_each.checked_mul(count).filter(|words| *words <= isize::MAX as usize / size_of::<T>());
    words.ok_or_else(|| {
        Status::Length.because(format!("{count} polynomials of {of_each} words are more than memory holds"))
    })
}

/// **Errors** if slots of a transform modulo `q` itself are out of range. Those of residue channels have none.
fn check_slots<T: Word>(plan: &Plan<T>, slots: &[T]) -> Result<(), Failure> {
    if plan.recipe().is_none() {
        return Ok(());
    }
    slots.chunks_exact(plan.n()).enumerate().try_for_each(|(i, slots)| {
        plan.check(slots).map_err(|error| {
            let message = if i == 0 { error.to_string() } else { format!("polynomial {i}: {error}") };
            Status::Range.because(message)
        })
    })
}

type Verb<T> = fn(&Plan<T>, &mut [T], &[T], &[T]) -> Result<(), Failure>;

/// A verb with a result apart from its operands.
///
/// # Safety
/// Pointers are null, or point to so many words.
unsafe fn three<T: Word>(
    plan: &Plan<T>,
    [c, a, b]: [*const T; 3],
    length: usize,
    verb: Verb<T>,
) -> Result<(), Failure> {
    check_apart(place("c", c, length), place("a", a, length))?;
    check_apart(place("c", c, length), place("b", b, length))?;
    // SAFETY: as the caller promises; what is written is apart.
    let (c, a, b) = unsafe { (words_mut("c", c.cast_mut(), length)?, words("a", a, length)?, words("b", b, length)?) };
    if length == 0 { Ok(()) } else { verb(plan, c, a, b) }
}

fn pointwise<T: Word>(plan: &Plan<T>, c: &mut [T], a: &[T], b: &[T]) -> Result<(), Failure> {
    check_slots(plan, a)?;
    check_slots(plan, b)?;
    let n = plan.ntt_len();
    for ((c, a), b) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)).zip(b.chunks_exact(n)) {
        plan.to_ntt(plan.pointwise(c, a, b));
    }
    Ok(())
}

fn forward<T: Word>(plan: &Plan<T>, a: &mut [T]) -> Result<(), Failure> {
    plan.try_forward_many(a).map_err(refused)?;
    if plan.recipe().is_some() {
        plan.canonical(a);
    }
    Ok(())
}

fn inverse<T: Word>(plan: &Plan<T>, a: &mut [T]) -> Result<(), Failure> {
    check_slots(plan, a)?;
    plan.inverse_many(a);
    Ok(())
}

/// Two polynomials whose sum or difference replaces the first one.
fn in_place<T: Word>(
    plan: &Plan<T>,
    a: &mut [T],
    b: &[T],
    verb: impl Fn(&Plan<T>, &mut [T], &[T]),
) -> Result<(), Failure> {
    for operand in [&*a, b] {
        operand.chunks_exact(plan.n()).try_for_each(|it| plan.check(it)).map_err(refused)?;
    }
    verb(plan, a, b);
    Ok(())
}

/// Transforms in a layout of the caller's.
///
/// # Safety
/// The pointer is null, or points to as many words as the batch has.
unsafe fn in_batch<T: Word>(
    plan: &Plan<T>,
    a: *mut T,
    [count, distance, stride]: [usize; 3],
    is_forward: bool,
) -> Result<(), Failure> {
    let n = plan.ntt_len();
    if count == 0 {
        return Ok(());
    }
    let last = (count - 1).checked_mul(distance).zip((n - 1).checked_mul(stride));
    let span = last.and_then(|(between, inside)| between.checked_add(inside)?.checked_add(1));
    let apart =
        count == 1 || (n - 1).saturating_mul(stride) < distance || (count - 1).saturating_mul(distance) < stride;
    let span = span.filter(|_| stride > 0 && apart && (count == 1 || distance > 0)).ok_or_else(|| {
        let layout = format!("{count} polynomials of {n} words with distance {distance} and stride {stride}");
        Status::Length.because(format!("{layout} overlap, or are beyond all memory"))
    })?;
    // SAFETY: as the caller promises.
    let data = unsafe { words_mut("a", a, span)? };
    let batch = if count > 1 && distance == 1 && stride == count {
        Batch::new(count).interleaved()
    } else {
        Batch::new(count).distance(distance.max(1)).stride(stride)
    };
    let at = |i: usize, k: usize| i * distance + k * stride;
    let mut polynomial = ntt::Buffer::zeros(n);
    for i in 0..count {
        (0..n).for_each(|k| polynomial.words_mut()[k] = data[at(i, k)]);
        let checked = &polynomial.words()[..if is_forward { plan.n() } else { n }];
        if is_forward || plan.recipe().is_some() {
            plan.check(checked).map_err(|error| Status::Range.because(format!("polynomial {i}: {error}")))?;
        }
    }
    if is_forward {
        plan.forward_batch(data, batch)
    } else {
        plan.inverse_batch(data, batch)
    }
    if is_forward && plan.recipe().is_some() {
        for i in 0..count {
            (0..n).for_each(|k| polynomial.words_mut()[k] = data[at(i, k)]);
            plan.canonical(polynomial.words_mut());
            (0..n).for_each(|k| data[at(i, k)] = polynomial.words()[k]);
        }
    }
    Ok(())
}

/// Runs with the plan, if it has these words.
macro_rules! with_words {
    ($plan:ident, $variant:ident, $type:ty, |$typed:ident| $body:expr) => {
        answer(|| {
            // SAFETY: null, or a plan.
            match unsafe { read("plan", $plan)? } {
                AnyPlan::$variant($typed) => $body,
                other => {
                    let (bits, name) = (other.bits(), stringify!($type));
                    let signed = if matches!(other, AnyPlan::U32(_) | AnyPlan::U64(_)) { "unsigned" } else { "signed" };
                    Err(Status::Word.because(format!("the plan has {signed} words of {bits} bits, not {name}")))
                }
            }
        })
    };
}

macro_rules! verbs {
    ($($variant:ident $type:ident: $multiply:ident $forward:ident $inverse:ident $pointwise:ident $add:ident
       $subtract:ident $forward_batch:ident $inverse_batch:ident;)*) => {$(
        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $multiply(
            plan: *const AnyPlan, c: *mut $type, a: *const $type, b: *const $type, count: usize,
        ) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                let verb: Verb<$type> = |plan, c, a, b| plan.try_multiply_many(c, a, b).map_err(refused);
                // SAFETY: as the header says.
                unsafe { three(plan, [c, a, b], length::<$type>(plan.n(), count)?, verb) }
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $forward(plan: *const AnyPlan, a: *mut $type, count: usize) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                // SAFETY: as the header says.
                let a = unsafe { words_mut("a", a, length::<$type>(plan.ntt_len(), count)?)? };
                if a.is_empty() { Ok(()) } else { forward(plan, a) }
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $inverse(plan: *const AnyPlan, a: *mut $type, count: usize) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                // SAFETY: as the header says.
                let a = unsafe { words_mut("a", a, length::<$type>(plan.ntt_len(), count)?)? };
                if a.is_empty() { Ok(()) } else { inverse(plan, a) }
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $pointwise(
            plan: *const AnyPlan, c: *mut $type, a: *const $type, b: *const $type, count: usize,
        ) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                // SAFETY: as the header says.
                unsafe { three(plan, [c, a, b], length::<$type>(plan.ntt_len(), count)?, pointwise) }
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $add(plan: *const AnyPlan, a: *mut $type, b: *const $type, count: usize) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                let length = length::<$type>(plan.n(), count)?;
                check_apart(place("a", a, length), place("b", b, length))?;
                // SAFETY: as the header says.
                let (a, b) = unsafe { (words_mut("a", a, length)?, words("b", b, length)?) };
                in_place(plan, a, b, Plan::add)
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $subtract(plan: *const AnyPlan, a: *mut $type, b: *const $type, count: usize) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                let length = length::<$type>(plan.n(), count)?;
                check_apart(place("a", a, length), place("b", b, length))?;
                // SAFETY: as the header says.
                let (a, b) = unsafe { (words_mut("a", a, length)?, words("b", b, length)?) };
                in_place(plan, a, b, Plan::sub)
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $forward_batch(
            plan: *const AnyPlan, a: *mut $type, count: usize, distance: usize, stride: usize,
        ) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                // SAFETY: as the header says.
                unsafe { in_batch(plan, a, [count, distance, stride], true) }
            })
        }

        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $inverse_batch(
            plan: *const AnyPlan, a: *mut $type, count: usize, distance: usize, stride: usize,
        ) -> i32 {
            with_words!(plan, $variant, $type, |plan| {
                // SAFETY: as the header says.
                unsafe { in_batch(plan, a, [count, distance, stride], false) }
            })
        }
    )*};
}
verbs! {
    I16 i16: ringwork_multiply_i16 ringwork_forward_i16 ringwork_inverse_i16 ringwork_pointwise_i16 ringwork_add_i16
        ringwork_subtract_i16 ringwork_forward_batch_i16 ringwork_inverse_batch_i16;
    I32 i32: ringwork_multiply_i32 ringwork_forward_i32 ringwork_inverse_i32 ringwork_pointwise_i32 ringwork_add_i32
        ringwork_subtract_i32 ringwork_forward_batch_i32 ringwork_inverse_batch_i32;
    I64 i64: ringwork_multiply_i64 ringwork_forward_i64 ringwork_inverse_i64 ringwork_pointwise_i64 ringwork_add_i64
        ringwork_subtract_i64 ringwork_forward_batch_i64 ringwork_inverse_batch_i64;
    U32 u32: ringwork_multiply_u32 ringwork_forward_u32 ringwork_inverse_u32 ringwork_pointwise_u32 ringwork_add_u32
        ringwork_subtract_u32 ringwork_forward_batch_u32 ringwork_inverse_batch_u32;
    U64 u64: ringwork_multiply_u64 ringwork_forward_u64 ringwork_inverse_u64 ringwork_pointwise_u64 ringwork_add_u64
        ringwork_subtract_u64 ringwork_forward_batch_u64 ringwork_inverse_batch_u64;
}
