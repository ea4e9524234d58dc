//! ML-KEM and ML-DSA, measured: ours, and that of public crates beside it where they are compiled in
//! (features `rustcrypto` and `peers`).
//!
//! What is compared is one and the same: operations from bytes to bytes, of the same keys and
//! messages, with the checks of the standards (FIPS 203, section 7: the modulus of a public key, the
//! hash in a secret key). Before anything is measured, all must give the same bytes.

mod ours;
#[cfg(feature = "rustcrypto")]
mod peers;

use crate::{fault::Fault, measure::Job};
use ours::Ours;
use ringwork::schemes::{
    mldsa::{MlDsa44, MlDsa65, MlDsa87},
    mlkem::{MlKem512, MlKem768, MlKem1024},
};
use std::{hint::black_box, iter};

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
    operations: Vec<(&'static str, Operation)>,
}

/// An operation on the bytes of a sample, which writes all that comes of it: keys, secret key first;
/// a ciphertext and its secret; a secret; a signature; 1 for a signature that is good.
type Operation = fn(&Sample, &mut [u8]);

/// Keys, a message, and what was made of them.
#[derive(Clone)]
struct Sample {
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
    /// All sets.
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
        self.ours.implementation.operations.iter().map(|(operation, _)| *operation)
    }

    /// Operations that only we have.
    pub(crate) fn alone(&self) -> impl Iterator<Item = &'static str> {
        self.ours.alone.iter().copied()
    }

    /// Whose programs there are, ours first.
    pub(crate) fn who(&self) -> impl Iterator<Item = &'static str> {
        self.implementations().map(|implementation| implementation.who)
    }

    fn implementations(&self) -> impl Iterator<Item = &Implementation> {
        iter::once(&self.ours.implementation).chain(&self.peers)
    }

    /// The name of a row.
    pub(crate) fn row(&self, who: &str, operation: &str) -> String {
        format!("{}/{who}/{operation}", self.set)
    }

    /// The names of our rows.
    pub(crate) fn our_rows(&self) -> Vec<String> {
        self.operations().chain(self.alone()).map(|name| self.row(self.ours.implementation.who, name)).collect()
    }

    /// The names of rows of one operation after the other, by us and by others.
    pub(crate) fn rows_beside(&self) -> Vec<String> {
        let rows = |operation| {
            let having = self.implementations().filter(move |each| each.operation(operation).is_some());
            having.map(move |each| self.row(each.who, operation))
        };
        self.operations().flat_map(rows).collect()
    }

    /// Our row of the same operation as that row.
    pub(crate) fn our_row(&self, row: &str) -> Option<String> {
        let (_, operation) = row.strip_prefix(&*self.set)?.strip_prefix('/')?.split_once('/')?;
        Some(self.row(self.ours.implementation.who, operation))
    }

    /// All rows.
    ///
    /// **Errors** if others do not come to the same as we do.
    pub(crate) fn jobs(&self) -> Result<Vec<Job<'static>>, Fault> {
        let samples: [Sample; 4] = std::array::from_fn(|number| (self.ours.sample)(number as u8));
        let mut jobs = Vec::new();
        for (name, ours) in &self.ours.implementation.operations {
            for each in self.implementations() {
                let Some(run) = each.operation(name) else { continue };
                if !samples.iter().all(|sample| sample.output(*ours) == sample.output(run)) {
                    let why = format!("{} and we do not come to the same in {name} of {}", each.who, self.set);
                    return Err(Fault::Internal(why));
                }
                jobs.push(job(self.row(each.who, name), &samples[0], run));
            }
        }
        jobs.extend((self.ours.jobs)(&|name| self.row(self.ours.implementation.who, name)));
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

/// How long a signature takes depends on the message: these many are signed in turn.
const MESSAGES: u8 = 16;

fn job(name: String, sample: &Sample, run: Operation) -> Job<'static> {
    let (mut sample, mut out) = (sample.clone(), sample.place());
    let messages = if name.ends_with("/sign") { MESSAGES } else { 1 };
    Job::many(name, messages.into(), move || {
        for number in 0..messages {
            if messages > 1 {
                sample.message[0] = number;
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
