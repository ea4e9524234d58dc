"""Key encapsulation: the class of ML-KEM's parameter sets and of X-Wing.

Keys, ciphertexts and shared keys are ``bytes``, in the encodings of the standards. Arguments may be any bytes-like
objects. Functions have the names and the order of arguments and results that FIPS 203 gives them.

Randomness comes from the operating system. The interpreter's lock is released while a function computes, so threads
run in parallel. What is secret is processed in constant time, and wiped from the memory of the native code; **Python's
own objects are not wiped**: a ``bytes`` object with a key stays in memory until something else takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["KEM"]


@final
class KEM:
    """A key encapsulation mechanism.

    Parameters
    ----------
    name : str
        ``"ML-KEM-512"``, ``"ML-KEM-768"``, ``"ML-KEM-1024"`` or ``"X-Wing"``. The package has an instance of each:
        `ringwork.MLKEM512`, `ringwork.MLKEM768`, `ringwork.MLKEM1024` and `ringwork.XWing`.

    Raises
    ------
    RingworkError
        If there is no such mechanism.

    Examples
    --------
    >>> from ringwork import MLKEM768
    >>> ek, dk = MLKEM768.keygen()
    >>> K, c = MLKEM768.encaps(ek)
    >>> MLKEM768.decaps(dk, c) == K
    True
    """

    __slots__ = ("_kem",)

    def __init__(self, name: str) -> None:
        self._kem = _native.Kem(name)

    def __repr__(self) -> str:
        return f"KEM({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, KEM) else NotImplemented

    def __hash__(self) -> int:
        return hash((KEM, self.name))

    def __reduce__(self) -> tuple[type[KEM], tuple[str]]:
        return KEM, (self.name,)

    @property
    def name(self) -> str:
        """The name that the standard gives it."""
        return self._kem.name

    @property
    def ek_bytes(self) -> int:
        """Bytes of an encapsulation key."""
        return self._kem.ek_bytes

    @property
    def dk_bytes(self) -> int:
        """Bytes of a decapsulation key, as `keygen` returns it."""
        return self._kem.dk_bytes

    @property
    def c_bytes(self) -> int:
        """Bytes of a ciphertext."""
        return self._kem.c_bytes

    @property
    def k_bytes(self) -> int:
        """Bytes of a shared key: 32."""
        return self._kem.k_bytes

    @property
    def seed_bytes(self) -> int:
        """Bytes of a seed: 64 for ML-KEM (d ‖ z), 32 for X-Wing."""
        return self._kem.seed_bytes

    @property
    def m_bytes(self) -> int:
        """Random bytes of an encapsulation: 32 for ML-KEM, 64 for X-Wing."""
        return self._kem.m_bytes

    def keygen(self, seed: Buffer | None = None) -> tuple[bytes, bytes]:
        """Make a key pair: ML-KEM.KeyGen, algorithm 19 of FIPS 203.

        Parameters
        ----------
        seed : bytes-like, optional
            The seed of the key, `seed_bytes` random and secret bytes: d ‖ z for ML-KEM. If left out, the operating
            system gives them. It is the shortest form of a decapsulation key, so store it rather than `dk`.

        Returns
        -------
        ek : bytes
            The encapsulation key, which is public.
        dk : bytes
            The decapsulation key, which is secret: the expanded form of FIPS 203. X-Wing has the seed alone.

        Raises
        ------
        RingworkError
            If the seed has another length.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLKEM768
        >>> ek, dk = MLKEM768.keygen()
        >>> len(ek), len(dk)
        (1184, 2400)
        """
        return self._kem.keygen(seed)

    def encaps(self, ek: Buffer, *, m: Buffer | None = None) -> tuple[bytes, bytes]:
        """Make a shared key and a ciphertext that carries it: ML-KEM.Encaps, algorithm 20 of FIPS 203.

        Parameters
        ----------
        ek : bytes-like
            The encapsulation key. It is checked as section 7.2 of FIPS 203 asks.
        m : bytes-like, optional
            **For tests only**: the random bytes of the encapsulation, as ML-KEM.Encaps_internal takes them (`m_bytes`;
            X-Wing takes 32 for ML-KEM, then 32 for X25519). Whoever knows them knows the shared key.

        Returns
        -------
        K : bytes
            The shared key, which is secret.
        c : bytes
            The ciphertext, for the holder of the decapsulation key.

        Raises
        ------
        KeyFormatError
            If `ek` is not an encapsulation key: another length, or a number that is not below 3329.
        RingworkError
            If `m` has another length.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLKEM512
        >>> ek, dk = MLKEM512.keygen()
        >>> K, c = MLKEM512.encaps(ek)
        >>> len(K), len(c)
        (32, 768)
        >>> MLKEM512.encaps(ek[1:])
        Traceback (most recent call last):
        ringwork.KeyFormatError: an encapsulation key has 800 bytes, this has 799
        """
        return self._kem.encaps(ek, m)

    def decaps(self, dk: Buffer, c: Buffer) -> bytes:
        """Recover the shared key from a ciphertext: ML-KEM.Decaps, algorithm 21 of FIPS 203.

        A ciphertext of the right length that was not made for this key gives a pseudorandom key, and no error
        (implicit rejection): the two sides notice when they use their keys.

        Parameters
        ----------
        dk : bytes-like
            The decapsulation key: expanded, with the checks of section 7.3 of FIPS 203, or its seed.
        c : bytes-like
            The ciphertext.

        Returns
        -------
        K : bytes
            The shared key, which is secret.

        Raises
        ------
        KeyFormatError
            If `dk` is not a decapsulation key: another length, or parts that do not belong together.
        CiphertextError
            If the ciphertext has another length.

        Examples
        --------
        >>> from ringwork import XWing
        >>> ek, dk = XWing.keygen()
        >>> K, c = XWing.encaps(ek)
        >>> XWing.decaps(dk, c) == K
        True
        """
        return self._kem.decaps(dk, c)

    def keygen_many(self, count: int) -> list[tuple[bytes, bytes]]:
        """Make key pairs, faster than one by one: ML-KEM computes four side by side.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        list of tuple
            ``(ek, dk)``, as from `keygen`.

        Raises
        ------
        RingworkError
            If `count` is negative.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLKEM768
        >>> len(MLKEM768.keygen_many(10))
        10
        """
        return self._kem.keygen_many(count)

    def encaps_many(self, eks: Sequence[Buffer]) -> list[tuple[bytes, bytes]]:
        """Make a shared key and a ciphertext for each encapsulation key.

        Parameters
        ----------
        eks : sequence of bytes-like
            The encapsulation keys.

        Returns
        -------
        list of tuple
            ``(K, c)`` for each of them, as from `encaps`.

        Raises
        ------
        KeyFormatError
            If one is not an encapsulation key; the text begins with its index.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLKEM768
        >>> eks = [ek for ek, dk in MLKEM768.keygen_many(3)]
        >>> [len(c) for K, c in MLKEM768.encaps_many(eks)]
        [1088, 1088, 1088]
        """
        return self._kem.encaps_many(eks)

    def decaps_many(self, dks: Sequence[Buffer], cs: Sequence[Buffer]) -> list[bytes]:
        """Recover the shared key from each ciphertext.

        Parameters
        ----------
        dks : sequence of bytes-like
            The decapsulation key of each ciphertext. A ``bytes`` object that follows itself, as in ``[dk] * len(cs)``,
            is read once.
        cs : sequence of bytes-like
            The ciphertexts.

        Returns
        -------
        list of bytes
            The shared key of each ciphertext, as from `decaps`.

        Raises
        ------
        KeyFormatError
            If one of `dks` is not a decapsulation key; the text begins with its index.
        CiphertextError
            If one of `cs` has another length; the text begins with its index.
        RingworkError
            If there are not as many keys as ciphertexts.

        Examples
        --------
        >>> from ringwork import MLKEM768
        >>> ek, dk = MLKEM768.keygen()
        >>> sent = MLKEM768.encaps_many([ek] * 3)
        >>> MLKEM768.decaps_many([dk] * 3, [c for K, c in sent]) == [K for K, c in sent]
        True
        """
        return self._kem.decaps_many(dks, cs)
