//! Transforms and products by others beside ours, in one run and in turns.
//!
//! A row is called `n/q/ring/who/operation`, ours `n/q/ring/backend/operation/method-bits`: whatever the planner
//! takes. Work is one and the same in rows that end alike, as far as [`differs`] does not say more; all
//! products are compared with ours before anything of a peer is measured.
//!
//! Programs are built from crates, from libraries that are installed, and from the user's copies of repositories, in
//! the folder that the variable `RINGWORK_PEERS` names. Those of schemes have rows named `set/who/operation`.

mod answer;
mod ours;
mod program;
mod schemes;

pub(crate) use answer::Peers;
pub(crate) use program::FLAGS;

use crate::{fault::Fault, measure::Job};
use ntt::{Ring, arith::nearest_prime};
use ours::{COLUMNS, Ours};
use program::{COPIES, Program, Source, Sources};
use schemes::Scheme;
use std::{
    env,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

/// Degrees.
pub(crate) const DEGREES: [usize; 4] = [1 << 10, 1 << 12, 1 << 16, 1 << 20];

/// Plonky3's fields.
const BABY_BEAR: u64 = 15 * (1 << 27) + 1;
const KOALA_BEAR: u64 = 127 * (1 << 24) + 1;
const GOLDILOCKS: u64 = u64::MAX - (1 << 32) + 2;
const FIELDS: [u64; 3] = [BABY_BEAR, KOALA_BEAR, GOLDILOCKS];

/// The largest degree of products by crates of integers, which take seconds beyond.
const MOST_BY_INTEGERS: usize = 1 << 16;

/// Degree, modulus and ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) n: usize,
    pub(crate) q: u64,
    pub(crate) ring: Ring,
}

/// Intel's, which is compiled as part of its program.
const HEXL: Sources = Sources {
    repository: "IntelLabs/hexl",
    file: "hexl.cpp",
    folders: &["hexl", "hexl/include"],
    sources: &[],
    defines: &[],
};

/// A program that was built when somebody asked for it, or why it was not.
type Running = Result<Arc<Mutex<Program>>, String>;

/// Whose program, by which of its names, and with which vectors.
struct Peer {
    who: &'static str,
    vectors: Option<&'static str>,
    source: Source,
}

/// All of that, and what turned out to be missing.
pub(crate) struct Beside {
    peers: Vec<Peer>,
    schemes: Vec<Scheme>,
    /// The user's copies of repositories.
    copies: Option<PathBuf>,
    programs: Vec<(Source, OnceLock<Running>)>,
    /// What was built and how, and what is missing and why.
    built: Mutex<Vec<(String, String)>>,
    absent: Mutex<Vec<(String, String)>>,
}

impl Beside {
    pub(crate) fn new() -> Self {
        Self::with_copies(env::var_os(COPIES).filter(|folder| !folder.is_empty()).map(PathBuf::from))
    }

    /// With copies of repositories in that folder.
    fn with_copies(copies: Option<PathBuf>) -> Self {
        let library = |file, links, install| Source::Library { file, links, install };
        let mut peers = Vec::new();
        let crates = builds();
        for (i, &(vectors, source)) in crates.iter().enumerate() {
            peers.extend(["tfhe-ntt", "plonky3"].map(|who| Peer { who, vectors: Some(vectors), source }));
            if i + 1 == crates.len() {
                peers.extend(["num-bigint", "dashu-int"].map(|who| Peer { who, vectors: None, source }));
            }
        }
        let gmp = library("gmp.cpp", &["-lgmp"], "install GMP with its headers (Debian: libgmp-dev)");
        let flint = library(
            "flint.cpp",
            &["-lflint", "-lgmp"],
            "install FLINT 3 or newer with its headers (Debian 13: libflint-dev)",
        );
        let ntl =
            library("ntl.cpp", &["-lntl", "-lgmp", "-lpthread"], "install NTL with its headers (Debian: libntl-dev)");
        peers.extend([("gmp", gmp), ("flint", flint), ("ntl", ntl)].map(|(who, source)| Peer {
            who,
            vectors: None,
            source,
        }));
        if cfg!(target_arch = "x86_64") {
            peers.push(Peer { who: "hexl", vectors: None, source: Source::Sources(HEXL) });
        }
        let schemes = schemes::all();
        let mut programs: Vec<(Source, _)> = Vec::new();
        let sources = peers.iter().map(|peer| peer.source).chain(schemes.iter().map(|scheme| scheme.source));
        for source in sources {
            if programs.iter().all(|(known, _)| *known != source) {
                programs.push((source, OnceLock::new()));
            }
        }
        Self { peers, schemes, copies, programs, built: Mutex::default(), absent: Mutex::default() }
    }

