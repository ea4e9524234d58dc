//! What may be left out, and for which reasons.

/// Reasons for which a skipped step or an ignored test is no failure in continuous integration.
const ALLOWED_IN_CI: [&str; 40] = [
    AARCH64_LINKER_MISSING,
    AARCH64_MUSL_TARGET_MISSING,
    AARCH64_TARGET_MISSING,
    AGE,
    AGE_UNREACHABLE,
    CARGO_AUDIT_MISSING,
    CARGO_CYCLONEDX_MISSING,
    CARGO_DEB_MISSING,
    CARGO_MUTANTS_MISSING,
    CHROMIUM_MISSING,
    CLANG_MISSING,
    COMPILER_MISSING,
    GO_MISSING,
    ICARUS_MISSING,
    LABELS,
    LONG,
    MIRI_MISSING,
    NODE_MISSING,
    NO_STD_TARGET_MISSING,
    NO_THREADS,
    NO_UNWINDING,
    NPM_PACKAGES_MISSING,
    OBJDUMP_MISSING,
    OPENSSL_MISSING,
    PYTHON_MISSING,
    PYTHON_PACKAGES_MISSING,
    QEMU_ARM_MISSING,
    QEMU_MISSING,
    QEMU_RISCV_MISSING,
    RAGE,
    RANDOM_WORDS,
    REGISTRY_UNREACHABLE,
    RISCV_TARGET_MISSING,
    SOLVERS_MISSING,
    THUMB_TARGET_MISSING,
    TLS,
    VALGRIND_MISSING,
    WASM_TARGET_MISSING,
    WASM_UNKNOWN_TARGET_MISSING,
    X86_64_MUSL_TARGET_MISSING,
];

pub(crate) const COMPILER_MISSING: &str = "g++ and make are not installed: `apt install g++ make`";
pub(crate) const GO_MISSING: &str =
    "Go is not installed: https://go.dev/dl, 1.25 or later; `go install filippo.io/age/cmd/...@v1.3.1` builds age";
pub(crate) const AGE_UNREACHABLE: &str =
    "age cannot be had from the module proxy of Go: `go install filippo.io/age/cmd/...@v1.3.1`";
/// Tests that need other programs, and are run by steps of their own.
const AGE: &str = "`cargo xtask age` runs it";
const RAGE: &str = "`cargo xtask rage` runs it";
const TLS: &str = "`cargo xtask tls` runs it";
const LABELS: &str = "`cargo xtask labels` runs it";
pub(crate) const CHROMIUM_MISSING: &str = "Chromium is not installed: `apt install chromium`";
/// Random cases by the thousand million, beside the tests that try the same by the thousand.
const LONG: &str = "takes minutes: run with --ignored";
const RANDOM_WORDS: &str = "takes ten seconds and three gigabytes: `cargo xtask random words`";
pub(crate) const ICARUS_MISSING: &str = "Icarus Verilog is not installed: `apt install iverilog`";
pub(crate) const PYTHON_MISSING: &str = "Python 3 with venv is not installed: `apt install python3-venv`";
pub(crate) const PYTHON_PACKAGES_MISSING: &str =
    "the tools cannot be had from a package index: `pip install -r rtl/requirements.txt`";
pub(crate) const CARGO_MUTANTS_MISSING: &str = "cargo-mutants is not installed: `cargo install cargo-mutants --locked`";
pub(crate) const CARGO_AUDIT_MISSING: &str = "cargo-audit is not installed: `cargo install cargo-audit --locked`";
pub(crate) const CARGO_DEB_MISSING: &str = "cargo-deb is not installed: `cargo install cargo-deb --locked`";
pub(crate) const CARGO_CYCLONEDX_MISSING: &str =
    "cargo-cyclonedx is not installed: `cargo install cargo-cyclonedx --locked`";
pub(crate) const REGISTRY_UNREACHABLE: &str =
    "the registry of cargo cannot be reached: `cargo publish --workspace --dry-run`";
pub(crate) const SOLVERS_MISSING: &str =
    "the solvers cannot be had from a package index: `pip install -r crates/prove/requirements.txt`";
