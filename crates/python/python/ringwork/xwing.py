"""X-Wing: ML-KEM-768 with X25519, secure if at least one of the two is. After draft-connolly-cfrg-xwing-kem-10.

>>> from ringwork import XWing
>>> ek, dk = XWing.keygen()
>>> K, c = XWing.encaps(ek)
>>> XWing.decaps(dk, c) == K
True

An encapsulation key has 1216 bytes, a ciphertext 1120, and a decapsulation key 32: it is its seed. HPKE calls this
mechanism MLKEM768-X25519, number 0x647a. **It is an Internet draft, not a standard yet.**

See `ringwork.kem` for what the functions do, and for what is wiped from memory and what is not.
"""

from .kem import KEM

__all__ = ["XWing"]

XWing = KEM("X-Wing")
