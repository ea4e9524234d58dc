"""Transforms and products of polynomials in arrays, without a plan of one's own."""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._native import CoefficientError, PlanError
from .plans import Kind, Order, cached, cached_transform
from .rns import Integers, Objects, as_integers, as_objects, convolve_objects

Mode = Literal["full", "same", "valid"]

# The least modulus of a plan. Products modulo smaller ones are those modulo a multiple.
_LEAST = 5


def ntt(
    x: ArrayLike,
    q: int,
    *,
    kind: Kind = "negacyclic",
    axis: int = -1,
    order: Order = "natural",
    out: Integers | None = None,
) -> Integers:
    """The number-theoretic transform of polynomials along an axis.

    Parameters
    ----------
    x : array_like of int
        Coefficients between ``-q`` and ``q``, the constant one first.
    q : int
        The modulus, with roots of unity for the length `n` of the axis.
    kind : {'negacyclic', 'cyclic', 'trinomial'}
        The ring of the polynomials.
    axis : int
        The axis of the coefficients.
    order : {'natural', 'bitreversed', 'native'}
        See `Plan`: by default the value at ``root^(2i + 1)``, in a cyclic ring at ``root^i``, has index ``i``, where
        the root is the smallest one of order ``2n``, or ``n``.
    out : ndarray, optional
        Where the result goes; ``out=x`` transforms in place.

    Returns
    -------
    ndarray
        Residues from 0 to below `q`, with the type of `x`, or a wider one if it cannot hold them. If there are no roots
        for all layers, slot by slot, coefficients rising.

    Raises
    ------
    PlanError
        If `q` has no transform of this length. It says what would work.
    CoefficientError
        If a coefficient is out of range.

    Examples
    --------
    >>> ntt([0, 1, 0, 0], 17)
    array([ 2,  8, 15,  9])
    >>> intt(ntt([1, 2, 3, 4], 17), 17)
    array([1, 2, 3, 4])
    """
    x = as_integers(x)
    return cached_transform(_length(x, axis), index(q), kind, order).forward(x, axis=axis, out=out)


def intt(
    x: ArrayLike,
    q: int,
    *,
    kind: Kind = "negacyclic",
    axis: int = -1,
    order: Order = "natural",
    out: Integers | None = None,
) -> Integers:
    """The inverse of `ntt`, with the same parameters."""
    x = as_integers(x)
    return cached_transform(_length(x, axis), index(q), kind, order).inverse(x, axis=axis, out=out)


