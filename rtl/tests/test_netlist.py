"""Netlists against the model, since Yosys may read the sources otherwise than simulators do: whole programs, as in
test_roundtrips.py. And the report: its numbers are those of netlists that passed."""

import json

import netlist
import pytest
import tools

ROUNDS = 200 if tools.LONG else 5
CASES = [(name, machine, "coarse") for name in (tools.SETS if tools.LONG else ["p1"]) for machine in tools.MACHINES]
if tools.LONG:
    CASES += [("p1", machine, kind) for machine in tools.MACHINES for kind in ("gates", *netlist.CELLS)]


@pytest.mark.parametrize("name,machine,kind", CASES)
def test_netlist(name, machine, kind):
    path = netlist.written(f"{name}-{machine}-{kind}", netlist.script(name, machine, netlist.COMMANDS[kind]))
    netlist.sign_off(f"netlist-{kind}", name, machine, path, kind, ROUNDS)


def test_a_dropped_minus_is_found():
    """Yosys reads -DW'(x) as x. Simulators do not, so that no other test sees it."""
    right, wrong = "minus = DW'(0) - DW'(", "minus = -DW'("
    mutant = tools.build_directory("netlists") / "sampler.sv"
    text = (tools.RTL / "src" / "sampler.sv").read_text()
    assert text.count(right) == 1
    mutant.write_text(text.replace(right, wrong))
    sources = [mutant if path.stem == "sampler" else path for path in tools.SOURCES]
    path = netlist.written("mutant", netlist.script("p1", "fast", netlist.COMMANDS["coarse"], sources=sources))
    with pytest.raises(netlist.Difference):
        netlist.sign_off("netlist-mutant", "p1", "fast", path, "coarse", ROUNDS)


def test_report():
    """What is published was counted in netlists whose digests are the model's."""
    report = json.loads((tools.RTL.parent / "crates/workbench/src/report/processor.json").read_text())
    for design in report["designs"]:
        signed_off = design["synthesis"]["signed_off"]
        model = tools.model_round_trips(design["set"], design["machine"], signed_off["rounds"], seed=1)
        digests = {key: signed_off[key] for key in ("xc6v", "without_sampler", "ecp5")}
        assert digests == dict.fromkeys(digests, model["digest"]), (design["set"], design["machine"])
