"""Transforms, products and rings against integers of Python, python-flint, sympy and galois."""

from __future__ import annotations

import copy
import doctest
import json
import multiprocessing
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flint
import galois
import numpy as np
import pytest
import ringwork as rw
import sympy.discrete.transforms
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from ringwork import plans, rings, rns, transforms

Array = NDArray[Any]
KINDS: list[plans.Kind] = ["negacyclic", "cyclic", "trinomial"]
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def polynomial(n: int, kind: str) -> list[int]:
    """The coefficients of the polynomial of a ring."""
    p = [0] * (n + 1)
    p[n] = 1
    p[0] += {"negacyclic": 1, "cyclic": -1, "trinomial": 1}[kind]
    if kind == "trinomial":
        p[n // 2] -= 1
    return p


def product(a: list[int], b: list[int], q: int, kind: str) -> list[int]:
    """Integers of Python by python-flint."""
    n = len(a)
    modulus = flint.fmpz_poly(polynomial(n, kind))
    c = divmod(flint.fmpz_poly(a) * flint.fmpz_poly(b), modulus)[1]
    return [int(c[i]) % q for i in range(n)]


def lists(draw: Any, n: int, q: int, least: int) -> list[int]:
    edge = st.sampled_from([least, 0, 1, q - 1])
    words: list[int] = draw(st.lists(st.one_of(st.integers(least, q - 1), edge), min_size=n, max_size=n))
    return words


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_products_in_any_ring(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(KINDS))
    n = data.draw(st.integers(1, 40))
    n += n % 2 if kind == "trinomial" else 0
    q = data.draw(st.one_of(st.integers(2, 2**62 - 1), st.integers(2, 2**80), st.sampled_from([2, 3, 4, 17, 12289])))
    a, b = (lists(data.draw, n, q, 1 - q) for _ in range(2))
    c = rw.polymul(a, b, q, kind=kind)
    assert c.tolist() == product(a, b, q, kind)
    assert c.dtype == (object if q > 2**63 else np.int64), q


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_arrays_of_any_type_shape_and_layout(data: st.DataObject) -> None:
    dtypes = [np.dtype(data.draw(st.sampled_from(DTYPES))) for _ in range(2)]
    dtypes[0] = dtypes[0].newbyteorder(">" if data.draw(st.booleans()) else "=")
    q = data.draw(st.sampled_from([17, 97, 12289, 3329, 8380417, 1000003, 2**61 - 1, 2**64 - 2**32 + 1]))
    n = data.draw(st.sampled_from([2, 4, 6, 16]))
    shapes = data.draw(st.sampled_from([((), ()), ((3,), ()), ((2, 1), (3,)), ((0,), (1,)), ((2, 3), (2, 3))]))
    axis = data.draw(st.sampled_from([-1, -2])) if all(shapes) else -1
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))

    def array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        info = np.iinfo(dtype)
        low, high = max(info.min, 1 - q), min(info.max, q - 1)
        words = rng.integers(low, high, (*shape, n), dtype=dtype.newbyteorder("="), endpoint=True).astype(dtype)
        if data.draw(st.booleans()):
            every = np.zeros((*shape, 2 * n), dtype=dtype)
            every[..., ::2] = words
            words = every[..., ::2]
        words = np.moveaxis(words, -1, axis)
        words.flags.writeable = False
        return words

    a, b = (array(shape, dtype) for shape, dtype in zip(shapes, dtypes))
    c = rw.polymul(a, b, q, axis=axis)
    last_a, last_b, last_c = (np.moveaxis(x, axis, -1) for x in (a, b, c))
    rows = np.broadcast_shapes(*shapes)
    assert last_c.shape == (*rows, n)
    x, y = (np.broadcast_to(it, (*rows, n)).reshape(-1, n) for it in (last_a, last_b))
    want = [product([*map(int, s)], [*map(int, t)], q, "negacyclic") for s, t in zip(x, y)]
    assert [list(map(int, row)) for row in last_c.reshape(-1, n)] == want
    assert np.iinfo(c.dtype).max >= q - 1
    if a.dtype == b.dtype.newbyteorder("=") and np.iinfo(b.dtype).max >= q - 1:
        assert c.dtype == b.dtype


