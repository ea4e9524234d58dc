"""Ringwork for Python: lattice cryptography, and estimates of lattice attacks under the names that their users know.

- `ringwork.mlkem`, `ringwork.mldsa`: ML-KEM (FIPS 203) and ML-DSA (FIPS 204); `ringwork.xwing`: X-Wing.
- `ringwork.research`: research constructions, **which are not standards**.
- `ringwork.estimator`: ``from ringwork.estimator import *`` in place of ``from estimator import *``.
"""

from . import estimator, research
from ._native import CiphertextError, CommitmentError, KeyFormatError, RingworkError, SignatureError
from .kem import KEM
from .mldsa import MLDSA, MLDSA44, MLDSA65, MLDSA87
from .mlkem import MLKEM512, MLKEM768, MLKEM1024
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
    "CiphertextError",
    "CommitmentError",
    "KeyFormatError",
    "RingworkError",
    "SignatureError",
    "XWing",
    "estimator",
    "research",
]
