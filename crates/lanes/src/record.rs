//! A lane that computes nothing: it records which operations would run, as data.
//!
//! [`Recorder`] implements the lane traits with one lane, whose vector is the number of a [`Node`]. Running generic
//! code on it gives the graph of its operations, for programs that prove something about that code or translate it. What an operation means is what the traits say; a provided method is one operation too, since machines have their
//! own. Operations that move words between lanes or memory have no node: they panic.
//!
//! A graph belongs to its thread, while [`record`] runs.

use crate::{Lanes, Lanes16, Lanes64, LanesWide, sealed::Sealed};
use core::marker::PhantomData;
use std::{cell::RefCell, vec::Vec};

/// The number of a node: a vector of the recorder, or a value of twice its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recorded(pub usize);

/// One operation and its operands, which are earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Bits of the lane on which it ran.
    pub bits: u32,
    /// The operation.
    pub op: Op,
    /// Its operands, in the order of the method's arguments.
    pub of: Vec<Recorded>,
    /// A constant, the number of an input, or the distance of a shift.
    pub number: i64,
}

/// What a node does, called as the method that recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the methods of the traits say what they mean")]
pub enum Op {
    /// [`Node::number`] is its number.
    Input,
    /// [`Node::number`] is its value.
    Constant,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    ShrLogical,
    Gt,
    Negative,
    MulLo,
    MulHi,
    MulRound,
    WidenMul,
    WidenMulUnsigned,
    WidenMulLow,
    WidenMulLowUnsigned,
    WideAdd,
    WideSub,
    WideShr,
    NarrowLo,
    NarrowHi,
    NarrowHiOfEqualLows,
    GtUnsigned,
    SubOrAdd,
    MinUnsigned,
    MulHiNear,
    MulLowHalves,
    MulDifference,
    ReduceNear,
    Mul52Lo,
    Mul52Hi,
    MulByDouble,
    MulVarByDouble,
    ReduceByDouble,
}

