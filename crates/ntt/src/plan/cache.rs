//! A cache of plans.

use super::single::Plan;
use crate::{planner::PlanError, planner::Request, word::Word};
use alloc::sync::Arc;
use core::any::{Any, TypeId};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Keeps the plans it has made: equal requests in equal words have one plan.
///
/// Threads may share a planner; plans are made outside its lock, so that nobody waits for the plan
/// of another request. It keeps every plan as long as it lives. Refusals are not kept.
///
/// ```
/// use ringwork_ntt::{Planner, Request};
/// let planner = Planner::new();
/// let plan = planner.plan::<i16>(&Request::new(1024, 12289))?;
/// let same = planner.plan::<i16>(&Request::new(1024, 12289))?;
/// assert!(std::sync::Arc::ptr_eq(&plan, &same));
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Default)]
pub struct Planner {
    plans: Mutex<HashMap<Key, Arc<dyn Any + Send + Sync>>>,
}

/// A request, and the type of its words.
type Key = (Request, TypeId);

impl Planner {
    /// Without plans.
    pub fn new() -> Self {
        Self::default()
    }

    /// The plan for a request, made if it is the first of its kind.
    ///
    /// **Errors** as [`Plan::with`].
    pub fn plan<T: Word + 'static>(&self, request: &Request) -> Result<Arc<Plan<T>>, PlanError> {
        let key = (*request, TypeId::of::<T>());
        let known = self.plans().get(&key).cloned();
        let plan = match known {
            Some(plan) => plan,
            None => {
                let made: Arc<dyn Any + Send + Sync> = Arc::new(Plan::<T>::with(request)?);
                // Another thread may have been faster.
                self.plans().entry(key).or_insert(made).clone()
            }
        };
        Ok(plan.downcast().expect("a key names the type of its words"))
    }

    /// How many plans there are.
    pub fn len(&self) -> usize {
        self.plans().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A panic elsewhere leaves the map whole.
    fn plans(&self) -> MutexGuard<'_, HashMap<Key, Arc<dyn Any + Send + Sync>>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl core::fmt::Debug for Planner {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Planner({} plans)", self.len())
    }
}
