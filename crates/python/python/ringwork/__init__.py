"""Ringwork for Python: exact products of polynomials, lattice cryptography, and estimates of lattice attacks.

- Functions on arrays of numpy: `ntt`, `intt`, `polymul`, `convolve`. Rings with operators: `Ring`, `Poly`. A plan of
  one's own, with its proved ranges: `Plan`. Integers of any size: `Rns`.
- `ringwork.mlkem`, `ringwork.mldsa`: ML-KEM (FIPS 203) and ML-DSA (FIPS 204); `ringwork.xwing`: X-Wing.
- `ringwork.research`: research constructions, **which are not standards**.
- `ringwork.estimator`: ``from ringwork.estimator import *`` in place of ``from estimator import *``.

Arrays that have the type of a plan and are contiguous are taken as they are; others are converted. Every coefficient is
checked. The interpreter's lock is released, and threads share large work: as many as there are cores, or as the
environment variable ``RAYON_NUM_THREADS`` says.
"""

from . import estimator, research
from ._native import (
    CiphertextError,
    CoefficientError,
    CommitmentError,
    KeyFormatError,
    PlanError,
    RingworkError,
    SignatureError,
)
from .kem import KEM
from .mldsa import MLDSA, MLDSA44, MLDSA65, MLDSA87
from .mlkem import MLKEM512, MLKEM768, MLKEM1024
from .plans import Certificate, Explanation, Interval, Layer, Plan
from .rings import Poly, Ring
from .rns import Rns
from .transforms import convolve, intt, ntt, polymul
from .xwing import XWing

__all__ = [
    "KEM",
    "MLDSA",
    "MLDSA44",
    "MLDSA65",
    "MLDSA87",
    "MLKEM512",
    "MLKEM768",
    "MLKEM1024",
    "Certificate",
    "CiphertextError",
    "CoefficientError",
    "CommitmentError",
    "Explanation",
    "Interval",
    "KeyFormatError",
    "Layer",
    "Plan",
    "PlanError",
    "Poly",
    "Ring",
    "RingworkError",
    "Rns",
    "SignatureError",
    "XWing",
    "convolve",
    "estimator",
    "intt",
    "ntt",
    "polymul",
    "research",
]