    /// What is measured, in groups that take turns.
    pub(crate) fn shapes() -> Vec<Shape> {
        // A root for all degrees, in both rings.
        let order = 2 * DEGREES[DEGREES.len() - 1] as u64;
        let prime = |bits: u32| nearest_prime(1 << bits, order, 1 << bits).expect("there are such primes");
        let moduli = [prime(30), BABY_BEAR, KOALA_BEAR, prime(50), prime(60), GOLDILOCKS];
        let mut shapes = Vec::new();
        for n in DEGREES {
            for q in moduli {
                shapes.push(Shape { n, q, ring: Ring::Negacyclic });
                if FIELDS.contains(&q) {
                    shapes.push(Shape { n, q, ring: Ring::Cyclic });
                }
            }
        }
        shapes
    }

    /// The names of all rows of a shape: work by work, ours first.
    pub(crate) fn names(&self, shape: Shape) -> Vec<String> {
        let ours = Ours::new(shape.ring, shape.n, shape.q).ok();
        let mut names = Vec::new();
        let works = ["forward-lazy", "forward", "inverse", "inverse-permuted", "unscaled", "product"];
        for work in works.into_iter().chain(COLUMNS.map(|(work, ..)| work)) {
            names.extend(ours.iter().filter(|ours| ours.works().contains(&work)).map(|ours| shape.ours(ours, work)));
            let peers = self.peers.iter().filter(|peer| peer.works(shape, ours.as_ref()).contains(&work));
            names.extend(peers.map(|peer| shape.row(&peer.label(), work)));
        }
        names
    }

    /// The jobs of those names. Who comes to another product than we do is left out, and said to be
    /// absent.
    pub(crate) fn jobs(&self, shape: Shape, wanted: &[String]) -> Result<Vec<Job<'static>>, Fault> {
        let Shape { n, q, ring } = shape;
        let mut jobs = Vec::new();
        let ours = Ours::new(ring, n, q);
        match &ours {
            Ok(ours) => {
                for work in ours.works() {
                    let name = shape.ours(ours, work);
                    if wanted.contains(&name) {
                        jobs.push(ours.job(work, name));
                    }
                }
            }
            Err(why) => self.lacks(shape.row("ours", "all"), why.to_string()),
        }
        let ours = ours.ok();
        let expected = |work: &str| ours.as_ref().and_then(|ours| ours.digest_of(work));
        let expected_product = expected("product");
        for (_, program) in &self.programs {
            if let Some(Ok(program)) = program.get() {
                program.lock().expect("nobody panics").clear();
            }
        }
        for peer in &self.peers {
            let named = |work: &&str| wanted.contains(&shape.row(&peer.label(), work));
            let works: Vec<&str> = peer.works(shape, ours.as_ref()).into_iter().filter(named).collect();
            if works.is_empty() {
                continue;
            }
            let Some(program) = self.program_of(&peer.label(), peer.source) else { continue };
            let made = |work: &str| program.lock().expect("nobody panics").make(peer.who, protocol(work), n, q);
            let product = match made("product") {
                Ok((_, digest)) if expected_product.is_some_and(|expected| expected != digest) => {
                    self.lacks(shape.row(&peer.label(), "all"), "its product is another one than ours".into());
                    continue;
                }
                Ok((job, _)) => job,
                Err(why) => {
                    self.lacks(shape.row(&peer.label(), "all"), why);
                    continue;
                }
            };
            // Matrices of columns come out the same, word by word; other transforms have an order of their own.
            let same = |(job, digest): (usize, u64), work: &str| match expected(work) {
                Some(expected) if expected != digest => Err("what comes out is not what comes out of ours".to_owned()),
                _ => Ok(job),
            };
            for work in works {
                let job = if work == "product" { Ok(product) } else { made(work).and_then(|made| same(made, work)) };
                let name = shape.row(&peer.label(), work);
                match job {
                    Ok(job) => {
                        let program = program.clone();
                        jobs.push(Job::elsewhere(name, 1, move |calls| {
                            program.lock().expect("nobody panics").run(job, calls)
                        }));
                    }
                    Err(why) => self.lacks(name, why),
                }
            }
        }
        Ok(jobs)
    }

    /// The running program of a peer, unless it lacks.
    fn program_of(&self, who: &str, source: Source) -> Option<Arc<Mutex<Program>>> {
        let (_, program) = self.programs.iter().find(|(of, _)| *of == source).expect("every peer's is there");
        let build = || Program::build(source, self.copies.as_deref()).map(|program| Arc::new(Mutex::new(program)));
        match program.get_or_init(build) {
            Ok(program) => {
                note(&self.built, who.to_owned(), program.lock().expect("nobody panics").how().to_owned());
                Some(program.clone())
            }
            Err(why) => {
                self.lacks(who.to_owned(), why.clone());
                None
            }
        }
    }

    fn lacks(&self, what: String, why: String) {
        note(&self.absent, what, why);
    }

    /// What was built, and how: compilers, flags, and commits of copies.
    pub(crate) fn built(&self) -> Vec<(String, String)> {
        self.built.lock().expect("nobody panics").clone()
    }

    /// What was asked for and is not there, and why.
    pub(crate) fn absent(&self) -> Vec<(String, String)> {
        self.absent.lock().expect("nobody panics").clone()
    }
}