@pytest.mark.parametrize("q", [97, 193, 7681, 12289, 8380417, 998244353, 2**64 - 2**32 + 1])
@pytest.mark.parametrize("kind", ["negacyclic", "cyclic"])
def test_slots_are_values_at_powers_of_the_root(q: int, kind: plans.Kind) -> None:
    n = 16
    a = np.random.default_rng(q).integers(0, q, n, dtype=np.uint64)
    plan = rw.Plan(n, q, kind=kind)
    assert plan.root is not None
    step, first = (2, 1) if kind == "negacyclic" else (1, 0)
    values = [sum(int(c) * pow(plan.root, (step * i + first) * k, q) for k, c in enumerate(a)) % q for i in range(n)]
    assert list(map(int, rw.ntt(a, q, kind=kind))) == values
    reversed_order = [int(f"{i:04b}"[::-1], 2) for i in range(n)]
    assert list(map(int, rw.ntt(a, q, kind=kind, order="bitreversed"))) == [values[i] for i in reversed_order]
    assert sorted(map(int, rw.ntt(a, q, kind=kind, order="native"))) == sorted(values)
    for order in ("natural", "bitreversed", "native"):
        assert np.array_equal(rw.intt(rw.ntt(a, q, kind=kind, order=order), q, kind=kind, order=order), a)


