"""Transforms larger than memory: a matrix of points, its columns first and then its rows.

With ``n = R * C`` points in a matrix of `R` rows, ``x[C r + c]``, and a root `w` of order `n`: transforms of the
columns, products with ``w^(c k)``, transforms of the rows, and slot ``k + R l`` is in row `k` of the result, at `l`.
Source: W. M. Gentleman and G. Sande, *Fast Fourier Transforms: for fun and profit* (1966); D. H. Bailey, *FFTs in
external or hierarchical memory* (1990).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, lru_cache
from math import gcd, prod
from operator import index
from typing import Any, Literal

import numpy as np

from ._native import CoefficientError, PlanError
from .plans import Plan
from .rns import Integers

Kind = Literal["negacyclic", "cyclic"]

# Roots are compared, to take the smallest one, up to this order.
_MOST_ROOTS = 1 << 31
_PAGE = 1 << 14


def ntt_on_disk(
    x: Integers,
    out: Integers,
    q: int,
    *,
    kind: Kind = "negacyclic",
    root: int | None = None,
    memory: int = 1 << 30,
) -> Integers:
    """The number-theoretic transform of one polynomial that need not fit in memory.

    Both arrays are read and written in pieces: `x` is read once, `out` written twice and read once. If there is an
    error, a part of `out` may be written.

    Parameters
    ----------
    x : ndarray of int, shape (n,)
        Coefficients between ``-q`` and ``q``, the constant one first: an array, or `numpy.memmap` of a file.
    out : ndarray of int, shape (n,)
        Where the result goes: residues from 0 to below `q`. Apart from `x`, and in another file.
    q : int
        The modulus, a prime below 2^64 with roots of unity for `n`.
    kind : {'negacyclic', 'cyclic'}
        The ring: modulo ``X^n + 1`` or ``X^n - 1``.
    root : int, optional
        The root of unity, of order ``2n``, or ``n`` in a cyclic ring. The smallest one if left out, as in `Plan`; this
        compares all of them, and is not done for orders above 2^31.
    memory : int
        Bytes for the pieces. They have a row or a column at least, some ``32 * sqrt(n)`` bytes; below
        ``2**14 * sqrt(n)`` bytes, pages of the files are read more than once.

    Returns
    -------
    ndarray
        `out`, in natural order: the value at ``root^(2i + 1)``, in a cyclic ring at ``root^i``, has index ``i``.

    Raises
    ------
    PlanError
        If `n` is neither 2^k nor 3 * 2^k with k >= 2, or `q` no prime with such roots.
    CoefficientError
        If a coefficient is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from ringwork import ntt
    >>> x = np.arange(64)
    >>> bool((ntt_on_disk(x, np.empty_like(x), 257, memory=1) == ntt(x, 257)).all())
    True
    """
    return _on_disk(x, out, q, kind, root, memory, inverse=False)


def intt_on_disk(
    x: Integers,
    out: Integers,
    q: int,
    *,
    kind: Kind = "negacyclic",
    root: int | None = None,
    memory: int = 1 << 30,
) -> Integers:
    """The inverse of `ntt_on_disk`, with the same parameters."""
    return _on_disk(x, out, q, kind, root, memory, inverse=True)


def _on_disk(
    x: Integers, out: Integers, q: int, kind: Kind, root: int | None, memory: int, *, inverse: bool
) -> Integers:
    for name, array in (("x", x), ("out", out)):
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
            what = f"{array.dtype}, shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"{name} is no array of integers with one axis: {what}")
        if not array.flags.c_contiguous:
            raise ValueError(f"{name} is not contiguous: numpy.ascontiguousarray copies it")
    if out.shape != x.shape:
        raise ValueError(f"out has {len(out)} words, and x has {len(x)}")
    if not out.flags.writeable:
        raise ValueError("out cannot be written: a memmap of mode 'r+' or 'w+' can")
    if index(memory) < 1:
        raise ValueError(f"memory = {memory} is no number of bytes")
    if np.may_share_memory(x, out) or _are_one_file(x, out):
        raise ValueError("x and out are of one array or file: pieces of out are written before all of x is read")
    steps = Steps.of(len(x), q, kind, root, inverse=inverse)
    if np.iinfo(out.dtype).max < steps.q - 1:
        raise TypeError(f"out has {out.dtype}, which does not hold residues modulo {steps.q}")
    R, C = steps.rows, steps.columns
    # A piece, what becomes of it, and factors.
    piece = max(1, memory // (4 * np.dtype(np.int64).itemsize * max(R, C)))
    matrix, result = x.reshape(R, C), out.reshape(C, R)
    for c in range(0, C, piece):
        result[c : c + piece] = steps.down(matrix[:, c : c + piece].T, c)
    for r in range(0, R, piece):
        result[:, r : r + piece] = steps.across(result[:, r : r + piece].T, r).T
    return out


def _are_one_file(x: Any, y: Any) -> bool:
    """Whether both are of one file, by whatever names."""
    files = []
    for array in (x, y):
        while array is not None and getattr(array, "filename", None) is None:
            array = getattr(array, "base", None)
        if array is None:
            return False
        files.append(array.filename)
    return os.path.samefile(*files)


@dataclass(frozen=True)
class Steps:
    """Both steps of a transform, on pieces of a matrix that may be anywhere.

    Attributes
    ----------
    q : int
        The modulus.
    rows, columns : int
        The shape of the matrix.
    root : int
        Of order `n`.
    twist : int
        Coefficient `i` is multiplied by its `i`-th power before a transform, or after an inverse one; its square is the
        root of a negacyclic ring, and it is 1 in a cyclic one.
    inverse : bool
        Whether this is an inverse transform, by the inverses of `root` and `twist`.
    """

    q: int
    rows: int
    columns: int
    root: int
    twist: int
    inverse: bool

    @classmethod
    def of(cls, n: int, q: int, kind: Kind, root: int | None, *, inverse: bool) -> Steps:
        """Those of a ring."""
        n, q = index(n), index(q)
        if kind not in ("negacyclic", "cyclic"):
            raise ValueError(f"kind {kind!r} is none of 'negacyclic', 'cyclic'")
        if not 1 < q < 1 << 64:
            raise PlanError(f"q = {q} is no prime below 2^64")
        if root is not None and not 0 <= index(root) < q:
            raise PlanError(f"root = {root} is not from 0 to below q = {q}")
        twos = n & -n
        if n < 4 or n // twos not in (1, 3) or n == 6:
            raise PlanError(f"n = {n} is not 2^k or 3 * 2^k, with k >= 2, which transforms by rows and columns have")
        rows = min(1 << (n.bit_length() - 1) // 2, twos if n == twos else twos // 2)
        order = 2 * n if kind == "negacyclic" else n
        given = _smallest_root(order, q) if root is None else index(root)
        if not _has_order(given, order, q):
            raise PlanError(f"root = {given} is no primitive root of unity of order {order} modulo {q}")
        root, twist = (given * given % q, given) if kind == "negacyclic" else (given, 1)
        if inverse:
            root, twist = pow(root, -1, q), pow(twist, -1, q)
        return cls(q, rows, n // rows, root, twist, inverse)

    @property
    def dtype(self) -> np.dtype[np.integer[Any]]:
        """The type of the words."""
        return _plan(self.rows, self.q, pow(self.root, self.columns, self.q), 1).dtype

    def down(self, piece: Integers, first: int) -> Integers:
        """The first step for columns from `first` on, given as rows."""
        q, C = self.q, self.columns
        twist = 1 if self.inverse else self.twist
        plan = _plan(self.rows, q, pow(self.root, C, q), pow(twist, C, q))
        try:
            slots = plan.forward(piece, out=np.empty(piece.shape, plan.dtype))
        except CoefficientError:
            column, row = np.argwhere((piece >= q) | (piece <= -q))[0]
            at = C * row + first + column
            why = f"x[{at}] is not between -q and q, q = {q}: reduce coefficients first, as by x % {q}"
            raise CoefficientError(why) from None
        # Row c: twist^c root^(c k), and 1/n once.
        scale = pow(self.rows * C, -1, q) if self.inverse else 1
        start = _powers(plan, pow(self.root, first, q), scale * pow(twist, first, q))
        factors = _rows(plan, start, _powers(plan, self.root, twist), len(slots))
        return plan.pointwise(slots, factors, out=slots)

    def across(self, piece: Integers, first: int) -> Integers:
        """The second step for rows from `first` on."""
        q, R = self.q, self.rows
        plan = _plan(self.columns, q, pow(self.root, R, q), 1)
        slots = plan.forward(piece, out=np.empty(piece.shape, plan.dtype))
        if self.inverse and self.twist != 1:
            # Row k: twist^(k + R l).
            row = _powers(plan, pow(self.twist, R, q), pow(self.twist, first, q))
            factors = _rows(plan, row, np.full_like(row, self.twist), len(slots))
            slots = plan.pointwise(slots, factors, out=slots)
        return slots


@lru_cache(maxsize=16)
def _plan(n: int, q: int, root: int, shift: int) -> Plan:
    # Words wide enough for residues: a signed word of as many bits as q does not hold them.
    bits: Literal[32, 64] = 32 if q < 1 << 31 else 64
    return Plan(n, q, kind="cyclic", root=root, shift=shift, bits=bits)


def _powers(plan: Plan, base: int, scale: int) -> Integers:
    """``scale * base^k`` for every index `k`."""
    powers = np.full(plan.n, scale % plan.q, plan.dtype)
    indices = np.arange(plan.n)
    for bit in range((plan.n - 1).bit_length()):
        factors = np.ones_like(powers)
        factors[(indices >> bit & 1) == 1] = pow(base, 1 << bit, plan.q)
        plan.pointwise(powers, factors, out=powers)
    return powers


def _rows(plan: Plan, first: Integers, step: Integers, count: int) -> Integers:
    """Rows, each of which is the one before times `step`."""
    rows = np.empty((count, plan.n), plan.dtype)
    rows[:1] = first
    have = 1
    while have < count:
        more = min(have, count - have)
        rows[have : have + more] = plan.pointwise(rows[:more], step)
        step, have = plan.pointwise(step, step), have + more
    return rows


def _has_order(x: int, order: int, q: int) -> bool:
    return 0 < x < q and pow(x, order, q) == 1 and all(pow(x, order // p, q) != 1 for p in _factors(order))


def _smallest_root(order: int, q: int) -> int:
    """The smallest root of unity of an order modulo a prime."""
    if order > _MOST_ROOTS:
        raise PlanError(f"for roots of order {order}, one must be given: root=")
    if not _is_prime(q) or (q - 1) % order:
        raise PlanError(f"q = {q} is no prime with a root of unity of order {order}: primes k * {order} + 1 have one")
    one = next(y for x in range(2, q) if _has_order(y := pow(x, (q - 1) // order, q), order, q))
    page = gcd(order, _PAGE)
    plan = _plan(page, q, pow(one, order // page, q), 1)
    powers, step = _powers(plan, one, 1), np.full(page, pow(one, page, q), plan.dtype)
    radical, smallest = prod(_factors(order)), one

    @cache
    def coprime(start: int) -> Any:
        return np.gcd(np.arange(start, start + page), radical) == 1

    for start in range(0, order, page):
        smallest = min(smallest, int(powers.min(where=coprime(start % radical), initial=q - 1)))
        plan.pointwise(powers, step, out=powers)
    return smallest


def _factors(n: int) -> list[int]:
    """The primes that divide a number."""
    found, p = [], 2
    while p * p <= n:
        if n % p == 0:
            found.append(p)
            while n % p == 0:
                n //= p
        p += 1
    return [*found, n] if n > 1 else found


def _is_prime(q: int) -> bool:
    """Miller and Rabin's test with bases that leave no doubt below 2^64."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if q < 2 or any(q % p == 0 for p in bases):
        return q in bases
    twos = (q - 1 & 1 - q).bit_length() - 1

    def passes(base: int) -> bool:
        x = pow(base, q - 1 >> twos, q)
        return x == 1 or any(pow(x, 1 << i, q) == q - 1 for i in range(twos))

    return all(map(passes, bases))
