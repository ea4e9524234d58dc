"""Ringwork for Python: estimates of lattice attacks, under the names that their users know.

``from ringwork.estimator import *`` in place of ``from estimator import *``.
"""

from . import estimator

__all__ = ["estimator"]