std::thread_local! {
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// Runs `code`, and returns its result with all nodes that it recorded.
///
/// **Panics** if another recording of this thread is under way.
pub fn record<T>(code: impl FnOnce() -> T) -> (T, Vec<Node>) {
    NODES.with_borrow(|nodes| assert!(nodes.is_empty(), "a recording inside another one"));
    let result = code();
    (result, NODES.take())
}

/// One lane of words `T` that records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorder<T>(PhantomData<T>);

impl<T> Recorder<T>
where
    Self: Lanes<V = Recorded>,
{
    /// A recorder needs no proof.
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// A word that is not known: input number `number`.
    pub fn input(self, number: usize) -> Recorded {
        node::<Self>(Op::Input, &[], number as i64)
    }
}

fn node<L: Lanes>(op: Op, of: &[Recorded], number: i64) -> Recorded {
    NODES.with_borrow_mut(|nodes| {
        nodes.push(Node { bits: L::BITS, op, of: of.to_vec(), number });
        Recorded(nodes.len() - 1)
    })
}

#[cold]
fn moves_words(operation: &str) -> ! {
    panic!("`{operation}` moves words or bytes: the recorder has no operation for that")
}

impl<T> Sealed for Recorder<T> {}

/// Methods that record one operation.
macro_rules! operations {
    ($($method:ident($($operand:ident: $of:ty),*) -> $result:ty = $op:ident;)*) => {$(
        fn $method(self, $($operand: $of),*) -> $result {
            node::<Self>(Op::$op, &[$($operand),*], 0)
        }
    )*};
}

macro_rules! recorder {
    ($word:ty) => {
        impl Lanes for Recorder<$word> {
            type Word = $word;
            type V = Recorded;
            type Block = [$word; 1];
            const LANES: usize = 1;
            const REPEAT: usize = 1;

            fn word(x: i64) -> $word {
                x as $word
            }
            fn blocks(a: &[$word]) -> &[[$word; 1]] {
                a.as_chunks().0
            }
            fn blocks_mut(a: &mut [$word]) -> &mut [[$word; 1]] {
                a.as_chunks_mut().0
            }
            fn load(self, b: &[$word; 1]) -> Recorded {
                self.splat(b[0])
            }
            fn store(self, _: &mut [$word; 1], _: Recorded) {
                moves_words("store")
            }
            fn splat(self, x: $word) -> Recorded {
                node::<Self>(Op::Constant, &[], x.into())
            }
            fn broadcast(self, words: &[$word]) -> Recorded {
                self.splat(words[0])
            }
            fn unpack<const W: usize>(self, _: &[u8], _: usize) -> Recorded {
                moves_words("unpack")
            }
            operations! {
                add(a: Recorded, b: Recorded) -> Recorded = Add;
                sub(a: Recorded, b: Recorded) -> Recorded = Sub;
                and(a: Recorded, b: Recorded) -> Recorded = And;
                or(a: Recorded, b: Recorded) -> Recorded = Or;
                xor(a: Recorded, b: Recorded) -> Recorded = Xor;
                gt(a: Recorded, b: Recorded) -> Recorded = Gt;
                negative(a: Recorded) -> Recorded = Negative;
                mul_lo(a: Recorded, b: Recorded) -> Recorded = MulLo;
            }
            fn shl<const S: i32>(self, a: Recorded) -> Recorded {
                node::<Self>(Op::Shl, &[a], S.into())
            }
            fn shr<const S: i32>(self, a: Recorded) -> Recorded {
                node::<Self>(Op::Shr, &[a], S.into())
            }
            fn shr_logical<const S: i32>(self, a: Recorded) -> Recorded {
                node::<Self>(Op::ShrLogical, &[a], S.into())
            }
            fn shr_by(self, a: Recorded, s: u32) -> Recorded {
                node::<Self>(Op::Shr, &[a], s.into())
            }
            fn shl_by(self, a: Recorded, s: u32) -> Recorded {
                node::<Self>(Op::Shl, &[a], s.into())
            }
            fn interleave<const K: usize>(self, _: Recorded, _: Recorded) -> (Recorded, Recorded) {
                moves_words("interleave")
            }
            fn zip(self, _: Recorded, _: Recorded) -> (Recorded, Recorded) {
                moves_words("zip")
            }
            fn compact(self, _: Recorded, _: Recorded, _: &mut [$word; 1]) -> usize {
                moves_words("compact")
            }
        }
    };
}

recorder!(i16);
recorder!(i32);
recorder!(i64);

impl Lanes16 for Recorder<i16> {
    type Table = ();

    operations! {
        mul_hi(a: Recorded, b: Recorded) -> Recorded = MulHi;
        mul_round(a: Recorded, b: Recorded) -> Recorded = MulRound;
    }
    fn table(self, _: &[u8; 16]) {
        moves_words("table")
    }
    fn lookup_bytes(self, (): (), _: Recorded) -> Recorded {
        moves_words("lookup_bytes")
    }
    fn gt_bytes(self, _: Recorded, _: Recorded) -> Recorded {
        moves_words("gt_bytes")
    }
    fn eq_bytes(self, _: Recorded, _: Recorded) -> Recorded {
        moves_words("eq_bytes")
    }
}

macro_rules! wide_recorder {
    ($word:ty) => {
        impl LanesWide for Recorder<$word> {
            type Wide = Recorded;

            operations! {
                widen_mul(a: Recorded, b: Recorded) -> Recorded = WidenMul;
                widen_mul_unsigned(a: Recorded, b: Recorded) -> Recorded = WidenMulUnsigned;
                widen_mul_low(a: Recorded, b: Recorded) -> Recorded = WidenMulLow;
                widen_mul_low_unsigned(a: Recorded, b: Recorded) -> Recorded = WidenMulLowUnsigned;
                wide_add(a: Recorded, b: Recorded) -> Recorded = WideAdd;
                wide_sub(a: Recorded, b: Recorded) -> Recorded = WideSub;
                narrow_lo(a: Recorded) -> Recorded = NarrowLo;
                narrow_hi(a: Recorded) -> Recorded = NarrowHi;
                narrow_hi_of_equal_lows(a: Recorded, b: Recorded) -> Recorded = NarrowHiOfEqualLows;
                gt_unsigned(a: Recorded, b: Recorded) -> Recorded = GtUnsigned;
                sub_or_add(a: Recorded, b: Recorded, q: Recorded) -> Recorded = SubOrAdd;
                min_unsigned(a: Recorded, b: Recorded) -> Recorded = MinUnsigned;
            }
            fn wide_shr(self, a: Recorded, s: u32) -> Recorded {
                node::<Self>(Op::WideShr, &[a], s.into())
            }
        }
    };
}

wide_recorder!(i32);
wide_recorder!(i64);

impl Lanes64 for Recorder<i64> {
    operations! {
        mul_hi_near(a: Recorded, v: Recorded) -> Recorded = MulHiNear;
        mul_low_halves(a: Recorded, b: Recorded) -> Recorded = MulLowHalves;
        mul_difference(x: Recorded, w: Recorded, h: Recorded, q: Recorded) -> Recorded = MulDifference;
        mul52_lo(c: Recorded, a: Recorded, b: Recorded) -> Recorded = Mul52Lo;
        mul52_hi(c: Recorded, a: Recorded, b: Recorded) -> Recorded = Mul52Hi;
        mul_by_double(x: Recorded, w: Recorded, v: Recorded, q: Recorded) -> Recorded = MulByDouble;
        mul_var_by_double(x: Recorded, y: Recorded, v: Recorded, q: Recorded) -> Recorded = MulVarByDouble;
        reduce_by_double(x: Recorded, v: Recorded, q: Recorded) -> Recorded = ReduceByDouble;
    }
    fn reduce_near(self, x: Recorded, c: Recorded, s: u32, q: Recorded) -> Recorded {
        node::<Self>(Op::ReduceNear, &[x, c, q], s.into())
    }
}
