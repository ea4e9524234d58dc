//! Requests as data of `serde`.

use crate::{
    planner::Request,
    reduction::Method,
    ring::{Ring, SlotOrder},
};
use core::{fmt, marker::PhantomData};
use lanes::Backend;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Unexpected, Visitor},
};

/// What has a name.
trait Named: Sized {
    const WHAT: &'static str;
    fn all() -> impl Iterator<Item = Self>;
    fn own_name(&self) -> &'static str;
}

/// Takes a name.
struct ByName<N>(PhantomData<N>);

impl<N: Named> Visitor<'_> for ByName<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of {}:", N::WHAT)?;
        N::all()
            .enumerate()
            .try_for_each(|(i, known)| write!(f, "{} {}", if i == 0 { "" } else { "," }, known.own_name()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<N, E> {
        let known = N::all().find(|known| known.own_name() == name);
        known.ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

macro_rules! by_name {
    ($($type:ty: $what:literal, $all:expr, $name:expr;)*) => {$(
        impl Named for $type {
            const WHAT: &'static str = $what;

            fn all() -> impl Iterator<Item = Self> {
                $all
            }

            fn own_name(&self) -> &'static str {
                $name(*self)
            }
        }

        /// As its name.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.own_name())
            }
        }

        /// By its name.
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_str(ByName(PhantomData))
            }
        }
    )*};
}

by_name! {
    Ring: "a ring", Self::ALL.into_iter(), Self::name;
    SlotOrder: "an order of slots", Self::ALL.into_iter(), Self::name;
    Method: "a method of reduction", Self::ALL.into_iter(), Self::name;
    On: "a backend of this machine", Backend::available().map(On), |On(backend): Self| backend.name();
}

/// A backend, whose type belongs to another crate.
#[derive(Clone, Copy)]
struct On(Backend);

/// A request as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Request", deny_unknown_fields)]
struct Written {
    n: usize,
    q: u64,
    #[serde(default)]
    ring: Ring,
    #[serde(default)]
    slot_order: SlotOrder,
    #[serde(default)]
    depth: Option<u32>,
    #[serde(default)]
    thirds: Option<u32>,
    #[serde(default)]
    best_depth: bool,
    #[serde(default)]
    method: Option<Method>,
    #[serde(default)]
    backend: Option<On>,
    #[serde(default)]
    lazy: bool,
    #[serde(default)]
    root: Option<u64>,
    #[serde(default = "one")]
    shift: u64,
    #[serde(default = "one")]
    sums: u64,
}

const fn one() -> u64 {
    1
}

/// With the feature `serde`: `n` and `q`, and by the names of the methods that request them `ring`, `slot_order`,
/// `depth`, `thirds`, `best_depth`, `method`, `backend`, `lazy`, `root`, `shift` and `sums`. All of them are written;
/// what is not requested is nothing, so no backend is written unless one was requested. Rings, orders, methods and
/// backends are their names.
///
/// A [cost model](Request::cost_model) is measured on a machine and stays there: it is not written, and whoever reads the
/// request gives it again.
impl Serialize for Request {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { n, q, ring, slot_order, depth, thirds, best_depth, method, lazy, root, shift, sums, .. } = *self;
        let backend = self.backend.map(On);
        Written { n, q, ring, slot_order, depth, thirds, best_depth, method, backend, lazy, root, shift, sums }
            .serialize(to)
    }
}

/// In formats that name fields, everything but `n` and `q` may be left out, as in [`Request::new`].
///
/// **Errors** if a field is unknown or there twice, if a name is unknown, if this machine does not have the backend, if
/// there is no such ring of degree `n` ([`Request::check_degree`]), or if both `depth` and `best_depth` are requested.
/// What depends on the word is refused by the plan, as for any request: nothing that is read makes it panic. A plan of a
/// large degree takes gigabytes: whoever reads requests of strangers bounds `n` first.
///
/// ```
/// use ringwork_ntt::{AnyPlan, Request, SlotOrder};
///
/// let request: Request = serde_json::from_str(r#"{"n": 256, "q": 3329, "slot_order": "bit-reversed"}"#)?;
/// assert_eq!(request, Request::new(256, 3329).slot_order(SlotOrder::BitReversed));
/// assert_eq!(serde_json::from_str::<Request>(&serde_json::to_string(&request)?)?, request);
/// let plan = AnyPlan::with(&request)?;
///
/// let refused = serde_json::from_str::<Request>(r#"{"n": 256, "q": 3329, "ring": "round"}"#).unwrap_err();
/// assert!(refused.to_string().contains("the name of a ring: negacyclic, cyclic, trinomial"), "{refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(from)?;
        let mut request = Self::new(written.n, written.q).ring(written.ring).slot_order(written.slot_order);
        match (written.depth, written.best_depth) {
            (Some(_), true) => return Err(Error::custom("depth and best_depth exclude each other: leave one out")),
            (Some(depth), false) => request = request.depth(depth),
            (None, true) => request = request.best_depth(),
            (None, false) => {}
        }
        let Written { thirds, method, lazy, root, .. } = written;
        let backend = written.backend.map(|On(backend)| backend);
        request = Self { thirds, method, backend, lazy, root, ..request }.shift(written.shift).sums(written.sums);
        request.check_degree().map_err(Error::custom)?;
        Ok(request)
    }
}