impl Shape {
    fn row(self, who: &str, work: &str) -> String {
        format!("{}/{}/{}/{who}/{work}", self.n, self.q, self.ring)
    }

    fn ours(self, ours: &Ours, work: &str) -> String {
        let [backend, how] = ours.how();
        format!("{}/{how}", self.row(&backend, work))
    }
}

impl Peer {
    /// As rows have it.
    fn label(&self) -> String {
        self.vectors.map_or_else(|| self.who.to_owned(), |vectors| format!("{}-{vectors}", self.who))
    }

    fn works(&self, Shape { n, q, ring }: Shape, ours: Option<&Ours>) -> Vec<&'static str> {
        let works: &[&str] = match (self.who, ring) {
            ("tfhe-ntt", Ring::Negacyclic) => &["forward", "inverse", "unscaled", "product"],
            ("plonky3", Ring::Cyclic) if q == GOLDILOCKS => &["forward", "inverse-permuted", "product"],
            ("plonky3", Ring::Cyclic) => &["forward", "inverse", "unscaled", "product"],
            ("num-bigint" | "dashu-int", Ring::Negacyclic) if q != GOLDILOCKS && n <= MOST_BY_INTEGERS => &["product"],
            ("gmp" | "flint" | "ntl", Ring::Negacyclic) if q != GOLDILOCKS => &["product"],
            ("hexl", Ring::Negacyclic) if q != GOLDILOCKS => &["forward", "inverse", "product"],
            _ => &[],
        };
        let columns = COLUMNS.map(|(work, ..)| work).into_iter().filter(|_| self.who == "plonky3");
        let also_ours = columns.filter(|work| ours.is_some_and(|ours| ours.works().contains(work)));
        works.iter().copied().chain(also_ours).collect()
    }
}

/// Notes something once.
fn note(notes: &Mutex<Vec<(String, String)>>, what: String, text: String) {
    let mut notes = notes.lock().expect("nobody panics");
    if !notes.iter().any(|(known, _)| *known == what) {
        notes.push((what, text));
    }
}

/// The work as programs call it.
fn protocol(work: &str) -> &str {
    if work == "inverse-permuted" { "inverse" } else { work }
}

/// How often the crates are built, by the vectors that are allowed.
fn builds() -> Vec<(&'static str, Source)> {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = ("avx2", Source::Crates { cpu: "x86-64-v3", avx512: false });
        let avx512 = ("avx512", Source::Crates { cpu: "native", avx512: true });
        let has = [std::is_x86_feature_detected!("avx2"), std::is_x86_feature_detected!("avx512ifma")];
        let all: Vec<_> = [avx2, avx512].into_iter().zip(has).filter(|(_, has)| *has).map(|(build, _)| build).collect();
        if !all.is_empty() {
            return all;
        }
    }
    vec![("native", Source::Crates { cpu: "native", avx512: false })]
}

/// The parts of a name of such a row: shape, who, work, and for ours how.
fn parts(name: &str) -> Option<([&str; 3], &str, &str, Option<&str>)> {
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        [n, q, ring, who, work] if Ring::ALL.iter().any(|known| known.to_string() == ring) => {
            Some(([n, q, ring], who, work, None))
        }
        [n, q, ring, who, work, how] if Ring::ALL.iter().any(|known| known.to_string() == ring) => {
            Some(([n, q, ring], who, work, Some(how)))
        }
        _ => None,
    }
}

/// Whether `ours` is our row of the work of `row`.
pub(crate) fn is_ours_of(ours: &str, row: &str) -> bool {
    match (parts(ours), parts(row)) {
        (Some((shape, _, work, Some(_))), Some((of, _, same, _))) => shape == of && work == same,
        _ => false,
    }
}

