"""Rings of polynomials, whose elements have operators."""

from __future__ import annotations

import math
from collections.abc import Iterator
from operator import index
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .plans import Kind, Order, Plan, cached, cached_transform
from .rns import Integers, as_integers, as_objects

_SHOWN = 6


class Ring:
    """The ring of polynomials modulo `q` and ``X^n + 1``, or another polynomial.

    Parameters
    ----------
    n : int
        The degree.
    q : int
        The modulus, any number from 5 to below 2^62, or a prime below 2^64.
    kind : {'negacyclic', 'cyclic', 'trinomial'}
        Modulo ``X^n + 1``, ``X^n - 1`` or ``X^n - X^(n/2) + 1``.

    Examples
    --------
    >>> R = Ring(4, 17)
    >>> a = R([1, 3])
    >>> a * a
    1 + 6·x + 9·x^2 in Ring(4, 17)
    >>> a * a**-1 == R.one
    True
    >>> (R.x**4).coeffs
    array([16,  0,  0,  0])
    """

    def __init__(self, n: int, q: int, kind: Kind = "negacyclic") -> None:
        n, q = index(n), index(q)
        self.plan: Plan = cached(n, q, kind, "native")
        self.n = n
        self.q = q
        self.kind: Kind = kind

    def __repr__(self) -> str:
        kind = "" if self.kind == "negacyclic" else f", {self.kind!r}"
        return f"Ring({self.n}, {self.q}{kind})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ring) and (self.n, self.q, self.kind) == (other.n, other.q, other.kind)

    def __hash__(self) -> int:
        return hash((self.n, self.q, self.kind))

    def __reduce__(self) -> tuple[type[Ring], tuple[int, int, Kind]]:
        return Ring, (self.n, self.q, self.kind)

    def __call__(self, coefficients: ArrayLike | Poly) -> Poly:
        """An element, or an array of elements.

        Parameters
        ----------
        coefficients : array_like of int
            Integers of any size, along the last axis, the constant one first; those that are left out are zero. One
            integer is a constant.

        Returns
        -------
        Poly
            Elements in the shape of all other axes.
        """
        if isinstance(coefficients, Poly):
            if coefficients.ring != self:
                raise ValueError(f"an element of {coefficients.ring} is none of {self}: take its coefficients")
            return coefficients
        array = np.atleast_1d(as_integers(coefficients))
        if array.dtype == object:
            array = np.asarray(as_objects(array) % self.q, dtype=np.uint64)
        if array.shape[-1] > self.n:
            raise ValueError(f"{array.shape[-1]} coefficients: elements of this ring have {self.n}; reduce them first")
        words = self.plan.reduce(array)
        if array.shape[-1] < self.n:
            padded = np.zeros((*array.shape[:-1], self.n), dtype=words.dtype)
            padded[..., : array.shape[-1]] = words
            words = padded
        return Poly(self, words)

    @property
    def x(self) -> Poly:
        """The element ``X``."""
        return self([0, 1]) if self.n > 1 else self(1 if self.kind == "cyclic" else -1)

    @property
    def one(self) -> Poly:
        """The element 1."""
        return self(1)

    @property
    def zero(self) -> Poly:
        """The element 0."""
        return self(0)

    def zeros(self, shape: int | tuple[int, ...] = ()) -> Poly:
        """An array of zeros."""
        shape = shape if isinstance(shape, tuple) else (index(shape),)
        return Poly(self, np.zeros((*shape, self.n), dtype=self.plan.dtype))

    def random(self, shape: int | tuple[int, ...] = (), rng: np.random.Generator | None = None) -> Poly:
        """Uniform elements, for experiments: the generators of numpy are not for keys."""
        shape = shape if isinstance(shape, tuple) else (index(shape),)
        rng = np.random.default_rng() if rng is None else rng
        words = rng.integers(0, self.q - 1, (*shape, self.n), dtype=np.uint64, endpoint=True)
        return Poly(self, words.astype(self.plan.dtype))

    def from_ntt(self, slots: ArrayLike, order: Order = "natural") -> Poly:
        """The elements whose transforms these are: the inverse of `Poly.ntt`."""
        slots = cached_transform(self.n, self.q, self.kind, order).inverse(as_integers(slots))
        return Poly(self, slots.astype(self.plan.dtype, copy=False))

    def dot(self, a: Poly, b: Poly) -> Poly:
        """The sum of products along the last axis of elements: ``a @ b``."""
        return a @ b