def test_cyclic_transforms_are_those_of_galois_and_sympy() -> None:
    q, n = 7681, 512
    a = np.random.default_rng(1).integers(0, q, n)
    theirs = galois.ntt(a.tolist(), modulus=q)
    root = int(galois.GF(q).primitive_root_of_unity(n))
    assert np.array_equal(rw.Plan(n, q, kind="cyclic", root=root).forward(a), np.asarray(theirs))
    same = sympy.discrete.transforms.ntt(a.tolist(), prime=q)
    generator = sympy.primitive_root(q)
    assert generator is not None
    root = pow(int(str(generator)), (q - 1) // n, q)
    assert rw.Plan(n, q, kind="cyclic", root=root).forward(a).tolist() == list(map(int, same))


@pytest.mark.parametrize("shape", [(8,), (3, 8), (2, 3, 8), (40, 8), (2, 64, 8), (0, 8), (5, 256)])
@pytest.mark.parametrize("order", ["natural", "bitreversed", "native"])
def test_transforms_along_any_axis(shape: tuple[int, ...], order: plans.Order) -> None:
    q, n = 7681, shape[-1]
    a = np.random.default_rng(2).integers(1 - q, q, shape)
    each = [rw.ntt(row, q, order=order) for row in a.reshape(-1, n)]
    want = np.array(each, dtype=np.int64).reshape(shape)
    for axis in range(a.ndim):
        moved = np.moveaxis(a, -1, axis)
        for array in (moved, np.ascontiguousarray(moved), moved.astype(np.int16)):
            there = rw.ntt(array, q, axis=axis, order=order)
            if order != "native":
                assert np.array_equal(np.moveaxis(there, axis, -1), want)
            assert np.array_equal(rw.intt(there, q, axis=axis, order=order), array % q)


def test_vectors_of_the_repository() -> None:
    vectors = Path(__file__).parents[3] / "vectors"
    products = json.loads((vectors / "products.json").read_text())["tests"]
    for test in products:
        assert rw.polymul(test["a"], test["b"], test["q"], kind=test["ring"]).tolist() == test["c"]
    transforms = [it for it in json.loads((vectors / "transforms.json").read_text())["tests"] if it["depth"] > 0]
    for test in transforms:
        assert test["order"] == "canonical"
        plan = rw.Plan(test["n"], test["q"], kind=test["ring"], depth=test["depth"], root=test["root"])
        assert plan.forward(test["input"]).tolist() == test["output"]
        assert plan.inverse(test["output"]).tolist() == test["input"]
    assert len(products) > 10 and len(transforms) > 10


def test_results_go_where_they_are_asked_to() -> None:
    q, n = 12289, 64
    rng = np.random.default_rng(3)
    plan = rw.Plan(n, q)
    a, b = (rng.integers(0, q, (4, n)).astype(plan.dtype) for _ in range(2))
    want, there = plan.multiply(a, b), plan.forward(a)
    with pytest.raises(TypeError, match="integers"):
        plan.multiply(a, b, out=np.empty((4, n)))  # type: ignore[arg-type]
    outs: list[Array] = [np.empty_like(a), np.empty((4, 2 * n), dtype=np.int64)[:, ::2], np.empty((n, 4), "u4").T]
    for out in outs:
        assert plan.multiply(a, b, out=out) is out
        assert np.array_equal(out, want)
    kept = a.copy()
    assert plan.multiply(a, b, out=a) is a and np.array_equal(a, want)
    a[:] = kept
    assert plan.forward(a, out=a) is a and np.array_equal(a, there)
    a[:] = kept
    # Memory that overlaps without being the same.
    both = np.concatenate([a, b])
    assert np.array_equal(plan.multiply(both[:4], both[4:], out=both[2:6]), want)
    with pytest.raises(ValueError, match="shape"):
        plan.multiply(a, b, out=np.empty((3, n), dtype=np.int64))
    with pytest.raises(TypeError, match="needs int16"):
        plan.multiply(a, b, out=np.empty((4, n), dtype=np.int8))
    fixed = a.copy()
    fixed.flags.writeable = False
    with pytest.raises(ValueError):
        plan.forward(fixed, out=fixed)
    assert np.array_equal(fixed, a)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("q", [2, 12289, 10**9 + 7, 2**61 + 1, 2**64 - 2**32 + 1, 2**64 - 1, 10**40])
def test_convolutions_have_the_modes_of_numpy(mode: transforms.Mode, q: int) -> None:
    rng = np.random.default_rng(4)
    for m, k in ((1, 1), (1, 5), (7, 3), (3, 8), (100, 33)):
        a, b = (np.array([int(x) * q >> 32 for x in rng.integers(0, 2**32, size)], dtype=object) for size in (m, k))
        want = np.convolve(a, b, mode) % q
        assert rw.convolve(a, b, q, mode).tolist() == want.tolist()
        if q < 2**64:
            got = rw.convolve(a.astype(np.uint64), b.astype(np.uint64), q, mode)
            assert got.dtype == np.uint64
            assert got.tolist() == want.tolist()
            rows = rw.convolve([a.astype(np.uint64)] * 3, b.astype(np.uint64), q, mode)
            assert rows.tolist() == [want.tolist()] * 3
    with pytest.raises(ValueError, match="'full', 'same', 'valid'"):
        rw.convolve([1], [1], 17, "all")  # type: ignore[arg-type]


def test_bad_input_is_an_error_that_teaches() -> None:
    columns = np.array([[0, 0], [0, 0], [0, -17], [0, 0]])
    kind, order = "field", "best"
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (rw.CoefficientError, r"x\[1, 2\] is not between -q and q", lambda: rw.ntt([[0] * 4, [0, 0, 17, 0]], 17)),
        (rw.CoefficientError, r"x\[2, 1\]", lambda: rw.polymul(columns, [[1] * 2] * 4, 17, axis=0)),
        (rw.CoefficientError, "reduce", lambda: rw.ntt(np.array([0, 2**64 - 1], dtype=np.uint64), 17)),
        (TypeError, "float64: convert", lambda: rw.ntt([0.5, 1], 17)),
        (TypeError, "bool", lambda: rw.ntt([True, False], 17)),
        (TypeError, "integers", lambda: rw.polymul(np.array([1, "a"]), [1, 2], 17)),
        (TypeError, "integers", lambda: rw.polymul(np.array([1, None], dtype=object), [1, 2], 17)),
        (rw.PlanError, "root", lambda: rw.ntt([1, 2, 3, 4], 19)),
        (rw.PlanError, "n = 3 is odd", lambda: rw.polymul([1, 2, 3], [1, 2, 3], 19, kind="trinomial")),
        (rw.RingworkError, "'bitreversed', 'native'", lambda: rw.ntt([1, 2], 17, order=order)),  # type: ignore
        (rw.RingworkError, "'cyclic', 'trinomial'", lambda: rw.polymul([1, 2], [1, 2], 17, kind=kind)),  # type: ignore
        (ValueError, "axis 2", lambda: rw.ntt([1, 2], 17, axis=2)),
        (ValueError, "axis -1 of an array with 0", lambda: rw.ntt(3, 17)),
        (ValueError, "have 2 coefficients", lambda: rw.polymul([1, 2], [1, 2, 3], 17)),
        (ValueError, "go together", lambda: rw.polymul([[1, 2]] * 2, [[1, 2]] * 3, 17)),
        (rw.PlanError, "modulus|q = 0", lambda: rw.polymul([1, 2], [1, 2], 0)),
        (rw.PlanError, "q = -5|modulus", lambda: rw.polymul([1, 2], [1, 2], -5)),
        (rw.PlanError, "degree", lambda: rw.polymul([], np.array([], dtype=int), 17)),
        (ValueError, "at least", lambda: rw.convolve([], [1], 17)),
        (rw.PlanError, "n = -1", lambda: rw.Plan(-1, 17)),
        (rw.PlanError, "q = 1180591620717411303424", lambda: rw.Plan(4, 2**70)),
        (rw.RingworkError, "twice|there", lambda: rw.Rns(4, [97, 97])),
        (TypeError, "primes or bits", lambda: rw.Rns(4)),
    ]
    for error, text, call in cases:
        with pytest.raises(error, match=text):
            call()


