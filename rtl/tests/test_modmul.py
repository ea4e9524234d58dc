"""The modular product of all pairs of coefficients."""

import pytest
import tools


# One set of each modulus.
MODULI = {s.q: s for s in tools.SETS.values()}


# At its own depth each modulus, and at the others one.
CASES = [(q, tools.latency("MODMUL")) for q in MODULI]
CASES += [(7681, depth) for depth in tools.DEPTHS if depth != tools.latency("MODMUL")]


@pytest.mark.parametrize("q,depth", CASES)
def test_all_products(q, depth):
    s = MODULI[q]
    parameters = {"Q": s.q, "H": s.h, "SPLIT": s.split, "WIDTH": s.width, "DEPTH": depth}
    sources = [tools.RTL / "src" / f"{source}.sv" for source in ("latency", "modmul")]
    defines = {"Q": s.q, "R": s.r, "LATENCY": depth}
    run = tools.harness(f"products-{q}-{depth}", "ringwork_modmul", "products.cpp", sources, parameters, defines)
    assert tools.output([run]) == f"0 of {s.q**2}\n"
