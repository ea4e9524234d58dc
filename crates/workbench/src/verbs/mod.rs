//! The verbs, one file each.

mod bench;
mod commit;
mod completions;
mod decrypt;
mod encrypt;
mod estimate;
mod explain;
pub(crate) mod help;
mod intt;
mod kem;
mod kex;
mod key;
mod keygen;
mod lwe;
mod man;
mod mul;
mod ntt;
mod open;
mod origin;
mod plan;
mod primes;
pub(crate) mod processor;
mod prove;
mod rekey;
mod report;
mod schema;
mod selftest;
mod sign;
mod signature;
mod vectors;
mod verify;
mod verify_proof;

use crate::{fault::Fault, screen::Screen};
use clap::{Command, Subcommand};

/// What can be asked for.
#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Measures this machine and writes report.html and report.json
    Report(report::Report),
    /// Decides on a transform: recipe, proved ranges, table sizes, operation counts; or why there
    /// is none
    Plan(plan::Plan),
    /// Explains a transform layer by layer, with a page to read: slots, twiddles, ranges,
    /// butterflies
    Explain(explain::Explain),
    /// Finds primes of a size with the root of unity that a degree needs
    Primes(primes::Primes),
    /// Estimates what lattice attacks on LWE, NTRU and SIS cost
    Estimate(estimate::Estimate),
    /// Runs the ring-LWE cryptoprocessor (CPA-secure research material) cycle by cycle: programs,
    /// cycles, memory, and a page that draws its pipeline
    #[command(subcommand)]
    Processor(processor::Processor),
    /// Multiplies two polynomials
    Mul(mul::Mul),
    /// Transforms a polynomial; slots in canonical order
    Ntt(ntt::Ntt),
    /// Undoes `ntt`
    Intt(intt::Intt),
    /// Measures single operations
    Bench(bench::Bench),
    /// Makes shared keys by ML-KEM and X-Wing, with keys in PEM
    #[command(subcommand)]
    Kem(kem::Kem),
    /// Exchanges a key through files or over TCP, by ML-KEM; NewHope is there for research
    #[command(subcommand)]
    Kex(kex::Kex),
    /// Makes an identity of age and its recipient, or a key of commitments
    Keygen(keygen::Keygen),
    /// Module-LWE encryption with any parameters, FOR MEASURING: messages there and back, sizes, estimates, times
    Lwe(lwe::Measured),
    /// Encrypts a file, as age does, to recipients or a passphrase
    Encrypt(encrypt::Encrypt),
    /// Decrypts a file of age; writes nothing unless all of it is as it was encrypted
    Decrypt(decrypt::Decrypt),
    /// Encrypts a file of age to other recipients, with --force in its own place; its plaintext is
    /// written nowhere
    Rekey(rekey::Rekey),
    /// Looks at keys, encrypted files, commitments and proofs
    #[command(subcommand)]
    Key(key::Key),
    /// Commits to a message: nobody learns it, and it cannot be changed any more
    Commit(commit::Commit),
    /// Opens a commitment
    Open(open::Open),
    /// Proves that a commitment can be opened, or that two hold the same message, and shows nothing
    /// else
    Prove(prove::Prove),
    /// Verifies such a proof
    VerifyProof(verify_proof::VerifyProof),
    /// Signs files by ML-DSA; the signatures stand beside them, with a comment that is signed along
    Sign(sign::Sign),
    /// Verifies such signatures, by keys that are trusted; exit code 1 if one does not hold
    Verify(verify::Verify),
    /// Makes keys for signatures and says which are trusted; signs and verifies bytes as other programs have them
    #[command(subcommand)]
    Signature(signature::Signature),
    /// Checks vector files
    #[command(subcommand)]
    Vectors(vectors::Vectors),
    /// Checks known answers and the agreement of all backends, in under a second
    Selftest(selftest::Selftest),
    /// Prints the JSON Schema of what a verb writes with --json
    Schema(schema::SchemaOf),
    /// Prints what a shell completes
    Completions(completions::Completions),
    /// Writes manual pages
    Man(man::Manual),
}

impl Verb {
    /// `interface` gives all verbs, for what tells of them.
    pub(crate) fn run(&self, screen: &Screen, interface: fn() -> Command) -> Result<(), Fault> {
        match self {
            Self::Report(verb) => verb.run(screen),
            Self::Plan(verb) => verb.run(screen),
            Self::Explain(verb) => verb.run(screen),
            Self::Primes(verb) => verb.run(screen),
            Self::Estimate(verb) => verb.run(screen),
            Self::Processor(verb) => verb.run(screen),
            Self::Mul(verb) => verb.run(screen),
            Self::Ntt(verb) => verb.run(screen),
            Self::Intt(verb) => verb.run(screen),
            Self::Bench(verb) => verb.run(screen),
            Self::Kem(verb) => verb.run(screen),
            Self::Kex(verb) => verb.run(screen),
            Self::Keygen(verb) => verb.run(screen),
            Self::Lwe(verb) => verb.run(screen),
            Self::Encrypt(verb) => verb.run(screen),
            Self::Decrypt(verb) => verb.run(screen),
            Self::Rekey(verb) => verb.run(screen),
            Self::Key(verb) => verb.run(screen),
            Self::Commit(verb) => verb.run(screen),
            Self::Open(verb) => verb.run(screen),
            Self::Prove(verb) => verb.run(screen),
            Self::VerifyProof(verb) => verb.run(screen),
            Self::Sign(verb) => verb.run(screen),
            Self::Verify(verb) => verb.run(screen),
            Self::Signature(verb) => verb.run(screen),
            Self::Vectors(verb) => verb.run(screen),
            Self::Selftest(verb) => verb.run(screen),
            Self::Schema(verb) => verb.run(screen),
            Self::Completions(verb) => verb.run(screen, interface()),
            Self::Man(verb) => verb.run(screen, interface()),
        }
    }
}