def test_rings_are_rings() -> None:
    rng = np.random.default_rng(5)
    cases: list[tuple[int, plans.Kind]] = [
        (17, "negacyclic"),
        (12289, "cyclic"),
        (1000003, "negacyclic"),
        (2**61 - 1, "negacyclic"),
        (7681, "trinomial"),
    ]
    for q, kind in cases:
        R = rw.Ring(8, q, kind)
        a, b, c = (R.random((2, 3), rng) for _ in range(3))
        assert (a * (b + c) == a * b + a * c).all()
        assert ((a * b) * c == a * (b * c)).all()
        assert (a + b == b + a).all() and (a * b == b * a).all()
        assert (a - a == R.zero).all() and (a + (-a) == 0).all()
        assert (2 * a == a + a).all() and (a - 1 + 1 == a).all() and (1 - a == -(a - 1)).all()
        assert (a**5 == a * a * a * a * a).all() and (a**0 == 1).all()
        assert (np.int64(3) * a == a + a + a).all()
        one = a[1, 2]
        assert one.shape == () and one in list(a[1])
        assert product(one.coeffs.tolist(), b[0, 1].coeffs.tolist(), q, kind) == (one * b[0, 1]).coeffs.tolist()
        assert np.array_equal(a.centred % q, a.coeffs) and np.abs(a.centred).max() <= q // 2
        assert one(3) == sum(int(x) * 3**i for i, x in enumerate(one.coeffs)) % q
        assert (a.sum(axis=1) == a[:, 0] + a[:, 1] + a[:, 2]).all()
        assert pickle.loads(pickle.dumps(R)) == R
        M, v = R.random((2, 3), rng), R.random(3, rng)
        assert (M @ v == (M * v).sum(axis=1)).all()
        N = R.random((3, 4), rng)
        assert all((M @ N)[i, j] == (M[i] * N[:, j]).sum() for i in range(2) for j in range(4))
        assert (v @ v) == (v * v).sum()
        assert ((M @ N).T == N.T @ M.T).all()
    R = rw.Ring(8, 17)
    assert R.x**8 == -1 and R([1, 2, -3]).coeffs.tolist() == [1, 2, 14, 0, 0, 0, 0, 0]
    assert R(10**30) == 10**30 % 17 and R([[10**30, 1]]).shape == (1,)
    a = R([1, 2])
    assert a / a == 1 and 1 / a == a**-1 and a**-2 * a * a == 1
    assert repr(a * a) == "1 + 4·x + 4·x^2 in Ring(8, 17)"
    assert (R.from_ntt(a.ntt()) == a) and not (a == R.x) and a != 3
    with pytest.raises(ZeroDivisionError, match="no inverse"):
        R.zero.inverse()
    with pytest.raises(ValueError, match="elements of"):
        _ = a + rw.Ring(8, 97).one
    with pytest.raises(ValueError, match="9 coefficients"):
        R([0] * 9)
    with pytest.raises(TypeError):
        _ = a + 0.5  # type: ignore[operator]
    with pytest.raises(IndexError):
        _ = a[0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-(2**300), 2**300), min_size=8, max_size=8), st.integers(1, 700))
