"""The modular product of all pairs of coefficients."""

import pytest
import tools


# One set of each modulus.
MODULI = {s.q: s for s in tools.SETS.values()}


@pytest.mark.parametrize("q", MODULI)
def test_all_products(q):
    s = MODULI[q]
    parameters = {"Q": s.q, "H": s.h, "SPLIT": s.split, "WIDTH": s.width}
    sources = [tools.RTL / "src" / f"{source}.sv" for source in ("latency", "modmul")]
    defines = {"Q": s.q, "R": s.r, "LATENCY": tools.latency("MODMUL")}
    run = tools.harness(f"products-{q}", "ringwork_modmul", "products.cpp", sources, parameters, defines)
    assert tools.output([run]) == f"0 of {s.q**2}\n"
