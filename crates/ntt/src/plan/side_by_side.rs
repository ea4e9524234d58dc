//! Polynomials side by side: rows of words, one of each polynomial. All layers lie between vectors.

use super::order::Order;
use crate::{
    ring::SlotOrder,
    transform::{Given, Transform},
    word::Word,
};
use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use std::sync::{Mutex, PoisonError};

/// The transform of a plan for a number of polynomials side by side.
pub(super) struct Rows<T: Word> {
    transform: Transform<T>,
    /// From the order in which layers split slots to that of the plan.
    order: Order,
    /// Whether slots are reduced after a forward transform, and before an inverse one: the ranges of the two transforms
    /// differ.
    reduced: [bool; 2],
}

impl<T: Word> Rows<T> {
    /// `None` where the method leaves other factors, or nothing could be proved.
    fn of(plan: &Transform<T>, order: SlotOrder, width: usize) -> Option<Self> {
        let transform = Transform::from_recipe(plan.recipe().side_by_side(width).ok()?);
        let [slots, own] = [plan, &transform].map(|transform| transform.certificate().slots());
        let taken = own.union(transform.certificate().input());
        let same = transform.forward_factor() == plan.forward_factor();
        let reduced = [!slots.holds(own), !taken.holds(slots)];
        same.then(|| Self { order: Order::of_rows(plan, &transform, order, width), transform, reduced })
    }

    /// As `Plan::forward` on each polynomial.
    pub(super) fn forward(&self, a: &mut [T]) {
        self.transform.forward(a);
        if self.reduced[0] {
            self.transform.canonical(a);
        }
        self.order.apply(a);
    }

    /// As `Plan::inverse` on each polynomial.
    pub(super) fn inverse(&self, a: &mut [T]) {
        self.order.undo(a);
        if self.reduced[1] {
            self.transform.canonical(a);
        }
        self.transform.undo_to_canonical(Given::Slots, a);
    }
}

/// Numbers of polynomials for which a plan keeps transforms.
const KEPT: usize = 4;

type Made<T> = (usize, Option<Arc<Rows<T>>>);

/// The transforms that were made, each for a number of polynomials.
pub(crate) struct SideBySide<T: Word>(Mutex<Vec<Made<T>>>);

impl<T: Word> SideBySide<T> {
    /// The transform for `width` polynomials side by side, a multiple of the lanes: made at the first call.
    pub(super) fn rows(&self, plan: &Transform<T>, order: SlotOrder, width: usize) -> Option<Arc<Rows<T>>> {
        let find = || {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.iter().find(|(of, _)| *of == width).map(|(_, rows)| rows.clone())
        };
        find().unwrap_or_else(|| {
            let made = Rows::of(plan, order, width).map(Arc::new);
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.truncate(KEPT - 1);
            kept.insert(0, (width, made.clone()));
            made
        })
    }
}

impl<T: Word> Default for SideBySide<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Word> Clone for SideBySide<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T: Word> fmt::Debug for SideBySide<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SideBySide")
    }
}
