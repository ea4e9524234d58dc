"""What calls take, beside other packages, in one run on this machine: `python benchmarks/speed.py`.

Every row is the same work: operands and results are arrays of numpy, except where a row says otherwise, and results are
compared first. Times are the least of five loops.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from timeit import timeit
from typing import Any

import flint
import galois
import numpy as np
import ringwork as rw
from kyber_py.ml_kem import ML_KEM_768
from ringwork.plans import Order
from sympy.discrete.convolutions import convolution_ntt


def microseconds(call: Callable[[], Any]) -> float:
    number = 1
    while (taken := timeit(call, number=number)) < 0.02:
        number *= 4
    return min(taken, *(timeit(call, number=number) for _ in range(4))) / number * 1e6


def row(name: str, call: Callable[[], Any]) -> None:
    print(f"| {name} | {microseconds(call):,.1f} |", flush=True)


def by_fft(a: Any, b: Any, q: int) -> Any:
    """Exact for q below 2^31: two halves of 15 and 16 bits, twisted by 2n-th roots of unity."""
    n = len(a)
    twist = np.exp(1j * np.pi * np.arange(n) / n)
    [a0, a1], [b0, b1] = ([np.fft.fft(half * twist) for half in (x & 32767, x >> 15)] for x in (a, b))

    def back(product: Any) -> Any:
        return np.rint((np.fft.ifft(product) * twist.conj()).real).astype(np.int64) % q

    low, middle, high = back(a0 * b0), back(a0 * b1 + a1 * b0), back(a1 * b1)
    return (low + (middle << 15) + ((high << 15) % q << 15)) % q


def products(n: int, q: int) -> None:
    rng = np.random.default_rng(1)
    plan = rw.Plan(n, q, order="native")
    a, b = (rng.integers(0, q, n) for _ in range(2))
    x, y = a.astype(plan.dtype), b.astype(plan.dtype)
    out = np.empty_like(x)
    many, others, outs = np.tile(x, (64, 1)), np.tile(y, (64, 1)), np.empty((64, n), dtype=plan.dtype)
    want = rw.polymul(a, b, q)
    modulus = flint.nmod_poly([1] + [0] * (n - 1) + [1], q)
    f, g = (flint.nmod_poly(it.tolist(), q) for it in (a, b))
    assert np.array_equal(plan.multiply(x, y), want) and np.array_equal(by_fft(a, b, q), want)
    assert [int(c) for c in (f * g % modulus).coeffs()] == want.tolist()

    print(f"\n| product modulo X^{n} + 1 and {q}, {plan.bits}-bit words | µs |\n|---|---:|")
    row(f"ringwork, `Plan.multiply`, {plan.dtype}, `out=`", lambda: plan.multiply(x, y, out=out))
    row(f"ringwork, `Plan.multiply`, {plan.dtype}", lambda: plan.multiply(x, y))
    row("ringwork, `polymul`, int64", lambda: rw.polymul(a, b, q))
    print(f"| ringwork, 64 at once, each | {microseconds(lambda: plan.multiply(many, others, out=outs)) / 64:,.2f} |")
    row("numpy, exact by FFTs of halves, int64", lambda: by_fft(a, b, q))
    row("python-flint, its own polynomials", lambda: f * g % modulus)
    row("python-flint, from lists of integers and back", lambda: _by_flint(a, b, q, modulus))


def _by_flint(a: Any, b: Any, q: int, modulus: Any) -> Any:
    f, g = (flint.nmod_poly(it.tolist(), q) for it in (a, b))
    return np.array([int(c) for c in (f * g % modulus).coeffs()])


def transforms(n: int, q: int) -> None:
    rng = np.random.default_rng(2)
    root = int(galois.GF(q).primitive_root_of_unity(n))
    orders: list[Order] = ["native", "bitreversed", "natural"]
    plans = [rw.Plan(n, q, kind="cyclic", order=order, root=root) for order in orders]
    x = rng.integers(0, q, n).astype(plans[0].dtype)
    out = np.empty_like(x)
    listed = x.tolist()
    assert np.array_equal(plans[-1].forward(x), np.asarray(galois.ntt(listed, modulus=q)))
    print(f"\n| cyclic transform of {n} modulo {q}, {plans[0].bits}-bit words | µs |\n|---|---:|")
    for plan in plans:
        row(f"ringwork, {plan.order} order, `out=`", partial(plan.forward, x, out=out))
    row("ringwork, `ntt`, int64", partial(rw.ntt, x.astype(np.int64), q, kind="cyclic"))
    row("galois, `ntt`, from a list", lambda: galois.ntt(listed, modulus=q))


def convolutions(n: int, q: int) -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, q, n) for _ in range(2))
    x, y = a.tolist(), b.tolist()
    assert rw.convolve(a, b, q).tolist() == [int(c) for c in convolution_ntt(x, y, q)]
    print(f"\n| convolution of {n} by {n} modulo {q} | µs |\n|---|---:|")
    row("ringwork, `convolve`, int64", lambda: rw.convolve(a, b, q))
    row("sympy, `convolution_ntt`, from lists", lambda: convolution_ntt(x, y, q))


def kem() -> None:
    ek, dk = rw.MLKEM768.keygen()
    shared, ciphertext = rw.MLKEM768.encaps(ek)
    assert ML_KEM_768.decaps(dk, ciphertext) == shared
    print("\n| ML-KEM-768 | ringwork, µs | kyber-py, µs |\n|---|---:|---:|")
    for name, ours, theirs in [
        ("keygen", rw.MLKEM768.keygen, ML_KEM_768.keygen),
        ("encaps", lambda: rw.MLKEM768.encaps(ek), lambda: ML_KEM_768.encaps(ek)),
        ("decaps", lambda: rw.MLKEM768.decaps(dk, ciphertext), lambda: ML_KEM_768.decaps(dk, ciphertext)),
    ]:
        print(f"| {name} | {microseconds(ours):,.1f} | {microseconds(theirs):,.1f} |", flush=True)
    eks = [ek] * 64
    print(f"| encaps, 64 at once, each | {microseconds(lambda: rw.MLKEM768.encaps_many(eks)) / 64:,.1f} | |")


if __name__ == "__main__":
    packages = ["numpy", "galois", "python-flint", "sympy", "kyber-py"]
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {versions}; vectors: {rw.Plan(64, 7681).backend}")
    products(1024, 12289)
    products(4096, 1073692673)
    products(4096, 1073741789)
    products(65536, 1073479681)
    transforms(1024, 12289)
    transforms(65536, 1073479681)
    convolutions(256, 998244353)
    kem()
