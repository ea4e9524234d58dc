"""Random programs against the model: undisturbed, with stalls and refused commands, and stopped by zeroization."""

import json
import random

import netlist
import pytest
import tools

PROGRAMS = 300 if tools.LONG else 4
CASES = [(name, machine, "source") for name in tools.SETS for machine in tools.MACHINES]
if tools.LONG:
    CASES += [(name, machine, "coarse") for name, machine, _ in CASES]


def text(name, machine, source):
    """A program that loads all blocks, goes on at random, and reads all blocks."""
    blocks = [f"M{i}" for i in range(6)]
    per_bank = 1024 // tools.SETS[name].n
    bank = lambda block: int(block[1]) % 2 if per_bank == 4 else int(block[1]) // per_bank
    several = lambda: ", ".join(source.choices(blocks, k=source.randrange(1, 4)))
    lines = [f"load {block}" for block in source.sample(blocks, 6)]
    common = ["load", "fntt", "intt", "read", "gaussian-load"]
    own = ["multiply-add", "gaussian-encode-load"] if machine == "fast" else ["encode-load", "add", "cmult", "rearrange"]
    for _ in range(source.randrange(4, 10)):
        name = source.choice([*common, *own, *own])
        if name in ("fntt", "intt") or machine == "fast" and name.startswith("gaussian"):
            lines.append(f"{name} {several()}")
        elif name == "multiply-add":
            target, first, second, summand = source.choices(blocks, k=4)
            summand = summand if bank(summand) != bank(second) else next(b for b in blocks if bank(b) != bank(second))
            lines.append(f"{name} {target}, {first}, {second}, {summand}")
        else:
            lines.append(f"{name} {', '.join(source.choices(blocks, k=3 if name in ('add', 'cmult') else 1))}")
    return "\n".join([*lines, *(f"read {block}" for block in source.sample(blocks, 6))]) + "\n"


def programs(name, machine, count):
    """With inputs and answers of the model, as numbers."""
    width = tools.SETS[name].width
    for seed in range(count):
        path = tools.build_directory(f"campaign-{name}-{machine}") / f"{seed}.rasm"
        path.write_text(text(name, machine, random.Random(f"{name} {machine} {seed}")))
        trace = tools.ringwork("processor", "trace", str(path), "--set", name, "--machine", machine, "--seed", str(seed))
        read = [low | high << width | (one | other << 1) << 2 * width for low, high, one, other in trace["read"]]
        words = [low | high << width for low, high in trace["data"]]
        cycles = [instruction["cycles"] for instruction in trace["instructions"]]
        for numbers in (list(bytes.fromhex(trace["bytes"])), words, trace["bits"], trace["random"], read, cycles):
            yield " ".join(map(str, [len(numbers), *numbers]))


def play(name, machine, kind, count, coverage=False):
    """Plays programs on the sources or on a netlist; gives what was done, and the directory."""
    s, fast = tools.SETS[name], int(machine == "fast")
    sources, parameters = [*tools.SOURCES, s.source], {"FAST": fast}
    if kind != "source":
        path = netlist.written(f"campaign-{name}-{machine}", netlist.script(name, machine, netlist.COMMANDS[kind]))
        sources, parameters = [path], {}
    defines = {"N": s.n, "WIDTH": s.width, "FAST": fast}
    run = tools.harness(
        f"campaign-{kind}-{name}-{machine}" + "-coverage" * coverage, f"ringwork_{name}", "campaign.cpp", sources, parameters, defines,
        coverage,
    )
    given = "\n".join(programs(name, machine, count)) + "\n"
    return json.loads(tools.output([run, 1], given, run.parent)), run.parent


@pytest.mark.parametrize("name,machine,kind", CASES)
def test_campaign(name, machine, kind):
    done, _ = play(name, machine, kind, PROGRAMS)
    assert done["programs"] == PROGRAMS and done["zeroizations"] == 3 * PROGRAMS and done["refused"] > 10 * PROGRAMS
    assert done["cycles"] > 10_000 * PROGRAMS
