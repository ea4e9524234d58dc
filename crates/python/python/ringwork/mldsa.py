"""ML-DSA, the module-lattice-based digital signature of FIPS 204.

>>> from ringwork import MLDSA65
>>> pk, sk = MLDSA65.keygen()
>>> sig = MLDSA65.sign(sk, b"a message")
>>> MLDSA65.verify(pk, b"a message", sig)
True
>>> MLDSA65.verify(pk, b"another message", sig)
False

======== ============ ============ ============= ==================
object   ``pk_bytes`` ``sk_bytes`` ``sig_bytes`` security category
======== ============ ============ ============= ==================
MLDSA44  1312         2560         2420          2
MLDSA65  1952         4032         3309          3
MLDSA87  2592         4896         4627          5
======== ============ ============ ============= ==================

Keys and signatures are ``bytes``, in the encodings of the standard. Arguments may be any bytes-like objects.

Randomness comes from the operating system. The interpreter's lock is released while a function computes, so threads
run in parallel. Signing is in constant time but for the number of rejected candidates, which does not depend on the
key. What is secret is wiped from the memory of the native code; **Python's own objects are not wiped**: a ``bytes``
object with a key stays in memory until something else takes its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["MLDSA", "MLDSA44", "MLDSA65", "MLDSA87"]


@final
class MLDSA:
    """ML-DSA with a parameter set.

    Parameters
    ----------
    name : str
        ``"ML-DSA-44"``, ``"ML-DSA-65"`` or ``"ML-DSA-87"``. The package has an instance of each: `ringwork.MLDSA44`,
        `ringwork.MLDSA65` and `ringwork.MLDSA87`.

    Raises
    ------
    RingworkError
        If there is no such parameter set.

    Examples
    --------
    >>> from ringwork import MLDSA44
    >>> pk, sk = MLDSA44.keygen()
    >>> MLDSA44.verify(pk, b"yes", MLDSA44.sign(sk, b"yes"))
    True
    """

    __slots__ = ("_set",)

    def __init__(self, name: str) -> None:
        self._set = _native.Signatures(name)

    def __repr__(self) -> str:
        return f"MLDSA({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, MLDSA) else NotImplemented

    def __hash__(self) -> int:
        return hash((MLDSA, self.name))

    def __reduce__(self) -> tuple[type[MLDSA], tuple[str]]:
        return MLDSA, (self.name,)

    @property
    def name(self) -> str:
        """The name that the standard gives the parameter set."""
        return self._set.name

    @property
    def pk_bytes(self) -> int:
        """Bytes of a public key."""
        return self._set.pk_bytes

    @property
    def sk_bytes(self) -> int:
        """Bytes of a secret key, as `keygen` returns it."""
        return self._set.sk_bytes

    @property
    def sig_bytes(self) -> int:
        """Bytes of a signature."""
        return self._set.sig_bytes

    @property
    def seed_bytes(self) -> int:
        """Bytes of a seed ξ: 32."""
        return self._set.seed_bytes

    def keygen(self, seed: Buffer | None = None) -> tuple[bytes, bytes]:
        """Make a key pair: ML-DSA.KeyGen, algorithm 1 of FIPS 204.

        Parameters
        ----------
        seed : bytes-like, optional
            The seed ξ of the key, 32 random and secret bytes. If left out, the operating system gives them. It is the
            shortest form of a secret key, so store it rather than `sk`.

        Returns
        -------
        pk : bytes
            The public key.
        sk : bytes
            The secret key, in the expanded form of FIPS 204.

        Raises
        ------
        RingworkError
            If the seed has another length.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLDSA87
        >>> pk, sk = MLDSA87.keygen()
        >>> len(pk), len(sk)
        (2592, 4896)
        """
        return self._set.keygen(seed)

    def sign(
        self,
        sk: Buffer,
        message: Buffer,
        ctx: Buffer = b"",
        deterministic: bool = False,
        *,
        prehash: str | None = None,
        rnd: Buffer | None = None,
    ) -> bytes:
        """Sign a message: ML-DSA.Sign, or HashML-DSA.Sign with `prehash` (algorithms 2 and 4 of FIPS 204).

        Parameters
        ----------
        sk : bytes-like
            The secret key: expanded, after checks that its parts belong together, or its seed ξ.
        message : bytes-like
            The message.
        ctx : bytes-like, optional
            The context, at most 255 bytes: a signature for one context verifies for no other.
        deterministic : bool, optional
            Sign without fresh randomness, so that equal messages have equal signatures. Faults leak more then.
        prehash : str, optional
            Sign the digest of the message by this function, with its name in `hashlib`: ``"sha512"``, ``"sha3_256"``,
            ``"shake_128"`` (32 bytes), … Such a signature does not verify without the same `prehash`.
        rnd : bytes-like, optional
            **For tests only**: the 32 random bytes of the signature, as ML-DSA.Sign_internal takes them.

        Returns
        -------
        bytes
            The signature.

        Raises
        ------
        KeyFormatError
            If `sk` is not a secret key: another length, or parts that do not belong together.
        RingworkError
            If the context is too long, `rnd` has another length or goes with `deterministic`, or no such function is
            known.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        >>> from ringwork import MLDSA65
        >>> pk, sk = MLDSA65.keygen()
        >>> sig = MLDSA65.sign(sk, b"a message", b"a context")
        >>> MLDSA65.verify(pk, b"a message", sig, b"a context"), MLDSA65.verify(pk, b"a message", sig)
        (True, False)
        """
        return self._set.sign(sk, message, ctx, prehash, _randomness(deterministic, rnd))

    def verify(
        self, pk: Buffer, message: Buffer, sig: Buffer, ctx: Buffer = b"", *, prehash: str | None = None
    ) -> bool:
        """Tell whether a signature is one of a message: ML-DSA.Verify, or HashML-DSA.Verify with `prehash`.

        Parameters
        ----------
        pk : bytes-like
            The public key.
        message : bytes-like
            The message.
        sig : bytes-like
            The signature. Bytes of another length are not one.
        ctx : bytes-like, optional
            The context, as it was given to `sign`.
        prehash : str, optional
            The hash function, as it was given to `sign`.

        Returns
        -------
        bool
            ``True`` if the signature was made for this key, message, context and hash function. `check` says why not.

        Raises
        ------
        KeyFormatError
            If `pk` has another length.
        RingworkError
            If the context is too long, or no such function is known.

        Examples
        --------
        >>> from ringwork import MLDSA44
        >>> pk, sk = MLDSA44.keygen()
        >>> sig = MLDSA44.sign(sk, b"a message", prehash="sha256")
        >>> MLDSA44.verify(pk, b"a message", sig, prehash="sha256")
        True
        """
        try:
            self._set.check(pk, message, sig, ctx, prehash)
        except _native.SignatureError:
            return False
        return True

    def check(self, pk: Buffer, message: Buffer, sig: Buffer, ctx: Buffer = b"", *, prehash: str | None = None) -> None:
        """Raise an exception unless a signature is one of a message: `verify` for whoever forgets to look at answers.

        Parameters
        ----------
        pk, message, sig, ctx, prehash
            As for `verify`.

        Raises
        ------
        SignatureError
            If the signature does not verify.
        KeyFormatError, RingworkError
            As for `verify`.

        Examples
        --------
        >>> from ringwork import MLDSA44
        >>> pk, sk = MLDSA44.keygen()
        >>> MLDSA44.check(pk, b"a message", MLDSA44.sign(sk, b"another message"))
        Traceback (most recent call last):
        ringwork.SignatureError: the signature was not made for this message, context and key
        """
        self._set.check(pk, message, sig, ctx, prehash)

    def mu(self, pk: Buffer, message: Buffer, ctx: Buffer = b"", *, prehash: str | None = None) -> bytes:
        """Compute the representative µ of a message, for a signer that never sees the message.

        Parameters
        ----------
        pk : bytes-like
            The public key of the signer.
        message, ctx, prehash
            As for `sign`.

        Returns
        -------
        bytes
            The representative µ, 64 bytes, for `sign_mu`.

        Raises
        ------
        KeyFormatError
            If `pk` has another length.
        RingworkError
            If the context is too long, or no such function is known.

        Examples
        --------
        >>> from ringwork import MLDSA65
        >>> pk, sk = MLDSA65.keygen()
        >>> sig = MLDSA65.sign_mu(sk, MLDSA65.mu(pk, b"a message"))
        >>> MLDSA65.verify(pk, b"a message", sig)
        True
        """
        return self._set.mu(pk, message, ctx, prehash)

    def sign_mu(self, sk: Buffer, mu: Buffer, deterministic: bool = False, *, rnd: Buffer | None = None) -> bytes:
        """Sign a message by its representative µ: ML-DSA.Sign_internal, algorithm 7 of FIPS 204, from line 7 on.

        Parameters
        ----------
        sk : bytes-like
            The secret key, as for `sign`.
        mu : bytes-like
            The representative, 64 bytes, from `mu` with the public key of `sk`.
        deterministic, rnd
            As for `sign`.

        Returns
        -------
        bytes
            The signature.

        Raises
        ------
        KeyFormatError
            If `sk` is not a secret key.
        RingworkError
            If `mu` or `rnd` has another length, or `rnd` goes with `deterministic`.
        OSError
            If the operating system gives no random bytes.

        Examples
        --------
        See `mu`.
        """
        return self._set.sign_mu(sk, mu, _randomness(deterministic, rnd))

    def verify_mu(self, pk: Buffer, mu: Buffer, sig: Buffer) -> bool:
        """Tell whether a signature is one of the message with the representative µ.

        Parameters
        ----------
        pk : bytes-like
            The public key.
        mu : bytes-like
            The representative, 64 bytes.
        sig : bytes-like
            The signature.

        Returns
        -------
        bool
            ``True`` if the signature was made for this key and representative.

        Raises
        ------
        KeyFormatError
            If `pk` has another length.
        RingworkError
            If `mu` has another length.

        Examples
        --------
        >>> from ringwork import MLDSA65
        >>> pk, sk = MLDSA65.keygen()
        >>> sig = MLDSA65.sign(sk, b"a message")
        >>> MLDSA65.verify_mu(pk, MLDSA65.mu(pk, b"a message"), sig)
        True
        """
        try:
            self._set.check_mu(pk, mu, sig)
        except _native.SignatureError:
            return False
        return True


def _randomness(deterministic: bool, rnd: Buffer | None) -> Buffer | None:
    """The random bytes of a signature: zeros if it is deterministic."""
    if deterministic and rnd is not None:
        raise _native.RingworkError("a deterministic signature has no random bytes: leave out rnd or deterministic")
    return bytes(32) if deterministic else rnd


MLDSA44 = MLDSA("ML-DSA-44")
MLDSA65 = MLDSA("ML-DSA-65")
MLDSA87 = MLDSA("ML-DSA-87")
