"""The estimator in Python: values recorded from the lattice-estimator, its names, and what is refused."""

from __future__ import annotations

import doctest
import importlib
import math
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringwork.estimator import LWE, ND, NTRU, RC, SIS, Cost, Power, Simulator, grid, oo, schemes

RECORDED = Path(__file__).parents[2] / "ringwork" / "tests" / "estimates" / "lattice-estimator.txt"


def recorded() -> list[tuple[str, str, float, int]]:
    """Set, attack, bits and block size of the sets of `schemes`."""
    rows, name = [], ""
    for line in RECORDED.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        words = line.split()
        if not line.startswith(" "):
            name = words[0]
        elif hasattr(schemes, name):
            rows += [(name, *row) for row in zip(words[::3], map(float, words[1::3]), map(int, words[2::3]))]
    return rows


def test_costs_are_those_of_the_lattice_estimator() -> None:
    attacks = {
        "usvp": "primal_usvp",
        "bdd": "primal_bdd",
        "dual": "dual",
        "dual_hybrid": "dual_hybrid",
        "dsd": "primal_dsd",
        "lattice": "lattice",
    }
    count, slowest = 0, 0.0
    for name, row, bits, beta in recorded():
        params = getattr(schemes, name)
        rough, row = row.startswith("rough."), row.removeprefix("rough.")
        attack, *models = row.split(".")
        model = getattr(RC, models[0].replace("-quantum", "Quantum")) if models else RC.ADPS16 if rough else RC.MATZOV
        shape = models[1] if len(models) > 1 else "gsa"
        problem: Any = {"LWEParameters": LWE, "NTRUParameters": NTRU, "SISParameters": SIS}[type(params).__name__]
        if attack == "dsd":
            shape = "zgsa"
        if attack == "lattice" and rough:
            shape = "lgsa"
        start = time.perf_counter()
        if attack in attacks:
            cost = getattr(problem, attacks[attack])(params, red_cost_model=model, red_shape_model=shape)
        else:
            mitm = attack == "bdd_mitm_hybrid"
            cost = problem.primal_hybrid(params, mitm=mitm, babai=mitm, red_cost_model=model, red_shape_model=shape)
        if shape.upper() != "CN11":
            slowest = max(slowest, time.perf_counter() - start)
        close = 0.75 if attack.endswith("hybrid") else 0.6 if attack == "dual" else 0.35
        assert cost.rop.log2 == pytest.approx(bits, abs=close), (name, row, cost)
        count += 1
    assert count > 500, count
    print(f"{count} values, the slowest estimate {slowest * 1000:.0f} ms")


def test_scripts_of_the_lattice_estimator_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    script = """
from ringwork.estimator import *
params = LWE.Parameters(n=512, q=3329, Xs=ND.CenteredBinomial(3), Xe=ND.CenteredBinomial(3), m=512, tag="mine")
result = LWE.estimate(params, red_cost_model=RC.MATZOV, deny_list=("arora-gb", "bkw"))
rough = LWE.estimate.rough(schemes.Kyber768)
sparse = LWE.primal_hybrid(schemes.Kyber512.updated(Xs=ND.SparseTernary(16, n=512)), mitm=False, babai=False)
sis = SIS.lattice(SIS.Parameters(n=113, q=2048, length_bound=512, norm=2))
ntru = NTRU.estimate(schemes.NTRUHPS2048509Enc, red_shape_model=Simulator.GSA)
"""
    exec(script, names)
    result, rough = names["result"], names["rough"]
    assert isinstance(result, dict) and isinstance(rough, dict)
    assert list(result) == ["usvp", "bdd", "bdd_hybrid", "bdd_mitm_hybrid", "dual", "dual_hybrid"]
    assert math.log2(result["usvp"]["rop"]) == pytest.approx(143.8, abs=0.1) and result["usvp"].beta == 406
    assert rough["usvp"]["beta"] == 624 or rough["usvp"]["beta"] == 625
    sparse, sis = names["sparse"], names["sis"]
    assert isinstance(sparse, Cost) and sparse.rop.log2 == pytest.approx(87.9, abs=0.4)
    assert isinstance(sis, Cost) and abs(sis["beta"] - 61) <= 1
    assert set(names["ntru"]) >= {"usvp", "bdd", "dsd"}  # type: ignore[call-overload]
    out = capsys.readouterr().out
    assert "usvp                 :: rop: ≈2^143.8, red: ≈2^143.8, δ: 1.003941, β: 406, d: 998, tag: usvp\n" in out