/// What is not the same as in our row of that work, or why there is none to compare with.
pub(crate) fn differs(row: &str) -> Vec<&'static str> {
    let Some((_, who, work, how)) = parts(row) else { return schemes::differs(row) };
    let mut differs = Vec::new();
    if how.is_some() {
        if work == "forward-lazy" {
            differs.push("slots stay as large as the last layer leaves them, where others make them canonical");
        }
        return differs;
    }
    let transform = work != "product";
    match who.split('-').next() {
        Some("tfhe" | "hexl") if transform => differs.push("slots in bit-reversed order"),
        Some("plonky3") => {
            let columns = COLUMNS.iter().any(|(known, ..)| *known == work);
            let goldilocks = row.contains(&format!("/{GOLDILOCKS}/"));
            differs.extend((!goldilocks).then_some("residues in Montgomery's form, in and out"));
            differs.extend((goldilocks && !columns).then_some("a matrix of one column"));
            differs.extend((transform && !columns).then_some("slots in bit-reversed order"));
            differs.extend((work == "extension-of-16").then_some("a copy of the matrix, and memory for its extension"));
        }
        Some("num" | "dashu" | "gmp") => differs.push("one product of integers, into which coefficients are packed"),
        Some("flint") => differs.push("a product of polynomials, folded modulo X^n + 1"),
        Some("ntl") => differs.push("MulMod of zz_pX by its modulus object"),
        _ => {}
    }
    match work {
        "inverse" if who.starts_with("tfhe") => {
            differs.push("1/n in a pass of its own, which its slot product has for nothing")
        }
        "inverse" if who.starts_with("plonky3") => differs.push("1/n in a pass of its own"),
        "unscaled" => differs.push("without 1/n, which no inverse of ours leaves out"),
        "inverse-permuted" => differs.push("slots in natural order, which it permutes"),
        _ => {}
    }
    differs
}

/// The coefficients of operand 1 or 2, as all programs draw them.
fn sample(n: usize, q: u64, operand: u64) -> impl Iterator<Item = u64> {
    let next =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(next(&operand), next).take(n).map(move |state| (state >> 1) % q)
}

/// FNV-1a on words.
fn digest(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0xcbf2_9ce4_8422_2325, |digest, word| (digest ^ word).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schoolbook;

    #[test]
    fn our_product_is_schoolbooks() {
        for (n, q) in [(64, 7681), (1024, 12289)] {
            let [a, b] = [1, 2].map(|operand| sample(n, q, operand).map(|x| x as u32).collect::<Vec<_>>());
            let product = schoolbook::negacyclic_product(&a, &b, q as u32);
            let ours = Ours::new(Ring::Negacyclic, n, q).unwrap();
            let expected = digest(product.iter().map(|&x| u64::from(x)));
            assert_eq!(ours.digest_of("product"), Some(expected), "{n} {q}");
        }
    }

    #[test]
    fn rows_are_compared_with_ours_of_the_same_work() {
        let ours = "1024/12289/negacyclic/avx2/forward/montgomery-16";
        let theirs = "1024/12289/negacyclic/tfhe-ntt-avx2/forward";
        assert!(is_ours_of(ours, theirs) && is_ours_of(ours, ours));
        for other in [
            "1024/12289/negacyclic/tfhe-ntt-avx2/inverse",
            "1024/12289/cyclic/plonky3-avx2/forward",
            "4096/12289/negacyclic/tfhe-ntt-avx2/forward",
            "ml-kem-768/libcrux-ml-kem/keygen",
        ] {
            assert!(!is_ours_of(ours, other) && !is_ours_of(theirs, other), "{other}");
        }
        assert_eq!(differs(theirs), ["slots in bit-reversed order"]);
        assert!(differs("1024/12289/negacyclic/tfhe-ntt-avx2/product").is_empty() && differs(ours).is_empty());
        assert!(!differs("1024/12289/negacyclic/tfhe-ntt-avx2/unscaled").is_empty());
    }

    #[test]
    fn all_work_has_a_name() {
        let beside = Beside::new();
        for shape in Beside::shapes().into_iter().filter(|shape| shape.n == 1024) {
            let names = beside.names(shape);
            assert!(names.iter().all(|name| parts(name).is_some()), "{names:?}");
            let theirs = names.iter().filter(|name| parts(name).is_some_and(|(_, _, _, how)| how.is_none()));
            for row in theirs.filter(|row| !row.ends_with("unscaled") && !row.ends_with("permuted")) {
                assert!(shape.q == GOLDILOCKS || names.iter().any(|ours| is_ours_of(ours, row)), "{row}");
            }
        }
    }
}
