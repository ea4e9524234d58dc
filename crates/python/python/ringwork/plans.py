"""Plans: a ring, and how products in it are computed, with what was proved of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from operator import index
from typing import Any, Literal, NamedTuple

from . import _native
from ._native import PlanError

Kind = Literal["negacyclic", "cyclic", "trinomial"]
Order = Literal["natural", "bitreversed", "native"]

_POLYNOMIALS = {"negacyclic": "X^{n} + 1", "cyclic": "X^{n} - 1", "trinomial": "X^{n} - X^{half} + 1"}


class Interval(NamedTuple):
    """The integers from `lo` to `hi`."""

    lo: int
    hi: int


class Layer(NamedTuple):
    """What is known of a layer of a transform: every value in it, and what is reduced beyond its products."""

    values: Interval
    reduces: str


@dataclass(frozen=True)
class Certificate:
    """The proved ranges of a transform: no value leaves its word, whatever the coefficients.

    Attributes
    ----------
    word : Interval
        What a word holds.
    input, slots, products, normalized, inverse_input, output : Interval
        What the forward transform is given and gives, what slot products are before and after a reduction, what the
        inverse transform is given and gives.
    forward, inverse : tuple of Layer
        Every layer, numbered by the forward transform; the inverse runs from the last to the first.
    """

    q: int
    word: Interval
    input: Interval
    slots: Interval
    products: Interval
    normalized: Interval
    inverse_input: Interval
    output: Interval
    forward: tuple[Layer, ...]
    inverse: tuple[Layer, ...]

    def _repr_html_(self) -> str:
        return _ranges(self)


class Explanation:
    """What `Plan.explain` says: a text, and tables in a notebook."""

    def __init__(self, lines: list[str], certificates: list[Certificate]) -> None:
        self._lines = lines
        self._certificates = certificates

    def __str__(self) -> str:
        tables = [_text_of_ranges(certificate) for certificate in self._certificates]
        return "\n".join([*self._lines, *tables])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self._lines)
        return f"<ul>{lines}</ul>" + "".join(_ranges(certificate) for certificate in self._certificates)


class Plan(_native.Plan):
    """A ring, and how products in it are computed.

    Parameters
    ----------
    n : int
        The degree, which is the number of coefficients.
    q : int
        The modulus, any number from 5 to below 2^62, or a prime below 2^64.
    kind : {'negacyclic', 'cyclic', 'trinomial'}
        The ring: modulo ``X^n + 1``, ``X^n - 1`` or ``X^n - X^(n/2) + 1``.
    order : {'natural', 'bitreversed', 'native'}
        The order of transformed polynomials. In natural order the value at ``root^(2i + 1)`` has index ``i``
        (``root^i`` in a cyclic ring); bit-reversed is the order in which layers split slots, as in FIPS 203; native is
        that of this machine's vectors, and the fastest.
    root : int, optional
        The root of unity; the smallest one if left out.
    shift : int, optional
        Transforms evaluate at multiples of this by roots of unity.
    depth : int, optional
        Layers of the transform; as many as there are roots for, if left out.
    bits : {16, 32, 64}, optional
        The width of words; the fastest by estimate if left out.

    Raises
    ------
    PlanError
        If there is no such plan. It says what would work.

    Examples
    --------
    >>> plan = Plan(1024, 12289)
    >>> plan.bits, plan.slot_degree, plan.root
    (16, 1, 7)
    >>> import numpy as np
    >>> plan.multiply(np.ones(1024, dtype=np.int64), np.full(1024, 2))[-1]
    np.int64(2048)
    """

    __slots__ = ("_arguments",)
    _arguments: tuple[tuple[int, int], dict[str, Any]]

    def __new__(
        cls,
        n: int,
        q: int,
        *,
        kind: Kind = "negacyclic",
        order: Order = "natural",
        root: int | None = None,
        shift: int | None = None,
        depth: int | None = None,
        bits: Literal[16, 32, 64] | None = None,
    ) -> Plan:
        n, q = index(n), index(q)
        if not 0 <= n < 1 << 64:
            raise PlanError(f"n = {n} is no degree")
        if q < 1:
            raise PlanError(f"q = {q} is no modulus")
        if q >= 1 << 64:
            raise PlanError(f"q = {q} has more than 64 bits: polymul, convolve and Rns take it")
        for name, value in (("root", root), ("shift", shift)):
            if value is not None and not 0 <= value < q:
                raise PlanError(f"{name} = {value} is not from 0 to below q = {q}")
        keywords: dict[str, Any] = {"kind": kind, "order": order}
        keywords |= {"root": root, "shift": shift, "depth": depth, "bits": bits}
        plan = super().__new__(cls, n, q, **keywords)
        plan._arguments = (n, q), {name: value for name, value in keywords.items() if value is not None}
        return plan

    def __reduce__(self) -> tuple[Any, ...]:
        numbers, keywords = self._arguments
        return _again, (type(self), *numbers, tuple(keywords.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._arguments == other._arguments

    def __hash__(self) -> int:
        (n, q), keywords = self._arguments
        return hash((n, q, tuple(keywords.items())))

    def __repr__(self) -> str:
        (n, q), keywords = self._arguments
        return f"Plan({n}, {q}, " + ", ".join(f"{name}={value!r}" for name, value in keywords.items()) + ")"

    @property
    def kind(self) -> Kind:
        """The kind of the ring."""
        kind: Kind = self._arguments[1]["kind"]
        return kind

    @property
    def order(self) -> Order:
        """The order of transformed polynomials."""
        order: Order = self._arguments[1]["order"]
        return order

    @property
    def certificate(self) -> Certificate | None:
        """The proved ranges; None if products are computed by residue channels, each of which has its own."""
        facts = self.described()
        return None if "channels" in facts else _certificate(facts)

    def explain(self) -> Explanation:
        """What was decided, and what was proved, in words and tables.

        Examples
        --------
        >>> print(Plan(256, 3329).explain())  # doctest: +ELLIPSIS
        products modulo X^256 + 1 and 3329, in words of 16 bits on ...
        """
        facts = self.described()
        polynomial = _POLYNOMIALS[self.kind].format(n=self.n, half=self.n // 2)
        lines = [
            f"products modulo {polynomial} and {self.q}, in words of {self.bits} bits on {self.backend}, "
            f"estimated at {facts['cycles']} cycles; tables of {facts['tables']} words"
        ]
        channels = facts.get("channels")
        if channels is None:
            lines.append(_of_transform(facts))
            return Explanation(lines, [_certificate(facts)])
        primes = ", ".join(str(channel["q"]) for channel in channels)
        lines.append(
            f"by {len(channels)} residue channels, transforms modulo {primes}, from which the Chinese remainder "
            f"theorem gives the product modulo {self.q}"
        )
        lines.append("each channel: " + _of_transform(channels[0]))
        return Explanation(lines, [_certificate(channel) for channel in channels])


@lru_cache(maxsize=16)
def _again(cls: type[Plan], n: int, q: int, keywords: tuple[tuple[str, Any], ...]) -> Plan:
    """A plan that was pickled: it is made once in each process, however often it comes."""
    return cls(n, q, **dict(keywords))


def _of_transform(facts: dict[str, Any]) -> str:
    slots, degree, radices = facts["slots"], facts["slot_degree"], facts["radices"]
    values = "values" if degree == 1 else f"residues of {degree} coefficients"
    thirds = sum(radix == 3 for radix in radices)
    layers = f"{len(radices)} layers" + (f", {thirds} of them in thirds" if thirds else "")
    shift = "" if facts["shift"] == 1 else f", shifted by {facts['shift']}"
    return (
        f"a transform of {layers} gives {slots} {values}, with the root {facts['root']}{shift}; "
        f"reductions by {facts['method']}, {facts['lanes']} words at once"
    )


def _certificate(facts: dict[str, Any]) -> Certificate:
    def layers(name: str) -> tuple[Layer, ...]:
        return tuple(Layer(Interval(*values), step) for values, step in facts[name])

    names = ["word", "input", "slots", "products", "normalized", "inverse_input", "output"]
    ranges = {name: Interval(*facts["slot_range" if name == "slots" else name]) for name in names}
    return Certificate(q=facts["q"], **ranges, forward=layers("forward"), inverse=layers("inverse"))


def _rows(certificate: Certificate) -> list[tuple[str, Interval, str]]:
    forward = [(f"forward, layer {i}", layer.values, layer.reduces) for i, layer in enumerate(certificate.forward)]
    inverse = [(f"inverse, layer {i}", layer.values, layer.reduces) for i, layer in enumerate(certificate.inverse)]
    return [
        ("coefficients", certificate.input, ""),
        *forward,
        ("slots", certificate.slots, ""),
        ("products", certificate.products, ""),
        ("before the inverse", certificate.inverse_input, ""),
        *reversed(inverse),
        ("result", certificate.output, ""),
    ]


def _text_of_ranges(certificate: Certificate) -> str:
    q = certificate.q
    word = certificate.word
    head = f"every value, modulo q = {q}; a word holds {word.lo / q:.3f} q to {word.hi / q:.3f} q"
    rows = [f"{name:20} {lo / q:9.3f} q {hi / q:9.3f} q  {step}" for name, (lo, hi), step in _rows(certificate)]
    return "\n".join([head, *(row.rstrip() for row in rows)])


def _ranges(certificate: Certificate) -> str:
    """A table with a bar for each range, within what a word holds."""
    word, q = certificate.word, certificate.q
    width = word.hi - word.lo

    def row(name: str, values: Interval, step: str) -> str:
        left, right = (100 * (end - word.lo) / width for end in values)
        bar = (
            '<div style="width:16em;background:rgba(128,128,128,.2)"><div style="height:.8em;background:#2a78d6;'
            f'margin-left:{left:.2f}%;width:{max(right - left, 0.5):.2f}%"></div></div>'
        )
        texts = [name, f"{values.lo / q:.3f} q", f"{values.hi / q:.3f} q"]
        cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
        return f"<tr>{cells}<td>{bar}</td><td>{escape(step if step != 'plain' else '')}</td></tr>"

    head = "".join(f"<th>{title}</th>" for title in ("values", "least", "greatest", "in a word", "reductions"))
    rows = "".join(row(*it) for it in _rows(certificate))
    return f"<table><caption>proved ranges, q = {q}</caption><tr>{head}</tr>{rows}</table>"


@lru_cache(maxsize=256)
def cached(n: int, q: int, kind: Kind, order: Order) -> Plan:
    """The plan of a function that was given no plan."""
    return Plan(n, q, kind=kind, order=order)


@lru_cache(maxsize=256)
def cached_transform(n: int, q: int, kind: Kind, order: Order) -> Plan:
    """The same for transforms: in native order, a plan need not have any if products are faster so."""
    plan = cached(n, q, kind, order)
    if order != "native" or plan.has_transform:
        return plan
    return Plan(n, q, kind=kind, order=order, depth=cached(n, q, kind, "natural").depth)
