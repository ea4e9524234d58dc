"""Research constructions: key encapsulation, commitments with proofs, key exchange.

**These are research constructions, and not standards.** Few people have looked for attacks on
them. Where something must stay secret, use `ringwork.mlkem`. An estimate of what an attack costs is no bound.

A set whose numbers say that nobody should rely on it is refused, with the reason; ``insecure=True`` overrides
this:

>>> from ringwork import research
>>> research.kem("rlwe-p1")  # doctest: +ELLIPSIS
Traceback (most recent call last):
ringwork.RingworkError: rlwe-p1 loses a file with probability ...; insecure=True overrides this
>>> ek, dk = research.kem("rlwe-p1", insecure=True).keygen()

As elsewhere in the package, arguments may be any bytes-like objects, results are ``bytes``, randomness comes from the
operating system, the interpreter's lock is released, and Python's own objects are not wiped from memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "Commitments",
    "KeyExchange",
    "ResearchKEM",
    "commitment_sets",
    "commitments",
    "exchange",
    "exchanges",
    "kem",
    "kems",
]


def kems() -> list[str]:
    """List the schemes for key encapsulation.

    Returns
    -------
    list of str
        The names that `kem` takes.

    Examples
    --------
    >>> from ringwork import research
    >>> "nttru-768" in research.kems()
    True
    """
    return _native.research_names()[0]


def commitment_sets() -> list[str]:
    """List the parameter sets for commitments.

    Returns
    -------
    list of str
        The names that `commitments` takes.

    Examples
    --------
    >>> from ringwork import research
    >>> research.commitment_sets()
    ['bdlop-1024', 'bdlop-1024-4', 'bdlop-2048']
    """
    return _native.research_names()[1]


def exchanges() -> list[str]:
    """List the key exchanges.

    Returns
    -------
    list of str
        The names that `exchange` takes. ML-KEM and X-Wing exchange a fresh encapsulation key and a ciphertext.

    Examples
    --------
    >>> from ringwork import research
    >>> research.exchanges()
    ['newhope-usenix2016', 'newhope-psi12', 'mlkem-512', 'mlkem-768', 'mlkem-1024', 'x-wing']
    """
    return _native.research_names()[2]


def kem(name: str, *, insecure: bool = False) -> ResearchKEM:
    """Look up key encapsulation by its name.

    Parameters
    ----------
    name : str
        One of `kems`, or ``"lwe-for-measuring:…"`` with the parameters that ``ringwork keygen`` shows.
    insecure : bool, optional
        Use a set although its numbers say that nobody should rely on it.

    Returns
    -------
    ResearchKEM
        The scheme.

    Raises
    ------
    RingworkError
        If there is no such scheme; or if it is not for use, with the reason, unless `insecure` is true.

    Examples
    --------
    >>> from ringwork import research
    >>> scheme = research.kem("nttru-768")
    >>> ek, dk = scheme.keygen()
    >>> K, c = scheme.encaps(ek)
    >>> scheme.decaps(dk, c) == K
    True
    """
    return ResearchKEM(name, insecure=insecure)


def commitments(name: str = "bdlop-1024", *, insecure: bool = False) -> Commitments:
    """Look up commitments by the name of their parameter set.

    Parameters
    ----------
    name : str, optional
        One of `commitment_sets`.
    insecure : bool, optional
        Use a set although its numbers say that its commitments do not hide or bind.

    Returns
    -------
    Commitments
        The commitments.

    Raises
    ------
    RingworkError
        If there is no such set; or if it is not for use, with the reason, unless `insecure` is true.

    Examples
    --------
    >>> from ringwork import research
    >>> research.commitments().name
    'bdlop-1024'
    """
    return Commitments(name, insecure=insecure)


def exchange(name: str) -> KeyExchange:
    """Look up a key exchange by its name.

    Parameters
    ----------
    name : str
        One of `exchanges`.

    Returns
    -------
    KeyExchange
        The key exchange.

    Raises
    ------
    RingworkError
        If there is no such key exchange.

    Examples
    --------
    >>> from ringwork import research
    >>> research.exchange("newhope-usenix2016").offer_bytes
    1824
    """
    return KeyExchange(name)


@final
class ResearchKEM:
    """Key encapsulation by a research scheme, from `kem`.

    Parameters
    ----------
    name, insecure
        As for `kem`.

    Raises
    ------
    RingworkError
        As for `kem`.

    Examples
    --------
    See `kem`.
    """

    __slots__ = ("_kem",)

    def __init__(self, name: str, *, insecure: bool = False) -> None:
        self._kem = _native.ResearchKem(name, insecure)

    def __repr__(self) -> str:
        return f"ResearchKEM({self.name!r})"

    @property
    def name(self) -> str:
        """Its name."""
        return self._kem.name

    @property
    def c_bytes(self) -> int:
        """Bytes of a ciphertext."""
        return self._kem.c_bytes

    @property
    def failure_log2(self) -> float:
        """log2 of the probability that the two sides get different keys."""
        return self._kem.failure_log2

    @property
    def classical_bits(self) -> float:
        """log2 of the estimated cost of finding the secret key; `RingworkError` if no attack of the model succeeds."""
        return self._kem.classical_bits

    @property
    def weakness(self) -> str | None:
        """Why nobody should rely on it; ``None`` if its numbers give no reason."""
        return self._kem.weakness

    def keygen(self) -> tuple[bytes, bytes]:
        """Make a key pair.

        Returns
        -------
        ek : bytes
            The encapsulation key, which is public.
        dk : bytes
            The decapsulation key, which is secret.

        Examples
        --------
        See `kem`.
        """
        return self._kem.keygen()

    def encaps(self, ek: Buffer) -> tuple[bytes, bytes]:
        """Make a shared key and a ciphertext that carries it.

        Parameters
        ----------
        ek : bytes-like
            The encapsulation key.

        Returns
        -------
        K : bytes
            The shared key, 32 bytes, which is secret.
        c : bytes
            The ciphertext.

        Raises
        ------
        KeyFormatError
            If `ek` is not an encapsulation key.

        Examples
        --------
        See `kem`.
        """
        return self._kem.encaps(ek)

    def decaps(self, dk: Buffer, c: Buffer) -> bytes:
        """Recover the shared key from a ciphertext.

        Parameters
        ----------
        dk : bytes-like
            The decapsulation key.
        c : bytes-like
            The ciphertext.

        Returns
        -------
        K : bytes
            The shared key. If a ciphertext was not made for this key, most schemes give a pseudorandom one.

        Raises
        ------
        KeyFormatError
            If `dk` is not a decapsulation key, or is damaged.
        CiphertextError
            If `c` is not a ciphertext. NTTRU also refuses one that was not made for this key.

        Examples
        --------
        See `kem`.
        """
        return self._kem.decaps(dk, c)


@final
class Commitments:
    """Commitments of Baum, Damgård, Lyubashevsky, Oechsner and Peikert (BDLOP), with proofs; from `commitments`.

    A commitment is to a message, by a committer, for a context: names that the parties agree on, any bytes. Nobody else
    can use it: a copy opens under the name of its author alone.

    Parameters
    ----------
    name, insecure
        As for `commitments`.

    Raises
    ------
    RingworkError
        As for `commitments`.

    Examples
    --------
    >>> from ringwork import research
    >>> bids = research.commitments()
    >>> commitment, opening = bids.commit(b"10 000", b"Alice", b"auction 7")    # the opening stays secret until later
    >>> bids.open(commitment, opening, b"Alice", b"auction 7")
    b'10 000'
    """

    __slots__ = ("_set",)

    def __init__(self, name: str = "bdlop-1024", *, insecure: bool = False) -> None:
        self._set = _native.Commitments(name, insecure)

    def __repr__(self) -> str:
        return f"Commitments({self.name!r})"

    @property
    def name(self) -> str:
        """The name of the parameter set."""
        return self._set.name

    @property
    def capacity(self) -> int:
        """The largest number of bytes in a message."""
        return self._set.capacity

    @property
    def hiding_bits(self) -> float:
        """log2 of the estimated cost of learning something about a message."""
        return self._set.hiding_bits

    @property
    def binding_bits(self) -> float:
        """log2 of the estimated cost of opening a commitment to two messages."""
        return self._set.binding_bits

    @property
    def weakness(self) -> str | None:
        """Why nobody should rely on it; ``None`` if its numbers give no reason."""
        return self._set.weakness

    def commit(
        self, message: Buffer, committer: Buffer, context: Buffer, *, key: Buffer | None = None, digest: bool = False
    ) -> tuple[bytes, bytes]:
        """Commit to a message.

        Parameters
        ----------
        message : bytes-like
            The message, at most `capacity` bytes.
        committer, context : bytes-like
            Who commits, and for what. The opening contains both, and `open` must be given the same.
        key : bytes-like, optional
            The seed of the commitment key, 32 bytes. If left out, the one that all users share: SHA3-256 of the text
            ``ringwork commitment key 1``. A proof is about commitments with one key.
        digest : bool, optional
            Commit to the SHA3-256 of the message, which may then have any length.

        Returns
        -------
        commitment : bytes
            The commitment, which is public.
        opening : bytes
            What opens it. It contains the message, or the digest, and is secret until the commitment is to be opened.

        Raises
        ------
        CommitmentError
            If the message is too long.
        KeyFormatError
            If `key` does not have 32 bytes.

        Examples
        --------
        See `Commitments`.
        """
        return self._set.commit(message, committer, context, key, digest)

    def open(
        self, commitment: Buffer, opening: Buffer, committer: Buffer, context: Buffer, *, digest: bool = False
    ) -> bytes:
        """Open a commitment.

        Parameters
        ----------
        commitment, opening : bytes-like
            From `commit`.
        committer, context : bytes-like
            Who must have committed, and for what.
        digest : bool, optional
            Expect a commitment to the SHA3-256 of a message.

        Returns
        -------
        bytes
            The message, or its SHA3-256 if `digest` is true: compare that with the digest of the message.

        Raises
        ------
        CommitmentError
            If the opening does not open this commitment, is by somebody else or for something else, is of the other
            form, or if bytes are malformed.

        Examples
        --------
        See `Commitments`.
        """
        return self._set.open(commitment, opening, committer, context, digest)

    def prove(
        self,
        commitments: Sequence[Buffer],
        openings: Sequence[Buffer],
        committer: Buffer,
        context: Buffer,
        *,
        equal: bool = False,
    ) -> bytes:
        """Prove that one can open commitments, or that the messages of two are equal, and reveal no more.

        Parameters
        ----------
        commitments, openings : sequence of bytes-like
            Commitments with the same key, and the opening of each.
        committer, context : bytes-like
            Who proves, and for what: the proof holds for nobody and nothing else.
        equal : bool, optional
            Prove that the messages of two commitments are equal.

        Returns
        -------
        bytes
            The proof.

        Raises
        ------
        CommitmentError
            If bytes are malformed, an opening does not open its commitment, the messages are not equal, or there is no
            such statement about so many commitments.

        Examples
        --------
        >>> from ringwork import research
        >>> votes = research.commitments()
        >>> one, opening_of_one = votes.commit(b"yes", b"Alice", b"first count")
        >>> two, opening_of_two = votes.commit(b"yes", b"Alice", b"second count")
        >>> proof = votes.prove([one, two], [opening_of_one, opening_of_two], b"Alice", b"recount", equal=True)
        >>> votes.check_proof([one, two], proof, b"Alice", b"recount", equal=True)
        """
        return self._set.prove(commitments, openings, committer, context, equal)

    def check_proof(
        self, commitments: Sequence[Buffer], proof: Buffer, committer: Buffer, context: Buffer, *, equal: bool = False
    ) -> None:
        """Raise an exception unless a proof holds.

        Parameters
        ----------
        commitments : sequence of bytes-like
            The commitments.
        proof : bytes-like
            The proof.
        committer, context : bytes-like
            Who must have made it, and for what.
        equal : bool, optional
            Whether it must prove that the messages of two commitments are equal.

        Raises
        ------
        CommitmentError
            If the proof does not hold, is of another statement, or if bytes are malformed.

        Examples
        --------
        See `prove`.
        """
        self._set.check_proof(commitments, proof, committer, context, equal)


@final
class KeyExchange:
    """A key exchange by two messages, an offer and a reply; from `exchange`. **It authenticates nobody**: somebody in
    the middle can give both sides keys that she knows. Whoever compares something must compare offer and reply as well.

    Parameters
    ----------
    name
        As for `exchange`.

    Raises
    ------
    RingworkError
        As for `exchange`.

    Examples
    --------
    >>> from ringwork import research
    >>> newhope = research.exchange("newhope-usenix2016")
    >>> secret, offer = newhope.init()                  # Alice
    >>> reply, key_of_bob = newhope.respond(offer)      # Bob
    >>> newhope.finish(secret, reply) == key_of_bob     # Alice
    True
    """

    __slots__ = ("_exchange",)

    def __init__(self, name: str) -> None:
        self._exchange = _native.KeyExchange(name)

    def __repr__(self) -> str:
        return f"KeyExchange({self.name!r})"

    @property
    def name(self) -> str:
        """Its name."""
        return self._exchange.name

    @property
    def offer_bytes(self) -> int:
        """Bytes of an offer."""
        return self._exchange.offer_bytes

    @property
    def reply_bytes(self) -> int:
        """Bytes of a reply."""
        return self._exchange.reply_bytes

    @property
    def classical_bits(self) -> float:
        """log2 of the estimated cost of finding the key from both messages."""
        return self._exchange.classical_bits

    def init(self) -> tuple[bytes, bytes]:
        """Begin an exchange.

        Returns
        -------
        secret : bytes
            What `finish` needs: secret, and for one exchange.
        offer : bytes
            The message to the other side.

        Examples
        --------
        See `KeyExchange`.
        """
        return self._exchange.init()

    def respond(self, offer: Buffer) -> tuple[bytes, bytes]:
        """Answer an offer.

        Parameters
        ----------
        offer : bytes-like
            The message of the other side.

        Returns
        -------
        reply : bytes
            The message to the other side.
        key : bytes
            The shared key, 32 bytes, which is secret.

        Raises
        ------
        KeyFormatError
            If the bytes are not an offer.

        Examples
        --------
        See `KeyExchange`.
        """
        return self._exchange.respond(offer)

    def finish(self, secret: Buffer, reply: Buffer) -> bytes:
        """End an exchange.

        Parameters
        ----------
        secret : bytes-like
            What `init` returned.
        reply : bytes-like
            The message of the other side. One that was not made for this offer gives some key, and no error.

        Returns
        -------
        bytes
            The shared key, 32 bytes, which is secret.

        Raises
        ------
        KeyFormatError
            If `secret` is not one.
        CiphertextError
            If `reply` is not one.

        Examples
        --------
        See `KeyExchange`.
        """
        return self._exchange.finish(secret, reply)
