"""Distributions of secrets and errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .. import _native


@dataclass(frozen=True)
class NoiseDistribution:
    """A distribution of the coefficients of a vector of ``n``; made by the functions of :class:`ND`."""

    shape: str
    """The distribution, as the library names it."""
    n: int | None = None
    """The number of coefficients, which only distributions of a fixed weight need."""
    _sparse: tuple[int, int] | None = None

    def _properties(self) -> tuple[float, float, float, float, float, float]:
        if self._sparse is not None and self.n is None:
            raise ValueError("SparseTernary(p, m, n): of a vector of how many coefficients? n is needed")
        return _native.distribution(self.shape, self.n or 1)

    @property
    def stddev(self) -> float:
        """The standard deviation of a coefficient."""
        return self._properties()[0]

    @property
    def mean(self) -> float:
        """The expected value of a coefficient."""
        return self._properties()[1]

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest value."""
        return self._properties()[2:4]

    @property
    def is_bounded(self) -> bool:
        """Whether there is a largest value."""
        return math.isfinite(self.bounds[1])

    @property
    def density(self) -> float:
        """The expected part of coefficients that are not zero."""
        return self._properties()[4]

    @property
    def is_sparse(self) -> bool:
        """Whether the weight is fixed, or less than half of the coefficients are not zero."""
        return self._sparse is not None or self.density < 0.5

    @property
    def hamming_weight(self) -> int:
        """The expected number of coefficients that are not zero, rounded."""
        if self.n is None:
            raise ValueError("the weight of a vector of how many coefficients? `resize(n)` says it")
        return round(self.density * self.n)

    def support_size(self) -> float:
        """log2 of the number of values of a vector of ``n``."""
        if self.n is None:
            raise ValueError("the support of a vector of how many coefficients? `resize(n)` says it")
        return self._properties()[5]

    def resize(self, n: int) -> NoiseDistribution:
        """The same for a vector of ``n`` coefficients."""
        return replace(self, n=n)

    def __lt__(self, other: NoiseDistribution | float) -> bool:
        return self.stddev < (other.stddev if isinstance(other, NoiseDistribution) else other)

    def __repr__(self) -> str:
        return f"D({self.shape})" if self.n is None else f"D({self.shape}, n={self.n})"


def _checked(shape: str, n: int | None, sparse: tuple[int, int] | None = None) -> NoiseDistribution:
    _native.distribution(shape, n if n is not None else 1 << 20)  # refuses what is no distribution
    return NoiseDistribution(shape, n, sparse)


class ND:
    """Distributions, with the names and the order of arguments of the lattice-estimator."""

    @staticmethod
    def DiscreteGaussian(stddev: float, mean: float = 0, n: int | None = None) -> NoiseDistribution:
        """A Gaussian rounded to integers, by its standard deviation."""
        centred = f"gaussian:{float(stddev)!r}"
        return _checked(centred if mean == 0 else f"{centred},mean={float(mean)!r}", n)

    @staticmethod
    def DiscreteGaussianAlpha(alpha: float, q: int, mean: float = 0, n: int | None = None) -> NoiseDistribution:
        """A Gaussian whose deviation is ``αq/√2π``."""
        return ND.DiscreteGaussian(alpha * q / math.sqrt(2 * math.pi), mean, n)

    @staticmethod
    def CenteredBinomial(eta: int, n: int | None = None) -> NoiseDistribution:
        """Differences of two sums of ``eta`` bits."""
        return _checked(f"binomial:{eta}", n)

    @staticmethod
    def Uniform(a: int, b: int, n: int | None = None) -> NoiseDistribution:
        """Integers from ``a`` to ``b``."""
        known = {(-1, 1): "ternary", (0, 1): "binary"}
        return _checked(known.get((a, b), f"uniform:{a}..{b}"), n)

    @staticmethod
    def UniformMod(q: int, n: int | None = None) -> NoiseDistribution:
        """Integers modulo ``q``, around 0."""
        low = -(q // 2)
        return ND.Uniform(low, low + q - 1, n)

    @staticmethod
    def TUniform(b: int, n: int | None = None) -> NoiseDistribution:
        """Integers from ``-2^b`` to ``2^b``, both ends with half of the probability of the others."""
        return _checked(f"tuniform:{b}", n)

    @staticmethod
    def SparseTernary(p: int, m: int | None = None, n: int | None = None) -> NoiseDistribution:
        """Vectors with ``p`` coefficients 1 and ``m`` coefficients -1; ``m`` is ``p`` if left out."""
        m = p if m is None else m
        return _checked(f"ternary:p={p},m={m}", n, (p, m))

    Binary: NoiseDistribution
    Ternary: NoiseDistribution


ND.Binary = ND.Uniform(0, 1)
ND.Ternary = ND.Uniform(-1, 1)
