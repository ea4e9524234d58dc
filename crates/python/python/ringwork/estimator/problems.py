"""Problems, and the attacks on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from .. import _native
from .costs import RC, Cost, Model, name_of
from .distributions import NoiseDistribution

#: As many samples, or columns, as are useful.
oo = math.inf


def _modulus(q: int | float) -> int | float:
    """An integer that a float holds, or log2 of a larger one."""
    if q != q or q < 2 or (q < 2**53 and q != int(q)):
        raise ValueError(f"q = {q} is no modulus: an integer from 2 on works")
    return int(q) if q < 2**53 else math.log2(q)


def _count(what: str, count: float) -> int | None:
    """A number of samples or columns, or none for any number."""
    if count == oo:
        return None
    if count != count or count != int(count) or count < 0:
        raise ValueError(f"{what} = {count} is no number of them: a positive integer or oo works")
    return min(int(count), 2**63)


_Self = TypeVar("_Self", bound="_Changeable")


@dataclass(frozen=True)
class _Changeable:
    """Parameters of a problem."""

    def updated(self: _Self, **changes: Any) -> _Self:
        """The same with some of them changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class LWEParameters(_Changeable):
    """Learning with Errors: ``m`` samples ``b = <a, s> + e`` modulo ``q``, with secrets ``s`` of ``n`` coefficients."""

    n: int
    q: int
    Xs: NoiseDistribution
    Xe: NoiseDistribution
    m: float = oo
    tag: str | None = None

    def _cost(self, attack: str, cost_model: Model, shape_model: str) -> Cost:
        secret, error = self.Xs.shape, self.Xe.shape
        numbers = (self.n, _modulus(self.q), secret, error, _count("m", self.m))
        return Cost._of(attack, _native.lwe(attack, *numbers, name_of(cost_model), shape_model))


@dataclass(frozen=True)
class NTRUParameters(_Changeable):
    """An NTRU key ``h = g/f`` modulo ``q``, of polynomials (``"circulant"``) or matrices, of degree ``n``."""

    n: int
    q: int
    Xs: NoiseDistribution
    Xe: NoiseDistribution
    m: float = oo
    tag: str | None = None
    ntru_type: str = "matrix"

    def __post_init__(self) -> None:
        if self.ntru_type not in ("matrix", "circulant"):
            raise ValueError(f"{self.ntru_type!r} is no type of NTRU: 'matrix' and 'circulant' work")

    def _cost(self, attack: str, cost_model: Model, shape_model: str) -> Cost:
        numbers = (self.n, _modulus(self.q), self.Xs.shape, self.Xe.shape, self.ntru_type == "circulant")
        return Cost._of(attack, _native.ntru(attack, *numbers, name_of(cost_model), shape_model))


@dataclass(frozen=True)
class SISParameters(_Changeable):
    """Short Integer Solution: a vector of ``m`` coefficients and a small norm (2 or ``oo``) in the kernel of a matrix
    of ``n`` rows modulo ``q``."""

    n: int
    q: int
    length_bound: float
    m: float = oo
    norm: float = 2
    tag: str | None = None

    def _cost(self, attack: str, cost_model: Model, shape_model: str) -> Cost:
        if self.norm not in (2, oo):
            raise ValueError(f"the norm {self.norm} is not known: 2 and oo work")
        numbers = (self.n, _modulus(self.q), float(self.length_bound), self.norm == oo, _count("m", self.m))
        return Cost._of(attack, _native.sis(*numbers, name_of(cost_model), shape_model))


Parameters = LWEParameters | NTRUParameters | SISParameters


@dataclass(frozen=True)
class _Attack:
    """An attack as a function of parameters and models."""

    name: str

    def __call__(self, params: Parameters, red_cost_model: Model = RC.MATZOV, red_shape_model: str = "gsa") -> Cost:
        return params._cost(self.name, red_cost_model, red_shape_model)


def _hybrid(
    params: Parameters,
    mitm: bool = True,
    babai: bool = True,
    red_cost_model: Model = RC.MATZOV,
    red_shape_model: str = "gsa",
) -> Cost:
    """Guesses a part of the secret; each guess by rounding (``babai``) or a shortest vector, all of them or in a meet
    in the middle (``mitm``)."""
    names = {
        (False, False): "bdd_hybrid",
        (True, True): "bdd_mitm_hybrid",
        (False, True): "hybrid_babai",
        (True, False): "hybrid_mitm",
    }
    return params._cost(names[bool(mitm), bool(babai)], red_cost_model, red_shape_model)