def test_residues_are_the_integers_again(integers: list[int], bits: int) -> None:
    ring = rw.Rns(4, bits=bits)
    assert ring.modulus >= 2**bits
    array = np.array(integers, dtype=object).reshape(2, 4)
    residues = ring.decompose(array)
    assert residues.shape == (2, len(ring.primes), 4)
    assert all((residues[:, k] == array % p).all() for k, p in enumerate(ring.primes))
    assert (ring.recompose(residues) == array % ring.modulus).all()
    centred = ring.recompose(residues, centred=True)
    assert (centred % ring.modulus == array % ring.modulus).all()
    assert max(map(abs, centred.ravel().tolist())) <= ring.modulus // 2
    squares = ring.recompose(ring.multiply(residues, residues))
    assert squares.tolist() == [product(row, row, ring.modulus, "negacyclic") for row in array.tolist()]
    assert (ring.inverse(ring.forward(residues)) == residues).all()
    again = pickle.loads(pickle.dumps(ring))
    assert again.primes == ring.primes


def test_plans_are_values() -> None:
    plan = rw.Plan(256, 3329, order="bitreversed")
    for again in (pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan)):
        assert again == plan and hash(again) == hash(plan) and again.order == "bitreversed"
    assert plan != rw.Plan(256, 3329)
    assert plan.slot_degree == 2 and plan.has_transform
    certificate = plan.certificate
    assert certificate is not None and len(certificate.forward) == 7
    low, high = certificate.word
    assert all(low <= layer.values.lo <= layer.values.hi <= high for layer in certificate.forward)
    assert str(plan.explain()).startswith("products modulo X^256 + 1 and 3329, in words of 16 bits")
    html = plan.explain()._repr_html_()
    assert html.count("<tr>") == 2 * 7 + 6 and "</table>" in html
    channels = rw.Plan(1024, 2**45 - 229, order="native")
    assert channels.certificate is None and not channels.has_transform
    assert "Chinese remainder theorem" in str(channels.explain())
    assert rw.Plan(8, 17, kind="cyclic", shift=3).forward([0, 1] + [0] * 6)[0] == 3


