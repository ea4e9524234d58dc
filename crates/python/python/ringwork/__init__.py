"""Ringwork for Python: number-theoretic transforms, exact products of polynomials, and estimates of lattice attacks.

Functions on arrays: `ntt`, `intt`, `polymul`, `convolve`. Rings with operators: `Ring`, `Poly`. A plan of one's own,
with its proved ranges: `Plan`. Integers of any size: `Rns`. Estimates, under the names of the lattice-estimator:
``from ringwork.estimator import *``.

Arrays that have the type of a plan and are contiguous are taken as they are; others are converted. Every coefficient is
checked. The interpreter's lock is released, and threads share large work: as many as there are cores, or as the
environment variable ``RAYON_NUM_THREADS`` says.
"""

from . import estimator
from ._native import CoefficientError, PlanError, RingworkError
from .plans import Certificate, Explanation, Interval, Layer, Plan
from .rings import Poly, Ring
from .rns import Rns
from .transforms import convolve, intt, ntt, polymul

__all__ = [
    "Certificate",
    "CoefficientError",
    "Explanation",
    "Interval",
    "Layer",
    "Plan",
    "PlanError",
    "Poly",
    "Ring",
    "RingworkError",
    "Rns",
    "convolve",
    "estimator",
    "intt",
    "ntt",
    "polymul",
]
