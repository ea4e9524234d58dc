//! Schemes of others, in the user's copies of their repositories: ML-KEM and ML-DSA from bytes to bytes, on the samples
//! of [`Standard`].

use super::{
    Beside, digest,
    program::{Source, Sources},
};
use crate::{
    measure::Job,
    standards::{Standard, messages},
};

/// Whose program of a set, with which operations.
pub(super) struct Scheme {
    set: &'static str,
    /// As rows have it.
    who: &'static str,
    operations: [&'static str; 3],
    pub(super) source: Source,
}

const OF_KEM: [&str; 3] = ["keygen", "encaps", "decaps"];
const OF_SIGNATURE: [&str; 3] = ["keygen", "sign", "verify"];

const KYBER: Sources = Sources {
    repository: "pq-crystals/kyber",
    file: "kyber.cpp",
    folders: &["avx2"],
    sources: &[
        "kem.c",
        "indcpa.c",
        "polyvec.c",
        "poly.c",
        "consts.c",
        "rejsample.c",
        "cbd.c",
        "verify.c",
        "fips202.c",
        "fips202x4.c",
        "symmetric-shake.c",
        "fq.S",
        "shuffle.S",
        "ntt.S",
        "invntt.S",
        "basemul.S",
        "keccak4x/KeccakP-1600-times4-SIMD256.c",
    ],
    defines: &[],
};

const DILITHIUM: Sources = Sources {
    repository: "pq-crystals/dilithium",
    file: "dilithium.cpp",
    folders: &["avx2"],
    sources: &[
        "sign.c",
        "packing.c",
        "polyvec.c",
        "poly.c",
        "consts.c",
        "rejsample.c",
        "rounding.c",
        "fips202.c",
        "fips202x4.c",
        "symmetric-shake.c",
        "ntt.S",
        "invntt.S",
        "pointwise.S",
        "shuffle.S",
        "f1600x4.S",
    ],
    defines: &[],
};

const MLKEM_NATIVE: Sources = Sources {
    repository: "pq-code-package/mlkem-native",
    file: "mlkem-native.cpp",
    folders: &["mlkem"],
    sources: &["mlkem_native.c", "mlkem_native_asm.S"],
    defines: &[],
};

/// Vectors where the CPU has them, no randomness, and names that the program knows.
macro_rules! native {
    ($set:literal) => {
        &[
            concat!("-DMLK_CONFIG_PARAMETER_SET=", $set),
            "-DMLK_CONFIG_NAMESPACE_PREFIX=theirs",
            "-DMLK_CONFIG_USE_NATIVE_BACKEND_ARITH",
            "-DMLK_CONFIG_USE_NATIVE_BACKEND_FIPS202",
            "-DMLK_CONFIG_NO_RANDOMIZED_API",
        ]
    };
}

/// All that could run on this machine.
pub(super) fn all() -> Vec<Scheme> {
    let mut all = Vec::new();
    let mut add = |who, operations, sources: Sources, sets: [(&'static str, &'static [&'static str]); 3]| {
        let scheme =
            |(set, defines)| Scheme { set, who, operations, source: Source::Sources(Sources { defines, ..sources }) };
        all.extend(sets.map(scheme));
    };
    if has_avx2() {
        let sets: [(_, &[_]); 3] =
            [("ml-kem-512", &["-DKYBER_K=2"]), ("ml-kem-768", &["-DKYBER_K=3"]), ("ml-kem-1024", &["-DKYBER_K=4"])];
        add("kyber-avx2", OF_KEM, KYBER, sets);
        let sets: [(_, &[_]); 3] = [
            ("ml-dsa-44", &["-DDILITHIUM_MODE=2"]),
            ("ml-dsa-65", &["-DDILITHIUM_MODE=3"]),
            ("ml-dsa-87", &["-DDILITHIUM_MODE=5"]),
        ];
        add("dilithium-avx2", OF_SIGNATURE, DILITHIUM, sets);
    }
    let sets: [(_, &[_]); 3] =
        [("ml-kem-512", native!("512")), ("ml-kem-768", native!("768")), ("ml-kem-1024", native!("1024"))];
    add("mlkem-native", OF_KEM, MLKEM_NATIVE, sets);
    all
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl Beside {
    /// Programs of the set, with the names of their rows and the operations of these.
    fn of_set<'a>(&'a self, standard: &'a Standard) -> impl Iterator<Item = (&'a Scheme, [(String, &'static str); 3])> {
        let schemes = self.schemes.iter().filter(|scheme| scheme.set == standard.set);
        schemes
            .map(|scheme| (scheme, scheme.operations.map(|operation| (standard.row(scheme.who, operation), operation))))
    }

    /// The names of all rows of a set.
    pub(crate) fn scheme_names(&self, standard: &Standard) -> Vec<String> {
        self.of_set(standard).flat_map(|(_, rows)| rows.map(|(name, _)| name)).collect()
    }

    /// The jobs of those names. Who comes to something else than we do is left out, and said to be absent.
    pub(crate) fn scheme_jobs(&self, standard: &Standard, wanted: &[String]) -> Vec<Job<'static>> {
        let mut jobs = Vec::new();
        for (scheme, rows) in self.of_set(standard) {
            let rows: Vec<_> = rows.into_iter().filter(|(name, _)| wanted.contains(name)).collect();
            if rows.is_empty() {
                continue;
            }
            let Some(program) = self.program_of(scheme.who, scheme.source) else { continue };
            for (name, operation) in rows {
                let messages = messages(operation);
                let made = program.lock().expect("nobody panics").make(scheme.who, operation, messages.into(), 0);
                let expected = standard.outputs(operation).map(|bytes| digest(bytes.map(u64::from)));
                match made {
                    Ok((_, digest)) if expected.is_some_and(|expected| expected != digest) => {
                        self.lacks(name, "it does not come to the same as we do".into());
                    }
                    Ok((job, _)) => {
                        let program = program.clone();
                        jobs.push(Job::elsewhere(name, messages.into(), move |calls| {
                            program.lock().expect("nobody panics").run(job, calls)
                        }));
                    }
                    Err(why) => self.lacks(name, why),
                }
            }
        }
        jobs
    }
}

/// What such a row's work leaves out that ours has.
pub(super) fn differs(row: &str) -> Vec<&'static str> {
    let mut parts = row.split('/').skip(1);
    let (who, operation) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut differs = Vec::new();
    match (who, operation) {
        ("kyber-avx2", "encaps") => differs.push("without the check of the public key (FIPS 203, section 7.2)"),
        ("kyber-avx2", "decaps") => {
            differs.push("without the check of the hash in the secret key (FIPS 203, section 7.3), and of its values");
        }
        ("mlkem-native", "decaps") => differs.push("without a check of the values in the secret key"),
        ("dilithium-avx2", "sign") => differs.push("without the check that tr and t0 belong to the secret key"),
        _ => {}
    }
    if ["kyber-avx2", "dilithium-avx2"].contains(&who) {
        differs.push("secrets are not wiped");
    }
    differs
}

#[cfg(test)]
mod tests {
    use super::{super::program::Program, *};
    use std::{fs, path::Path, process::Command};
    use tempfile::TempDir;

    /// A key encapsulation by nobody, whose keys, ciphertexts and shared keys are sums of what goes into them.
    const FAKE: [(&str, &str); 2] = [
        (
            "kem.h",
            "#include <stddef.h>\n#include <stdint.h>\n\
             #define CRYPTO_SECRETKEYBYTES 4\n#define CRYPTO_PUBLICKEYBYTES 3\n#define CRYPTO_CIPHERTEXTBYTES 34\n\
             int crypto_kem_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *coins);\n\
             int crypto_kem_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins);\n\
             int crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);\n",
        ),
        (
            "kem.c",
            "#include \"kem.h\"\n#include <string.h>\n\
             int crypto_kem_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *coins) {\n\
             memset(pk, coins[63] + 2, 3);\nmemset(sk, coins[0] + 1, 4);\nreturn 0;\n}\n\
             int crypto_kem_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins) {\n\
             memset(ct, coins[31], 34);\nmemset(ss, coins[31] + pk[2], 1);\nreturn 0;\n}\n\
             int crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk) {\n\
             memset(ss, ct[33] + sk[3] + 1, 1);\nreturn 0;\n}\n",
        ),
    ];

    fn fake(copies: &Path) {
        let folder = copies.join("kyber/avx2");
        fs::create_dir_all(folder.join("keccak4x")).unwrap();
        for source in KYBER.sources {
            fs::write(folder.join(source), "").unwrap();
        }
        for (file, text) in FAKE {
            fs::write(folder.join(file), text).unwrap();
        }
    }

    fn build(copies: Option<&Path>) -> Result<Program, String> {
        Program::build(Source::Sources(KYBER), copies)
    }

    fn has_compilers() -> bool {
        ["cc", "c++"].iter().all(|compiler| Command::new(compiler).arg("--version").output().is_ok())
    }

    #[test]
    fn what_is_not_there_is_said() {
        let copies = TempDir::new().unwrap();
        let clone = "git clone https://github.com/pq-crystals/kyber \"$RINGWORK_PEERS/kyber\"";
        let says = |copies, what: &str| {
            let why = build(copies).unwrap_err();
            assert!(why.contains(what) && why.ends_with(clone), "{why}");
        };
        says(None, "RINGWORK_PEERS names no folder");
        says(Some(copies.path()), "there is no folder");
        fake(copies.path());
        fs::remove_file(copies.path().join("kyber/avx2/cbd.c")).unwrap();
        says(Some(copies.path()), "cbd.c is not there");
        if has_compilers() {
            fs::write(copies.path().join("kyber/avx2/cbd.c"), "#error \"of another version\"\n").unwrap();
            says(Some(copies.path()), "of another version");
        }
    }

    #[test]
    fn a_copy_is_built_and_answers() {
        if !has_compilers() {
            return;
        }
        let copies = TempDir::new().unwrap();
        fake(copies.path());
        let mut program = build(Some(copies.path())).unwrap();
        assert!(program.how().starts_with("no checkout, "), "{}", program.how());
        // All that comes of four samples: of 4 + 3 + 34 bytes, the rest of which are zeros.
        let of_all = |parts: fn(u8) -> Vec<u8>| {
            let padded = |number| parts(number).into_iter().chain([0; 41]).take(41);
            digest((0..4).flat_map(padded).map(u64::from))
        };
        let keys = |n: u8| [[n + 1; 4].as_slice(), &[n + 2; 3]].concat();
        let sent = |n: u8| [[n ^ 9; 34].as_slice(), &[(n ^ 9) + n + 2]].concat();
        let shared = |n: u8| vec![(n ^ 9) + n + 2];
        assert_eq!(program.make("kyber-avx2", "keygen", 1, 0), Ok((0, of_all(keys))));
        assert_eq!(program.make("kyber-avx2", "encaps", 1, 0), Ok((1, of_all(sent))));
        assert_eq!(program.make("kyber-avx2", "decaps", 1, 0), Ok((2, of_all(shared))));
        assert!(program.make("kyber-avx2", "sign", 1, 0).is_err());
        assert!((0..3).all(|job| program.run(job, 10) >= 0.0));
        program.clear();
        assert_eq!(program.make("kyber-avx2", "keygen", 1, 0), Ok((0, of_all(keys))));
    }

    #[test]
    fn another_result_than_ours_is_no_row() {
        let copies = TempDir::new().unwrap();
        fake(copies.path());
        let beside = Beside::with_copies(Some(copies.path().to_owned()));
        let [standard, ..] = Standard::all();
        let mut names = beside.scheme_names(&standard);
        names.retain(|name| name.contains("kyber-avx2"));
        assert_eq!(names.len(), if has_avx2() { 3 } else { 0 });
        assert!(beside.scheme_jobs(&standard, &names).is_empty());
        if has_compilers() {
            let expected = names.into_iter().map(|name| (name, "it does not come to the same as we do".to_owned()));
            assert_eq!(beside.absent(), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn rows_say_what_is_left_out() {
        assert_eq!(super::super::differs("ml-kem-768/kyber-avx2/decaps").len(), 2);
        assert!(differs("ml-kem-768/mlkem-native/encaps").is_empty() && differs("ml-kem-768/avx2/decaps").is_empty());
    }
}