def test_what_a_reviewer_found() -> None:
    """Memory without a common base, operators and indices on arrays, lists of which numpy makes floats."""
    n = 64
    plan = rw.Plan(n, 3329)
    memory = bytearray(2 * n * 9)
    a = np.frombuffer(memory, np.int16, n * 8).reshape(8, n)
    out = np.frombuffer(memory, np.int16, n * 8, offset=2 * n).reshape(8, n)
    rng = np.random.default_rng(8)
    a[:] = rng.integers(0, 3329, (8, n))
    b = rng.integers(0, 3329, (8, n)).astype(np.int16)
    want = plan.multiply(a.copy(), b)
    assert np.array_equal(plan.multiply(a, b, out=out), want)
    out[:] = b
    want = plan.forward(a.copy())
    assert np.array_equal(plan.forward(a, out=out), want)
    same = np.lib.stride_tricks.as_strided(np.zeros(n, dtype=np.int16), (2, n), (0, 2))
    with pytest.raises(ValueError, match="share memory"):
        plan.multiply(b[:2], b[:2], out=same)
    with pytest.raises(MemoryError):
        rw.polymul(np.broadcast_to(np.ones(4, np.int64), (2**44, 4)), [1, 0, 0, 0], 17)

    R = rw.Ring(4, 17)
    A = R([[1], [0], [2]])
    assert (A != 0).tolist() == [True, False, True] and R.one != 0 and not R.one != 1
    for key in (np.array([2, 0]), np.array([True, False, True])):
        assert A[key].shape == (2,)
    with pytest.raises(ValueError, match="none of Ring"):
        R(rw.Ring(8, 97).one)
    for bad in (np.array([1.5, 2**70], dtype=object), [1.5, 2], np.array([1.0, 2.0])):
        with pytest.raises(TypeError, match="integers"):
            R(bad)
    large = [2**63, 1]
    assert rw.polymul(large, [1, 0], 2**70).tolist() == large == rw.polymul(large, [1, 0], 2**64 - 59).tolist()
    assert rw.Ring(2, 2**64 - 59)(large).coeffs.tolist() == large
    assert rw.Rns(2, bits=200).recompose(rw.Rns(2, bits=200).decompose(large)).tolist() == large
    assert rw.intt(rw.ntt(range(4), 17, order="native"), 17, order="native").tolist() == [0, 1, 2, 3]
    assert R([]) == 0 and R.zeros(0).sum() == 0 and R.zeros((2, 0)).sum(1).shape == (2,)
    assert R.zeros(0) @ R.zeros(0) == 0
    assert rw.polymul([0, 0], [0, 0], 1).tolist() == [0, 0]
    kept = np.array([7, 7, 7], dtype=np.int64)
    for q, out_of_range in ((2, [2, 0]), (2**70, [2**70, 0]), (2**64 - 1, np.array([2**64 - 1, 0], dtype=np.uint64))):
        with pytest.raises(rw.CoefficientError, match=r"x\[0\]"):
            rw.polymul(out_of_range, [1, 0], q)
    with pytest.raises(TypeError, match="does not hold"):
        rw.polymul([1, 0, 0], [5, -1, 3], 2**64 - 1, out=kept)
    assert kept.tolist() == [7, 7, 7]
    assert rw.polymul([1, 2], [1, 0], 2**62 + 2).dtype == np.int64
    with pytest.raises(rw.RingworkError, match="bits"):
        rw.Rns(4, bits=2**40)
    for call in (lambda: rw.convolve([1], [1], -1), lambda: rw.Plan(4, 17, root=2**64), lambda: rw.Rns(4, [-3])):
        with pytest.raises(rw.RingworkError):
            call()


def test_threads_share_a_plan() -> None:
    plan = rw.Plan(4096, 1073692673)
    rng = np.random.default_rng(6)
    a, b = (rng.integers(0, plan.q, (8, plan.n)) for _ in range(2))
    want = plan.multiply(a, b)
    wrong = []

    def work() -> None:
        for _ in range(5):
            if not np.array_equal(plan.multiply(a, b), want):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _square(plan: rw.Plan, a: Array) -> Array:
    return plan.multiply(a, a)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    plan = rw.Plan(4096, 1073692673)
    a = np.random.default_rng(7).integers(0, plan.q, (64, plan.n))
    want = plan.multiply(a, a)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        got = pool.apply_async(_square, (plan, a)).get(timeout=60)
    assert np.array_equal(got, want)


@pytest.mark.parametrize("module", [plans, rings, rns, transforms])
def test_examples_in_the_documentation(module: Any) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.attempted and not found.failed
