"""Integers of any size, as residues modulo several primes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .plans import Kind

Integers = NDArray[np.integer[Any]]
Objects = NDArray[np.object_]

# For more, the library would look for primes for minutes.
_MOST_BITS = 1 << 17


class Rns:
    """Polynomials with coefficients modulo a product of primes, in a residue number system.

    Parameters
    ----------
    n : int
        The degree.
    primes : sequence of int, optional
        Different primes with roots of unity for the degree, below 2^62.
    bits : int, optional
        If there are no primes: take the fewest whose product is at least 2^bits.
    kind : {'negacyclic', 'cyclic', 'trinomial'}
        The ring.

    Raises
    ------
    RingworkError
        If the primes have no transform of this degree, or are not different.

    Examples
    --------
    >>> rns = Rns(4, bits=200)
    >>> a = rns.decompose([10**40, 1, 2, 3])
    >>> rns.recompose(rns.multiply(a, a))[0] == (10**80 - 4 - 6) % rns.modulus
    True
    """

    def __init__(
        self, n: int, primes: Sequence[int] | None = None, *, bits: int | None = None, kind: Kind = "negacyclic"
    ) -> None:
        if (primes is None) == (bits is None):
            raise TypeError("Rns needs either primes or bits")
        n = index(n)
        if n < 0:
            raise _native.RingworkError(f"n = {n} is no degree")
        if bits is not None and not 1 <= bits <= _MOST_BITS:
            raise _native.RingworkError(f"{bits} bits: a product of primes has 1 to {_MOST_BITS} here")
        if primes is not None and not all(0 <= p < 1 << 64 for p in primes):
            raise _native.RingworkError("primes are positive, and below 2^62")
        self._native = _native.Residues(n, kind, None if primes is None else list(primes), bits)
        self.n = n
        self.kind = kind
        self.primes = tuple(self._native.primes)
        self.modulus = prod(self.primes)

    def __repr__(self) -> str:
        return f"Rns({self.n}, {list(self.primes)}, kind={self.kind!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.n, self.primes, self.kind)

    def decompose(self, a: ArrayLike) -> Integers:
        """The residues of polynomials with integers of any size.

        Parameters
        ----------
        a : array_like of int, shape (..., n)
            Integers, of Python or of numpy.

        Returns
        -------
        ndarray of int64, shape (..., k, n)
            Residues modulo each of the `k` primes.
        """
        integers = as_objects(a)
        if integers.ndim == 0 or integers.shape[-1] != self.n:
            given = integers.shape
            raise ValueError(f"polynomials of this ring have {self.n} coefficients; this array has shape {given}")
        flat: list[int] = integers.ravel().tolist()
        limbs = max((x.bit_length() for x in flat), default=0) // 64 + 1
        integers_in_bytes = b"".join(x.to_bytes(8 * limbs, "little", signed=True) for x in flat)
        shape = [*integers.shape[:-1], len(self.primes), self.n]
        return self._native.decompose(integers_in_bytes, limbs, shape)

    def recompose(self, residues: ArrayLike, *, centred: bool = False) -> Objects:
        """The integers that have these residues.

        Parameters
        ----------
        residues : array_like of int, shape (..., k, n)
            As `decompose` gives them.
        centred : bool
            Whether integers are from ``-modulus/2`` to ``modulus/2``, instead of from 0 to below the modulus.

        Returns
        -------
        ndarray of object, shape (..., n)
            Integers of Python.
        """
        array = np.asarray(residues)
        data, size = self._native.recompose(array, centred), 8 * self._native.limbs
        integers = [int.from_bytes(data[at : at + size], "little", signed=centred) for at in range(0, len(data), size)]
        result = np.empty(len(integers), dtype=object)
        result[:] = integers
        return result.reshape(*array.shape[:-2], self.n)

    def forward(self, residues: ArrayLike) -> Integers:
        """Transforms, in native order, modulo each prime."""
        return self._native.forward(residues)

    def inverse(self, residues: ArrayLike) -> Integers:
        """Undoes `forward`."""
        return self._native.inverse(residues)

    def multiply(self, a: ArrayLike, b: ArrayLike) -> Integers:
        """Products of polynomials, given as residues of equal shapes."""
        return self._native.multiply(a, b)


def _again(n: int, primes: tuple[int, ...], kind: Kind) -> Rns:
    return Rns(n, primes, kind=kind)


@lru_cache(maxsize=16)
def _cyclic(n: int, bits: int) -> Rns:
    return Rns(n, bits=bits, kind="cyclic")


def as_integers(a: ArrayLike) -> NDArray[Any]:
    """An array, of integers of Python if those given fit no type of numpy: of some of these it makes floats."""
    array = np.asarray(a)
    if array.dtype.kind != "f" or isinstance(a, (np.ndarray, np.generic)):
        return array
    if array.size == 0:
        return array.astype(np.int64)
    objects = np.asarray(a, dtype=object)
    if not all(isinstance(x, (int, np.integer)) for x in objects.flat):
        return array
    return objects.astype(np.uint64) if all(0 <= x < 1 << 64 for x in objects.flat) else objects


def as_objects(a: ArrayLike) -> Objects:
    """Integers of Python.

    Raises
    ------
    TypeError
        If there is anything else.
    """
    array = as_integers(a)
    if array.dtype.kind in "iu":
        return array.astype(object)
    if array.dtype != object or not all(isinstance(x, (int, np.integer)) for x in array.flat):
        raise TypeError("coefficients are integers: convert them first, as by x.astype(numpy.int64)")
    integers = np.empty(array.size, dtype=object)
    integers[:] = [int(x) for x in array.flat]
    return integers.reshape(array.shape)


def convolve_objects(a: Objects, b: Objects, q: int) -> Objects:
    """Products of polynomials along the last axis, modulo any `q`, from those over the integers."""
    a, b = a % q, b % q
    m, k = a.shape[-1], b.shape[-1]
    size = max(2, 1 << (m + k - 2).bit_length())
    rns = _cyclic(size, 2 * q.bit_length() + min(m, k).bit_length())

    def residues(x: Objects) -> Integers:
        padded = np.zeros((*x.shape[:-1], size), dtype=object)
        padded[..., : x.shape[-1]] = x
        return rns.decompose(padded)

    x, y = np.broadcast_arrays(residues(a), residues(b))
    product = rns.recompose(rns.multiply(x, y))[..., : m + k - 1]
    return np.asarray(product % q, dtype=object)