pub(crate) const MIRI_MISSING: &str = "Miri is not installed: `rustup component add miri rust-src --toolchain nightly`";
pub(crate) const VALGRIND_MISSING: &str = "valgrind is not installed: `apt install valgrind`";
pub(crate) const OBJDUMP_MISSING: &str = "objdump is not installed: `apt install binutils`";
/// The reason of the ignored tests in `crates/workbench/tests/openssl.rs`, too.
pub(crate) const OPENSSL_MISSING: &str = "OpenSSL 3.5 or newer is not installed: `cargo xtask interop` builds one";
pub(crate) const NO_STD_TARGET_MISSING: &str =
    "no target without std is installed: `rustup target add x86_64-unknown-none`";

pub(crate) const AARCH64_TARGET_MISSING: &str =
    "the standard library for AArch64 is not installed: `rustup target add aarch64-unknown-linux-gnu`";
pub(crate) const AARCH64_LINKER_MISSING: &str =
    "no linker for AArch64 is installed: `apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross`";
pub(crate) const QEMU_MISSING: &str = "qemu for programs of another machine is not installed: `apt install qemu-user`";
pub(crate) const CLANG_MISSING: &str = "clang is not installed: `apt install clang`";
pub(crate) const X86_64_MUSL_TARGET_MISSING: &str =
    "the static standard library is not installed: `rustup target add x86_64-unknown-linux-musl`";
pub(crate) const AARCH64_MUSL_TARGET_MISSING: &str =
    "the static standard library for AArch64 is not installed: `rustup target add aarch64-unknown-linux-musl`";
pub(crate) const THUMB_TARGET_MISSING: &str =
    "the core library for Cortex-M4 is not installed: `rustup target add thumbv7em-none-eabihf`";
pub(crate) const RISCV_TARGET_MISSING: &str =
    "the core library for RISC-V is not installed: `rustup target add riscv32imac-unknown-none-elf`";
pub(crate) const QEMU_ARM_MISSING: &str = "qemu-system-arm is not installed: `apt install qemu-system-arm`";
pub(crate) const QEMU_RISCV_MISSING: &str = "qemu-system-riscv32 is not installed: `apt install qemu-system-misc`";
pub(crate) const WASM_TARGET_MISSING: &str =
    "the standard library for WebAssembly is not installed: `rustup target add wasm32-wasip1`";
pub(crate) const WASM_UNKNOWN_TARGET_MISSING: &str =
    "the standard library for WebAssembly in browsers is not installed: `rustup target add wasm32-unknown-unknown`";
pub(crate) const NPM_PACKAGES_MISSING: &str =
    "the packages of crates/wasm/test/package.json cannot be had from a registry: `npm install`";
pub(crate) const NODE_MISSING: &str = "Node.js is not installed: https://nodejs.org, 20 or later";
/// Tests that the programs of `cross` for WebAssembly cannot run.
pub(crate) const NO_UNWINDING: &str = "on WebAssembly a panic ends the program";
const NO_THREADS: &str = "on WebAssembly there are no threads";

/// Whether something may be left out for this reason.
pub(crate) fn permitted(reason: &str, in_ci: bool) -> Result<(), String> {
    if in_ci && !ALLOWED_IN_CI.contains(&reason) {
        return Err(format!("skipped under CI=true, and this is no listed reason: {reason}"));
    }
    Ok(())
}

/// Whether this is continuous integration, by the usual sign.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cargo::root, floors::rust_files};

    #[test]
    fn only_listed_reasons_excuse_in_ci() {
        assert!(permitted("the moon is full", false).is_ok());
        assert!(permitted("the moon is full", true).is_err());
        assert!(permitted(MIRI_MISSING, true).is_ok());
    }

    /// Found here in a second, and not after half an hour by the run that ignores the test.
    #[test]
    fn every_ignored_test_has_a_listed_reason() {
        let mut found = 0;
        for path in rust_files(&root().join("crates")).unwrap() {
            let source = std::fs::read_to_string(&path).unwrap();
            for reason in source.split("ignore = \"").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(ALLOWED_IN_CI.contains(&reason), "{}: {reason}", path.display());
                found += 1;
            }
        }
        assert!(found >= 15, "{found} ignored tests are found: has the attribute changed?");
    }
}
