"""The modular product of all pairs of coefficients."""

import pytest
import tools


@pytest.mark.parametrize("name,h", [("p1", 15), ("p2", 3)])
def test_all_products(name, h):
    s = tools.SETS[name]
    parameters = {"Q": s.q, "H": h, "SPLIT": s.split, "WIDTH": s.width}
    sources = [tools.RTL / "src" / "modmul.sv"]
    run = tools.harness(
        f"products-{name}", "ringwork_modmul", "products.cpp", sources, parameters, {"Q": s.q, "R": s.r}
    )
    assert tools.output([run]) == f"0 of {s.q**2}\n"