@dataclass(frozen=True)
class _Estimate:
    """All attacks on a problem."""

    attacks: tuple[str, ...]
    rough_attacks: tuple[str, ...]
    #: Attacks for secrets with few coefficients that are not zero.
    sparse: tuple[str, ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)

    def __call__(
        self,
        params: Parameters,
        red_cost_model: Model = RC.MATZOV,
        red_shape_model: str = "gsa",
        deny_list: Iterable[str] = (),
        add_list: Iterable[str] = (),
        jobs: int = 1,
        catch_exceptions: bool = True,
        quiet: bool = False,
    ) -> dict[str, Cost]:
        """All attacks but those of ``deny_list``, printed unless ``quiet``; those that nothing makes succeed are left
        out. ``jobs`` is there for scripts that have it."""
        names = [name for name in (*self.attacks, *add_list) if name not in set(deny_list)]
        shapes = dict.fromkeys(names, red_shape_model)
        if red_shape_model.lower() == "gsa":
            shapes |= {name: shape for name, shape in self.shapes.items() if name in shapes}
        return _all(params, names, red_cost_model, shapes, quiet, catch_exceptions)

    def rough(
        self, params: Parameters, jobs: int = 1, catch_exceptions: bool = True, quiet: bool = False
    ) -> dict[str, Cost]:
        """The cheapest attacks by the simplest models: core-SVP and the geometric series."""
        names = list(self.rough_attacks)
        secret = getattr(params, "Xs", None)
        if isinstance(secret, NoiseDistribution) and secret.resize(params.n).is_sparse:
            names += self.sparse
        shapes = {name: self.shapes.get(name, "gsa") for name in names}
        if isinstance(params, SISParameters):
            shapes = dict.fromkeys(names, "lgsa" if params.norm == oo else "gsa")
        return _all(params, names, RC.ADPS16, shapes, quiet, catch_exceptions)


def _all(
    params: Parameters,
    names: Iterable[str],
    model: Model,
    shapes: Mapping[str, str],
    quiet: bool,
    catch_exceptions: bool,
) -> dict[str, Cost]:
    found: dict[str, Cost] = {}
    for name in names:
        try:
            cost = params._cost(name, model, shapes[name])
        except ValueError as why:
            if not catch_exceptions or not str(why).startswith("this model has no"):
                raise
            if not quiet:
                print(f"{name:<20} :: {why}")
            continue
        if math.isfinite(cost["rop"].log2):
            found[name] = cost
            if not quiet:
                print(f"{name:<20} :: {cost!r}")
    return found


class LWE:
    """Learning with Errors."""

    Parameters = LWEParameters
    estimate: ClassVar[_Estimate] = _Estimate(
        ("arora-gb", "bkw", "usvp", "bdd", "bdd_hybrid", "bdd_mitm_hybrid", "dual", "dual_hybrid"),
        ("usvp", "dual_hybrid"),
        ("bdd_hybrid",),
    )
    primal_usvp: ClassVar[_Attack] = _Attack("usvp")
    primal_bdd: ClassVar[_Attack] = _Attack("bdd")
    primal_hybrid: ClassVar[Callable[..., Cost]] = staticmethod(_hybrid)
    dual: ClassVar[_Attack] = _Attack("dual")
    dual_hybrid: ClassVar[_Attack] = _Attack("dual_hybrid")
    coded_bkw: ClassVar[_Attack] = _Attack("bkw")
    arora_gb: ClassVar[_Attack] = _Attack("arora-gb")
    mitm: ClassVar[_Attack] = _Attack("mitm")
    exhaustive_search: ClassVar[_Attack] = _Attack("exhaustive")


class NTRU:
    """Keys of NTRU."""

    Parameters = NTRUParameters
    estimate: ClassVar[_Estimate] = _Estimate(
        ("usvp", "bdd", "bdd_hybrid", "bdd_mitm_hybrid", "dsd"), ("usvp", "dsd"), ("bdd_hybrid",), {"dsd": "zgsa"}
    )
    primal_usvp: ClassVar[_Attack] = _Attack("usvp")
    primal_bdd: ClassVar[_Attack] = _Attack("bdd")
    primal_hybrid: ClassVar[Callable[..., Cost]] = staticmethod(_hybrid)

    @staticmethod
    def primal_dsd(params: NTRUParameters, red_cost_model: Model = RC.MATZOV, red_shape_model: str = "zgsa") -> Cost:
        """The dense sublattice of a key."""
        return params._cost("dsd", red_cost_model, red_shape_model)


class SIS:
    """Short Integer Solution."""

    Parameters = SISParameters
    estimate: ClassVar[_Estimate] = _Estimate(("lattice",), ("lattice",))
    lattice: ClassVar[_Attack] = _Attack("lattice")
