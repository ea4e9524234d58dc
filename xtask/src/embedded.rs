//! `embedded`: ML-KEM and ML-DSA without std and without an operating system, with a heap and without, on machines that
//! qemu imitates: known answers, and what they need of flash, stack and heap. The program stands in `embedded/`.

use crate::{
    cargo::{capture, program, root, run as succeed},
    cross::{has_target, starts},
    skips::{OBJDUMP_MISSING, QEMU_ARM_MISSING, QEMU_RISCV_MISSING, RISCV_TARGET_MISSING, THUMB_TARGET_MISSING},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::Path;

const PROGRAM: &str = "ringwork-embedded";
/// A machine that faults may not end by itself.
const SECONDS: &str = "600";

struct Machine {
    name: &'static str,
    target: &'static str,
    target_missing: &'static str,
    /// The program that imitates it, its arguments, and why it may not be there.
    emulator: (&'static str, &'static [&'static str], &'static str),
}

const MACHINES: [Machine; 2] = [
    Machine {
        name: "Cortex-M4",
        target: "thumbv7em-none-eabihf",
        target_missing: THUMB_TARGET_MISSING,
        emulator: ("qemu-system-arm", &["-machine", "mps2-an386", "-cpu", "cortex-m4"], QEMU_ARM_MISSING),
    },
    Machine {
        name: "RISC-V of 32 bits",
        target: "riscv32imac-unknown-none-elf",
        target_missing: RISCV_TARGET_MISSING,
        emulator: ("qemu-system-riscv32", &["-machine", "virt", "-bios", "none"], QEMU_RISCV_MISSING),
    },
];

/// What may be there of the schemes, as features of the program; the last of each kind runs.
const SCHEMES: [[&str; 3]; 2] = [["mlkem", "mldsa", "mlkem,mldsa"], ["heap,mlkem", "heap,mldsa", "heap,mlkem,mldsa"]];

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    starts("size", OBJDUMP_MISSING)?;
    for Machine { target, target_missing, emulator: (emulator, _, emulator_missing), .. } in &MACHINES {
        has_target(target, target_missing)?;
        starts(emulator, emulator_missing)?;
    }
    for machine in &MACHINES {
        on(machine)?;
        tally.passed += 1;
    }
    Ok(())
}

fn on(Machine { name, target, emulator: (emulator, arguments, _), .. }: &Machine) -> Result<(), Stop> {
    let folder = Workspace::read()?.target_directory.join("embedded");
    let built = folder.join(target).join("release").join(PROGRAM);
    println!("--- {name}, {target}");
    for schemes in SCHEMES {
        for features in schemes {
            build(target, features, &folder)?;
            println!("{features}: {} bytes of flash", flash(&capture(program("size").arg(&built))?)?);
        }
        let mut imitate = program("timeout");
        imitate.args([SECONDS, emulator]).args(*arguments).args(["-nographic", "-monitor", "none", "-serial", "none"]);
        imitate.args(["-semihosting-config", "enable=on,target=native", "-kernel"]).arg(&built);
        succeed(&mut imitate)?;
    }
    Ok(())
}

fn build(target: &str, features: &str, folder: &Path) -> Result<(), Stop> {
    let mut build = program("cargo");
    build.args(["build", "--quiet", "--release", "--locked", "--no-default-features", "--features", features]);
    build.args(["--target", target, "--target-dir"]).arg(folder).current_dir(root().join("embedded"));
    // Flags of the environment are meant for this machine.
    Ok(succeed(build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS"))?)
}

/// Code, constants, and the first values of variables, by what `size` prints.
fn flash(sizes: &str) -> Result<usize, String> {
    let numbers = sizes.lines().nth(1).map(|line| line.split_whitespace().map_while(|word| word.parse().ok()));
    match numbers.map(Iterator::collect::<Vec<usize>>).as_deref() {
        Some([text, data, ..]) => Ok(text + data),
        _ => Err(format!("`size` printed {sizes:?}")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn flash_is_what_is_not_zero_at_the_start() {
        let sizes =
            "   text\t   data\t    bss\t    dec\t    hex\tfilename\n 297564\t      4\t2097212\t2394780\t 248a9c\tx\n";
        assert_eq!(super::flash(sizes), Ok(297_568));
        assert!(super::flash("").is_err() && super::flash("text\nnone 3 4").is_err());
    }
}
