//! ML-KEM, ML-DSA and X-Wing, measured: ours, and that of public crates beside it where they are compiled in
//! (features `rustcrypto` and `peers`).
//!
//! What is compared is one and the same: operations from bytes to bytes, of the same keys and
//! messages, with the checks of the standards (FIPS 203, section 7: the modulus of a public key, the
//! hash in a secret key). Before anything is measured, all must give the same bytes.
//!
//! Ours has rows for every backend of the machine, but for batches and X-Wing, which run on the best one alone.

mod ours;
#[cfg(feature = "rustcrypto")]
mod peers;

use crate::{fault::Fault, measure::Job};
use ntt::Backend;
use ours::Ours;
use ringwork::schemes::{
    mldsa::{MlDsa44, MlDsa65, MlDsa87},
    mlkem::{MlKem512, MlKem768, MlKem1024},
};
use std::hint::black_box;

/// A parameter set, and who implements it.
pub(crate) struct Standard {
    /// Such as `ml-kem-768`.
    pub(crate) set: String,
    ours: Ours,
    peers: Vec<Implementation>,
}

/// Operations of a set by name, by one program.
struct Implementation {
    who: &'static str,
    /// Where it runs, if it is ours.
    backend: Option<Backend>,
    operations: Vec<(&'static str, Operation)>,
}

/// An operation on the bytes of a sample, which writes all that comes of it: keys, secret key first;
/// a ciphertext and its secret; a secret; a signature; 1 for a signature that is good.
type Operation = fn(&Sample, &mut [u8]);

/// Keys, a message, and what was made of them.
#[derive(Clone)]
struct Sample {
    /// Where ours runs.
    backend: Backend,
    /// d ‖ z of ML-KEM; ML-DSA has the first half.
    seed: [u8; 64],
    /// Expanded.
    secret: Vec<u8>,
    public: Vec<u8>,
    /// What is signed, or m of ML-KEM.
    message: [u8; 32],
    /// A ciphertext or a signature.
    made: Vec<u8>,
}

impl Standard {
    /// All sets, and X-Wing.
    pub(crate) fn with_x_wing() -> Vec<Self> {
        Self::all().into_iter().chain([Self::new(Ours::x_wing())]).collect()
    }

    /// All sets of ML-KEM and ML-DSA.
    pub(crate) fn all() -> [Self; 6] {
        [
            Self::new(Ours::kem::<MlKem512>()),
            Self::new(Ours::kem::<MlKem768>()),
            Self::new(Ours::kem::<MlKem1024>()),
            Self::new(Ours::signature::<MlDsa44>()),
            Self::new(Ours::signature::<MlDsa65>()),
            Self::new(Ours::signature::<MlDsa87>()),
        ]
    }

    fn new(ours: Ours) -> Self {
        let set = ours.set.to_lowercase();
        #[cfg(feature = "rustcrypto")]
        let peers = peers::of(&set);
        #[cfg(not(feature = "rustcrypto"))]
        let peers = Vec::new();
        Self { set, ours, peers }
    }

    /// Operations from bytes to bytes, which others have too.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &'static str> {
        self.ours.implementations[0].operations.iter().map(|(operation, _)| *operation)
    }