Operand = Union["Poly", int, "np.integer[Any]"]


class Poly:
    """An element of a `Ring`, or an array of elements, which operators take like numbers of numpy.

    Elements are made by their ring. ``a @ b`` multiplies matrices and vectors of elements.

    Attributes
    ----------
    ring : Ring
        Its ring.
    words : ndarray
        Coefficients from 0 to below `q`, in the words of the ring's plan. These are narrow: arithmetic of numpy on them
        overflows.
    """

    __slots__ = ("ring", "words")
    # Operators of numpy's arrays leave elements to their own ones.
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ring: Ring, words: Integers) -> None:
        self.ring = ring
        self.words = words

    @property
    def coeffs(self) -> Integers:
        """Coefficients from 0 to below `q`, in 64 bits: a copy."""
        return self.words.astype(np.int64 if self.ring.q < 1 << 63 else np.uint64)

    @property
    def centred(self) -> NDArray[np.int64]:
        """Coefficients from ``-q/2`` to ``q/2``."""
        words = self.words.astype(np.uint64)
        q = np.uint64(self.ring.q)
        return np.where(words > q // np.uint64(2), words - q, words).astype(np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array of elements; () for one."""
        return self.words.shape[:-1]

    def ntt(self, order: Order = "natural") -> Integers:
        """The transform, along the last axis: see `ringwork.ntt`."""
        ring = self.ring
        return cached_transform(ring.n, ring.q, ring.kind, order).forward(self.words)

    def inverse(self) -> Poly:
        """The inverse.

        Raises
        ------
        ZeroDivisionError
            If an element has none.
        PlanError
            If the ring has no transform.
        """
        ring = self.ring
        words = cached(ring.n, ring.q, ring.kind, "natural").invert(self.words)
        return Poly(ring, words.astype(ring.plan.dtype, copy=False))

    def __call__(self, point: int) -> Any:
        """The value at a point, modulo `q`."""
        values = self.ring.plan.evaluate(self.words, index(point) % self.ring.q)
        return values if self.shape else int(values)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("this is one element, not an array of them")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Poly:
        if not self.shape:
            raise IndexError("this is one element, not an array of them: its coefficients are in .coeffs")
        keys = key if isinstance(key, tuple) else (key,)
        if not any(it is Ellipsis for it in keys):
            keys = (*keys, Ellipsis)
        chosen = self.words[(*keys, slice(None))]
        if chosen.shape[-1:] != (self.ring.n,):
            raise IndexError(f"too many indices for elements of shape {self.shape}")
        return Poly(self.ring, chosen)

    def __iter__(self) -> Iterator[Poly]:
        return (self[i] for i in range(len(self)))

    def reshape(self, *shape: int) -> Poly:
        """The same elements in another shape."""
        return Poly(self.ring, self.words.reshape(*map(index, shape), self.ring.n))

    @property
    def T(self) -> Poly:
        """The transposed matrix of elements."""
        axes = reversed(range(len(self.shape)))
        return Poly(self.ring, self.words.transpose(*axes, len(self.shape)))

    def sum(self, axis: int = 0) -> Poly:
        """The sum along an axis of elements."""
        axes = len(self.shape)
        if not -axes <= axis < axes:
            raise ValueError(f"axis {axis} of elements with {axes} axes")
        ones = self.ring.zeros(self.shape[axis]) + 1
        moved = np.moveaxis(self.words, axis % axes, -2)
        return Poly(self.ring, moved) @ ones

    def _other(self, other: object) -> Integers | None:
        """The words of the other operand of an operator."""
        if isinstance(other, Poly):
            if other.ring != self.ring:
                raise ValueError(f"elements of {self.ring} and {other.ring}")
            return other.words
        if isinstance(other, (int, np.integer)):
            return self.ring(int(other)).words
        return None

    def __add__(self, other: Operand) -> Poly:
        words = self._other(other)
        return NotImplemented if words is None else Poly(self.ring, self.ring.plan.add(self.words, words))

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Poly:
        words = self._other(other)
        return NotImplemented if words is None else Poly(self.ring, self.ring.plan.subtract(self.words, words))

    def __rsub__(self, other: Operand) -> Poly:
        words = self._other(other)
        return NotImplemented if words is None else Poly(self.ring, self.ring.plan.subtract(words, self.words))

    def __neg__(self) -> Poly:
        return 0 - self

    def __pos__(self) -> Poly:
        return self

    def __mul__(self, other: Operand) -> Poly:
        words = self._other(other)
        return NotImplemented if words is None else Poly(self.ring, self.ring.plan.multiply(self.words, words))

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Poly:
        words = self._other(other)
        return NotImplemented if words is None else self * Poly(self.ring, words).inverse()

    def __rtruediv__(self, other: Operand) -> Poly:
        return self.inverse() * other

    def __pow__(self, exponent: int) -> Poly:
        exponent = index(exponent)
        base, power = (self.inverse(), -exponent) if exponent < 0 else (self, exponent)
        result = self.ring.one
        if self.shape:
            result = self.ring.zeros(self.shape) + 1
        while power:
            if power & 1:
                result = result * base
            power >>= 1
            if power:
                base = base * base
        return result

    def __matmul__(self, other: Poly) -> Poly:
        if not isinstance(other, Poly):
            return NotImplemented
        ring = self.ring
        self._other(other)
        if not self.shape or not other.shape:
            raise ValueError("matrices and vectors of elements have a product; single elements are multiplied by *")
        if len(other.shape) > 2:
            raise ValueError(f"the second operand of @ is a vector or a matrix, not of shape {other.shape}")
        rows = self.words.reshape(math.prod(self.shape[:-1]), self.shape[-1], ring.n)
        columns = other.words.reshape(*other.shape, ring.n)
        columns = columns[None] if len(other.shape) == 1 else columns.swapaxes(0, 1)
        product = ring.plan.matrix_product(rows, columns)
        return Poly(ring, product.reshape(*self.shape[:-1], *other.shape[1:], ring.n))

    def __eq__(self, other: object) -> Any:
        words = None if isinstance(other, Poly) and other.ring != self.ring else self._other(other)
        if words is None:
            return NotImplemented
        equal = (self.words == words).all(axis=-1)
        return bool(equal) if equal.ndim == 0 else equal

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return ~equal if isinstance(equal, np.ndarray) else not equal

    def __bool__(self) -> bool:
        if self.shape:
            raise ValueError("an array of elements is neither true nor false: compare it, and use .all() or .any()")
        return bool(self.words.any())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        coeffs = self.coeffs
        return coeffs if dtype is None else coeffs.astype(dtype)

    def __repr__(self) -> str:
        if self.shape:
            return f"elements of shape {self.shape} in {self.ring}"
        terms = [(int(self.words[i]), i) for i in np.flatnonzero(self.words)[: _SHOWN + 1]]
        texts = [f"{c}" if i == 0 else ("" if c == 1 else f"{c}·") + ("x" if i == 1 else f"x^{i}") for c, i in terms]
        if len(texts) > _SHOWN:
            texts[_SHOWN:] = ["…"]
        return f"{' + '.join(texts) or '0'} in {self.ring}"
