"""What tests and tools share: parameter sets, programs, simulators, the model's command."""

import json
import os
import pathlib
import subprocess

RTL = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RTL_BUILD", RTL.parent / "target" / "rtl"))
SOURCES = sorted((RTL / "src").glob("*.sv"))
LONG = os.environ.get("RTL_LONG") == "1"
SIMULATORS = os.environ.get("RTL_SIMULATORS", "verilator").split(",")
MACHINES = ("paper", "fast")


class Set:
    """A parameter set; the model's command knows the rest of it."""

    def __init__(self, name, n, q, split):
        self.name, self.n, self.q, self.split = name, n, q, split
        self.r = pow(2, 2 * split, q)
        self.width = q.bit_length()
        self.source = RTL / "sets" / f"{name}.sv"


SETS = {s.name: s for s in (Set("p1", 256, 7681, 9), Set("p2", 512, 12289, 12), Set("p3", 1024, 12289, 12))}


def output(command):
    """Runs a command, and gives its standard output; a failure shows everything."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def ringwork(*arguments):
    """Runs the command of the model, and reads its JSON."""
    program = os.environ.get("RINGWORK", str(RTL.parent / "target" / "release" / "ringwork"))
    return json.loads(output([program, *arguments, "--json"]))


def program(machine, name):
    """The bytes of a program that comes with the model, in hexadecimal."""
    source = RTL.parent / "crates" / "processor" / "programs" / machine / f"{name}.rasm"
    return ringwork("processor", "asm", str(source), "--machine", machine)["bytes"]


def round_trips(name, machine, rounds, seed):
    """Runs `roundtrips.cpp` on a processor."""
    s = SETS[name]
    top = f"Vringwork_{name}"
    directory = BUILD / f"roundtrips-{name}-{machine}"
    defines = {"HEADER": f"'\"{top}.h\"'", "TOP": top, "N": s.n, "Q": s.q, "R": s.r, "PAPER": int(machine == "paper")}
    flags = " ".join(f"-DRW_{key}={value}" for key, value in defines.items())
    command = ["verilator", "--cc", "--exe", "--build", "-O3", "--top-module", f"ringwork_{name}"]
    command += [f"-GFAST={int(machine == 'fast')}", "-Wno-fatal", "-CFLAGS", f"-std=c++17 -O2 {flags}"]
    command += ["--Mdir", str(directory), "-o", "roundtrips"]
    directory.mkdir(parents=True, exist_ok=True)
    output([*command, *SOURCES, s.source, RTL / "tests" / "roundtrips.cpp"])
    programs = [program(machine, which) for which in ("keygen", "encrypt", "decrypt")]
    return json.loads(output([directory / "roundtrips", rounds, seed, *programs]))