    /// Operations that only we have, on the best backend.
    pub(crate) fn alone(&self) -> impl Iterator<Item = &'static str> {
        ours::alone(&self.ours, Backend::best())
    }

    /// Whose programs there are: ours on the best backend, and others.
    pub(crate) fn who(&self) -> impl Iterator<Item = &'static str> {
        self.best_and_others().map(|implementation| implementation.who)
    }

    fn best_and_others(&self) -> impl Iterator<Item = &Implementation> {
        self.ours.implementations[..1].iter().chain(&self.peers)
    }

    fn implementations(&self) -> impl Iterator<Item = &Implementation> {
        self.ours.implementations.iter().chain(&self.peers)
    }

    /// The name of a row.
    pub(crate) fn row(&self, who: &str, operation: &str) -> String {
        format!("{}/{who}/{operation}", self.set)
    }

    /// The names of our rows, backend by backend.
    pub(crate) fn our_rows(&self) -> Vec<String> {
        let rows = |(who, backend)| {
            let operations = self.operations().chain(ours::alone(&self.ours, backend));
            operations.map(move |operation| self.row(who, operation)).collect::<Vec<_>>()
        };
        self.ours.backends().flat_map(rows).collect()
    }

    /// The names of rows of one operation after the other, by us on every backend and by others.
    pub(crate) fn rows_beside(&self) -> Vec<String> {
        let rows = |operation| {
            let having = self.implementations().filter(move |each| each.operation(operation).is_some());
            having.map(move |each| self.row(each.who, operation))
        };
        self.operations().flat_map(rows).collect()
    }

    /// The names of rows by us on the best backend, and by others.
    pub(crate) fn rows_of_best(&self) -> Vec<String> {
        let rows = |each: &Implementation| {
            let having = self.operations().filter(|operation| each.operation(operation).is_some());
            having.map(|operation| self.row(each.who, operation)).collect::<Vec<_>>()
        };
        let alone = self.alone().map(|operation| self.row(Backend::best().name(), operation));
        self.best_and_others().flat_map(rows).chain(alone).collect()
    }

    /// Our row of the same operation as that row, on the best backend.
    pub(crate) fn our_row(&self, row: &str) -> Option<String> {
        let (_, operation) = row.strip_prefix(&*self.set)?.strip_prefix('/')?.split_once('/')?;
        Some(self.row(Backend::best().name(), operation))
    }

    /// What an operation gives of all samples, as others are compared with it.
    pub(crate) fn outputs(&self, operation: &str) -> Option<impl Iterator<Item = u8>> {
        let run = self.ours.implementations[0].operation(operation)?;
        Some(self.samples().into_iter().flat_map(move |sample| sample.output(run)))
    }

    fn samples(&self) -> [Sample; 4] {
        std::array::from_fn(|number| (self.ours.sample)(number as u8))
    }

    /// The rows of those names.
    ///
    /// **Errors** if others do not come to the same as we do.
    pub(crate) fn jobs(&self, wanted: &[String]) -> Result<Vec<Job<'static>>, Fault> {
        let samples = self.samples();
        let mut jobs = Vec::new();
        for (name, ours) in &self.ours.implementations[0].operations {
            for each in self.implementations() {
                let row = self.row(each.who, name);
                let Some(run) = each.operation(name).filter(|_| wanted.contains(&row)) else { continue };
                let on = |sample: &Sample| Sample { backend: each.backend.unwrap_or(sample.backend), ..sample.clone() };
                if !samples.iter().all(|sample| sample.output(*ours) == on(sample).output(run)) {
                    let why = format!("{} and we do not come to the same in {name} of {}", each.who, self.set);
                    return Err(Fault::Internal(why));
                }
                jobs.push(job(row, messages(name), on(&samples[0]), run));
            }
        }
        for (who, backend) in self.ours.backends() {
            let name = |operation: &str| self.row(who, operation);
            if ours::alone(&self.ours, backend).any(|operation| wanted.contains(&name(operation))) {
                jobs.extend((self.ours.jobs)(backend, &name));
            }
        }
        jobs.retain(|job| wanted.contains(&job.name));
        Ok(jobs)
    }
}

impl Implementation {
    fn operation(&self, name: &str) -> Option<Operation> {
        self.operations.iter().find(|(operation, _)| *operation == name).map(|(_, run)| *run)
    }
}

impl Sample {
    /// A place for what comes of an operation.
    fn place(&self) -> Vec<u8> {
        vec![0; self.secret.len() + self.public.len() + self.made.len()]
    }

    fn output(&self, run: Operation) -> Vec<u8> {
        let mut out = self.place();
        run(self, &mut out);
        out
    }
}

/// How long a signature takes depends on the message: these many are signed in turn, the same by all.
const MESSAGES: u8 = 64;

/// How many different messages a call of an operation goes through.
pub(crate) fn messages(operation: &str) -> u8 {
    if operation == "sign" { MESSAGES } else { 1 }
}

/// The message of that number.
const fn message(number: u8) -> [u8; 32] {
    [number; 32]
}

fn job(name: String, messages: u8, mut sample: Sample, run: Operation) -> Job<'static> {
    let mut out = sample.place();
    Job::many(name, messages.into(), move || {
        for number in 0..messages {
            if messages > 1 {
                sample.message = message(number);
            }
            run(black_box(&sample), &mut out);
            black_box(&out);
        }
    })
}

/// Writes parts one behind the other.
fn write<const N: usize>(mut out: &mut [u8], parts: [&[u8]; N]) {
    for part in parts {
        let (place, rest) = out.split_at_mut(part.len());
        place.copy_from_slice(part);
        out = rest;
    }
}
