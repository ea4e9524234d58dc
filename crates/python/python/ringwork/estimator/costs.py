"""Costs of attacks, and the models that they are computed by."""

from __future__ import annotations

import math
from typing import Any, Union

from .. import _native


class Power(float):
    """A number with its logarithm to base 2, which may be too large for the number: then that is infinite."""

    __slots__ = ("log2",)
    log2: float

    def __new__(cls, log2: float) -> Power:
        power = super().__new__(cls, 2.0**log2 if log2 < 1024 else math.inf)
        power.log2 = log2
        return power

    def __repr__(self) -> str:
        if self.log2 > 13:
            return f"≈2^{self.log2:.1f}"
        return f"{float(self):.4g}"

    def __reduce__(self) -> tuple[type[Power], tuple[float]]:
        return Power, (self.log2,)


class Cost(dict[str, Any]):
    """What an attack costs, and its parameters: a dictionary, whose entries are attributes as well.

    ``rop``: all operations; ``red``: lattice reduction; ``svp``: shortest vectors after it; ``guess``; ``mem``: memory;
    ``m``: samples; ``delta``: the root-Hermite factor; ``beta``: the block size; ``eta``: the dimension of the last
    shortest vector, or of a sieve; ``zeta``: guessed coefficients; ``t``, ``p``: coefficients and modulus of a Fourier
    transform; ``d``: the dimension of the lattice; ``repetitions``; ``tag``: the attack. Only what an attack has.
    """

    _NAMES = {"delta": "δ", "beta": "β", "eta": "η", "zeta": "ζ", "repetitions": "↻"}

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this cost has no {name!r}, it has {', '.join(self)}") from None

    def __repr__(self) -> str:
        shown = {"delta": lambda delta: f"{delta:.6f}"}
        entries = ((self._NAMES.get(key, key), shown.get(key, str)(value)) for key, value in self.items())
        return ", ".join(f"{name}: {value}" for name, value in entries)

    __str__ = __repr__

    @classmethod
    def infinite(cls, tag: str) -> Cost:
        """Of an attack that nothing makes succeed."""
        return cls(rop=Power(math.inf), tag=tag)

    @classmethod
    def _of(cls, tag: str, found: tuple[str, list[float], list[int]] | None) -> Cost:
        if found is None:
            return cls.infinite(tag)
        tag, (rop, red, svp, guess, mem, samples, repetitions), (beta, eta, zeta, d, t, p) = found
        powers = {"rop": rop, "red": red, "svp": svp, "guess": guess, "mem": mem, "m": samples}
        cost = cls({name: Power(log2) for name, log2 in powers.items() if math.isfinite(log2)})
        if beta > 0:
            cost["delta"] = _native.delta(beta)
        if tag == "coded-bkw":
            parameters = {"b": zeta, "steps": eta, "#test": t}
        elif tag == "arora-gb":
            parameters = {"dreg": eta, "t": zeta}
        else:
            parameters = {"beta": beta, "eta": eta, "zeta": zeta, "t": t, "p": p, "d": d}
        cost.update({name: value for name, value in parameters.items() if value > 0})
        if repetitions > 0:
            cost["repetitions"] = Power(repetitions)
        cost["tag"] = tag
        return cost


class CostModel:
    """A cost model of lattice reduction, by its name; ``model(beta, d)`` is the cost of BKZ."""

    def __init__(self, name: str) -> None:
        _native.bkz(name, 40, 40)  # refuses names that are none
        self.name = name

    def __call__(self, beta: int, d: int) -> Power:
        """The cost of BKZ with blocks of ``beta`` in dimension ``d``."""
        return Power(_native.bkz(self.name, beta, d))

    def __repr__(self) -> str:
        return f"RC.{self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CostModel) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class RC:
    """Cost models of lattice reduction."""

    ADPS16 = CostModel("ADPS16")
    BDGL16 = CostModel("BDGL16")
    LaaMosPol14 = CostModel("LaaMosPol14")
    CheNgu12 = CostModel("CheNgu12")
    ABLR21 = CostModel("ABLR21")
    ChaLoy21 = CostModel("ChaLoy21")
    GJ21 = CostModel("GJ21")
    Kyber = CostModel("Kyber")
    MATZOV = CostModel("MATZOV")
    #: Core-SVP with a quantum sieve: ``ADPS16(mode="quantum")`` in the lattice-estimator.
    ADPS16Quantum = CostModel("ADPS16-quantum")


class Simulator:
    """Shapes of reduced bases."""

    GSA = "GSA"
    ZGSA = "ZGSA"
    LGSA = "LGSA"
    CN11 = "CN11"


#: Where a model is expected, its name does as well, in capitals or not.
Model = Union[CostModel, str]


def name_of(model: Model) -> str:
    return model if isinstance(model, str) else model.name