def polymul(
    a: ArrayLike,
    b: ArrayLike,
    q: int,
    *,
    kind: Kind = "negacyclic",
    axis: int = -1,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Products of polynomials in a ring, along an axis.

    Parameters
    ----------
    a, b : array_like of int
        Coefficients between ``-q`` and ``q``, the constant one first. All axes but that of the coefficients are
        broadcast. Integers of Python of any size (arrays of objects) are taken as well.
    q : int
        The modulus, any number of any size.
    kind : {'negacyclic', 'cyclic', 'trinomial'}
        The ring: modulo ``X^n + 1``, ``X^n - 1`` or ``X^n - X^(n/2) + 1``.
    axis : int
        The axis of the coefficients.
    out : ndarray, optional
        Where the result goes. It may be `a` or `b`.

    Returns
    -------
    ndarray
        Coefficients from 0 to below `q`, with the type of `a` and `b`, or a wider one if it cannot hold them.

    Raises
    ------
    PlanError
        If there is no such ring.
    CoefficientError
        If a coefficient is out of range.

    Examples
    --------
    >>> polymul([1, 2, 3, 4], [0, 1, 0, 0], 17)
    array([13,  1,  2,  3])
    >>> polymul([2**100, 0], [2**100, 1], 10**50, kind="cyclic")
    array([58990275541962092341162602522202993782792835301376,
           1267650600228229401496703205376], dtype=object)
    """
    a, b = as_integers(a), as_integers(b)
    n, q = _length(a, axis), index(q)
    if q < 1:
        raise PlanError(f"q = {q} is no modulus")
    objects = a.dtype == object or b.dtype == object or q >= 1 << 64
    if not objects and q < _LEAST:
        _check(a, q), _check(b, q)
        product = cached(n, _LEAST * q, kind, "native").multiply(a, b, axis=axis, out=out)
        return np.remainder(product, q, out=product)
    if not objects:
        try:
            return cached(n, q, kind, "native").multiply(a, b, axis=axis, out=out)
        except PlanError:
            # Composite, and too large for residue channels in 64 bits.
            if q < 1 << 62 or not _is_ring(n, kind):
                raise
    if _length(b, axis) != n:
        raise ValueError(f"polynomials of one ring: {n} and {_length(b, axis)} coefficients")
    if not _is_ring(n, kind):
        cached(n, 7681, kind, "native")  # says why
    x, y = (np.moveaxis(_check(as_objects(it), q), axis, -1) for it in (a, b))
    product = np.moveaxis(_folded(convolve_objects(x, y, q), n, kind) % q, -1, axis)
    if out is None:
        return product if objects else product.astype(_type_for(a, b, q))
    return _put(out, product, q)


def convolve(a: ArrayLike, b: ArrayLike, q: int, mode: Mode = "full") -> NDArray[Any]:
    """Products of polynomials of any two lengths, along the last axis, with the modes of `numpy.convolve`.

    Parameters
    ----------
    a, b : array_like of int
        Coefficients between ``-q`` and ``q``, along the last axis. All other axes are broadcast. Integers of Python of
        any size (arrays of objects) are taken as well.
    q : int
        The modulus, any number of any size.
    mode : {'full', 'same', 'valid'}
        All coefficients; as many as the longer operand has, in the middle; those of full overlap.

    Returns
    -------
    ndarray
        Coefficients from 0 to below `q`, with the type of `a` and `b`, or a wider one if it cannot hold them.

    Examples
    --------
    >>> convolve([1, 2, 3], [10, 1], 1_000_000_007)
    array([10, 21, 32,  3])
    >>> convolve([1, 2, 3], [10, 1], 1_000_000_007, mode="valid")
    array([21, 32])
    """
    a, b = as_integers(a), as_integers(b)
    m, k, q = _length(a, -1), _length(b, -1), index(q)
    if q < 1:
        raise PlanError(f"q = {q} is no modulus")
    short, long = sorted([m, k])
    starts = {"full": (0, m + k - 1), "same": ((short - 1) // 2, long), "valid": (short - 1, long - short + 1)}
    if mode not in starts:
        raise ValueError(f"mode {mode!r} is none of 'full', 'same', 'valid'")
    start, length = starts[mode]
    if m == 0 or k == 0:
        raise ValueError("polynomials have a coefficient at least")
    objects = a.dtype == object or b.dtype == object or q >= 1 << 64
    if not objects:
        try:
            # An operand that is the same for all is the second one.
            if a.size == m and b.size != k:
                a, b, m, k = b, a, k, m
            if q < _LEAST:
                _check(a, q), _check(b, q)
                return _convolution(m, k, _LEAST * q, start, start + length).multiply(a, b) % q
            return _convolution(m, k, q, start, start + length).multiply(a, b)
        except PlanError:
            if q < 1 << 62:
                raise
    product = convolve_objects(_check(as_objects(a), q), _check(as_objects(b), q), q)[..., start : start + length]
    return product if objects else product.astype(_type_for(a, b, q))


@lru_cache(maxsize=64)
def _convolution(m: int, k: int, q: int, start: int, stop: int) -> _native.Convolution:
    return _native.Convolution(m, k, q, start, stop)


def _check(x: NDArray[Any], q: int) -> NDArray[Any]:
    """The same, if all coefficients are between -q and q."""
    outside = np.argwhere((x >= q) | (x <= -q))
    if len(outside):
        at = ", ".join(map(str, outside[0]))
        raise CoefficientError(f"x[{at}] is not between -q and q, q = {q}: reduce coefficients first, as by x % {q}")
    return x


def _type_for(a: NDArray[Any], b: NDArray[Any], q: int) -> np.dtype[Any]:
    """The type of the operands, if it holds residues."""
    joined = np.result_type(a, b)
    holds = joined.kind in "iu" and np.iinfo(joined).max >= q - 1
    return joined if holds else np.dtype(np.uint64)


def _put(out: NDArray[Any], product: NDArray[Any], q: int) -> NDArray[Any]:
    """A result in the caller's array, if that can hold it."""
    if out.shape != product.shape:
        raise ValueError(f"out has shape {out.shape}, and the result {product.shape}")
    if out.dtype != object and not (out.dtype.kind in "iu" and np.iinfo(out.dtype).max >= q - 1):
        raise TypeError(f"out has {out.dtype}, which does not hold residues modulo {q}")
    out[...] = product
    return out


def _length(x: NDArray[Any], axis: int) -> int:
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis {axis} of an array with {x.ndim} axes")
    return int(x.shape[axis])


def _is_ring(n: int, kind: str) -> bool:
    return n >= 1 and (kind in ("negacyclic", "cyclic") or kind == "trinomial" and n % 2 == 0)


def _folded(product: Objects, n: int, kind: str) -> Objects:
    """A product of `2n - 1` coefficients, reduced modulo the polynomial of the ring."""
    low = product[..., :n].copy()
    high = product[..., n:]
    if kind == "trinomial":
        # X^n = X^h - 1, so X^(n + h) = -1, where h = n/2.
        half = n // 2
        once, twice = high[..., :half], high[..., half:]
        low[..., : twice.shape[-1]] -= twice
        low[..., half : half + once.shape[-1]] += once
        low[..., : once.shape[-1]] -= once
    elif kind == "cyclic":
        low[..., : n - 1] += high
    else:
        low[..., : n - 1] -= high
    return low
