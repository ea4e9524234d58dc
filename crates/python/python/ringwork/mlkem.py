"""ML-KEM, the module-lattice-based key encapsulation mechanism of FIPS 203.

>>> from ringwork import MLKEM768
>>> ek, dk = MLKEM768.keygen()      # dk stays here, ek goes to the other side
>>> K, c = MLKEM768.encaps(ek)      # the other side: K stays there, c comes back
>>> MLKEM768.decaps(dk, c) == K
True

========== ============ ============ ============ ============ ==================
object     ``ek_bytes`` ``dk_bytes`` ``c_bytes``  ``k_bytes``  security category
========== ============ ============ ============ ============ ==================
MLKEM512   800          1632         768          32           1
MLKEM768   1184         2400         1088         32           3
MLKEM1024  1568         3168         1568         32           5
========== ============ ============ ============ ============ ==================

See `ringwork.kem` for what the functions do, and for what is wiped from memory and what is not.
"""

from .kem import KEM

__all__ = ["MLKEM512", "MLKEM768", "MLKEM1024"]

MLKEM512 = KEM("ML-KEM-512")
MLKEM768 = KEM("ML-KEM-768")
MLKEM1024 = KEM("ML-KEM-1024")
