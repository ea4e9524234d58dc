"""The cost of lattice attacks, under the names of the lattice-estimator.

A script that begins with ``from estimator import *`` runs with this import in its place:

>>> from ringwork.estimator import *
>>> cost = LWE.primal_usvp(schemes.Kyber512)
>>> cost
rop: ≈2^143.8, red: ≈2^143.8, δ: 1.003941, β: 406, d: 998, tag: usvp
>>> cost["beta"], round(cost.rop.log2, 1)
(406, 143.8)

The attacks and models are those of the lattice-estimator (Albrecht, Player, Scott, 2015, and many others since), from
its formulas, in Rust and in floating-point numbers of 64 bits: an estimate takes milliseconds. They are held against
868 values that the lattice-estimator, commit 27a581b, gave.

Differences: attacks that succeed with nothing are left out of what is printed; guesses do not compose with other
attacks than those named; the number of samples in a dual attack has no rounding error.
"""

from .costs import RC, Cost, CostModel, Power, Simulator
from .distributions import ND, NoiseDistribution
from .grids import grid
from .problems import LWE, NTRU, SIS, LWEParameters, NTRUParameters, SISParameters, oo
from . import schemes

__all__ = [
    "LWE",
    "ND",
    "NTRU",
    "RC",
    "SIS",
    "Cost",
    "CostModel",
    "LWEParameters",
    "NTRUParameters",
    "NoiseDistribution",
    "Power",
    "SISParameters",
    "Simulator",
    "grid",
    "oo",
    "schemes",
]