def test_documentation_shows_what_comes_out() -> None:
    for name in ("ringwork.estimator", "ringwork.estimator.grids"):
        failed, tried = doctest.testmod(importlib.import_module(name))
        assert tried > 0 and failed == 0, name


def test_distributions_are_what_they_say() -> None:
    assert ND.CenteredBinomial(3).stddev == pytest.approx(math.sqrt(1.5))
    assert ND.Ternary.stddev == pytest.approx(math.sqrt(2 / 3)) and ND.Binary.mean == 0.5
    assert ND.UniformMod(4).bounds == (-2, 1) and ND.Uniform(-3, 3).bounds == (-3, 3)
    assert not ND.DiscreteGaussian(3.2).is_bounded and ND.DiscreteGaussian(3.2, mean=1).mean == 1
    assert ND.DiscreteGaussianAlpha(0.001, 7681).stddev == pytest.approx(0.001 * 7681 / math.sqrt(2 * math.pi))
    sparse = ND.SparseTernary(8, 8, 64)
    assert sparse.is_sparse and sparse.hamming_weight == 16
    assert sparse.support_size() == pytest.approx(math.log2(6287341680214194176))
    assert ND.Binary < ND.DiscreteGaussian(3.2) and ND.TUniform(4).bounds == (-16, 16)
    assert repr(ND.CenteredBinomial(2, n=9)) == "D(binomial:2, n=9)"


def test_what_makes_no_sense_is_refused() -> None:
    kyber = schemes.Kyber512
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: ND.CenteredBinomial(0), "positive integer"),
        (lambda: ND.DiscreteGaussian(-1), "positive number"),
        (lambda: ND.Uniform(3, 3), "less than"),
        (lambda: ND.SparseTernary(8).stddev, "n is needed"),
        (lambda: ND.SparseTernary(40, 40, 64), "no distribution"),
        (lambda: LWE.primal_usvp(kyber.updated(n=0)), "n = 0"),
        (lambda: LWE.primal_usvp(kyber.updated(q=1)), "q = 1 is no modulus"),
        (lambda: LWE.primal_usvp(kyber.updated(q=2.5)), "q = 2.5"),
        (lambda: LWE.primal_usvp(kyber.updated(m=-1)), "m = -1"),
        (lambda: LWE.primal_usvp(kyber.updated(m=0.5)), "m = 0.5"),
        (lambda: LWE.primal_usvp(kyber, red_cost_model="BKZ"), "MATZOV"),
        (lambda: LWE.primal_usvp(kyber, red_shape_model="straight"), "ZGSA"),
        (lambda: LWE.estimate(kyber, add_list=("magic",), quiet=True), "magic"),
        (lambda: NTRU.Parameters(512, 12289, ND.Ternary, ND.Ternary, ntru_type="cube"), "circulant"),
        (lambda: SIS.lattice(SIS.Parameters(512, 12289, 12289.0)), "no challenge"),
        (lambda: SIS.lattice(SIS.Parameters(512, 12289, 100.0, norm=1)), "2 and oo"),
    ]
    for call, why in refused:
        with pytest.raises(ValueError, match=why):
            call()
    with pytest.raises(AttributeError, match="it has rop"):
        LWE.primal_usvp(kyber).colour


def test_costs_are_numbers_of_any_size() -> None:
    huge = LWE.arora_gb(schemes.Kyber512)["rop"]
    assert huge == math.inf and huge.log2 == pytest.approx(2234.9, abs=0.1) and repr(huge) == "≈2^2234.9"
    assert float(Power(3.0)) == 8.0 and pickle.loads(pickle.dumps(Power(143.8))).log2 == 143.8
    never = LWE.primal_usvp(schemes.Kyber512.updated(Xe=ND.DiscreteGaussian(1e30)))
    assert never["rop"] == oo and never.tag == "usvp"
    assert RC.BDGL16(500, 1024).log2 == pytest.approx(175.4, abs=0.1) and Simulator.CN11 == "CN11"
    # A modulus that no float holds.
    assert LWE.primal_usvp(schemes.HESv2_131072_128_ternary).rop.log2 > 100
    assert pickle.loads(pickle.dumps(schemes.Kyber512)) == schemes.Kyber512


def test_grids_keep_their_order() -> None:
    sets = [schemes.Kyber512.updated(n=n) for n in (900, 400, 650)]
    for progress in (True, False):
        costs = grid(sets, LWE.primal_usvp, progress=progress)
        assert [cost.rop for cost in costs] == [LWE.primal_usvp(params).rop for params in sets]
