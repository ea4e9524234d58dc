"""Published parameter sets, under the names that the lattice-estimator has for them.

Moduli of SEAL from 2048 coefficients on are the powers of two next to the products of primes that it takes.
"""

from .distributions import ND
from .problems import LWEParameters, NTRUParameters, SISParameters, oo

NTRUHPS2048509Enc = NTRUParameters(
    508, 2048, ND.Ternary, ND.SparseTernary(127, 127, n=508), m=508, tag="NTRUHPS2048509Enc", ntru_type="matrix"
)
NTRUHPS2048677Enc = NTRUParameters(
    676, 2048, ND.Ternary, ND.SparseTernary(127, 127, n=676), m=676, tag="NTRUHPS2048677Enc", ntru_type="matrix"
)
NTRUHPS4096821Enc = NTRUParameters(
    820, 4096, ND.Ternary, ND.SparseTernary(255, 255, n=820), m=820, tag="NTRUHPS4096821Enc", ntru_type="matrix"
)
NTRUHRSS701Enc = NTRUParameters(700, 8192, ND.Ternary, ND.Ternary, m=700, tag="NTRUHRSS701Enc", ntru_type="matrix")
Dilithium2_MSIS_WkUnf = SISParameters(1024, 8380417, 350209.0, 2304, oo, tag="Dilithium2_MSIS_WkUnf")
Dilithium2_MSIS_StrUnf = SISParameters(1024, 8380417, 380929.0, 2304, oo, tag="Dilithium2_MSIS_StrUnf")
Dilithium3_MSIS_WkUnf = SISParameters(1536, 8380417, 724481.0, 3072, oo, tag="Dilithium3_MSIS_WkUnf")
Dilithium3_MSIS_StrUnf = SISParameters(1536, 8380417, 1048576.0, 3072, oo, tag="Dilithium3_MSIS_StrUnf")
Dilithium5_MSIS_WkUnf = SISParameters(2048, 8380417, 769537.0, 4096, oo, tag="Dilithium5_MSIS_WkUnf")
Dilithium5_MSIS_StrUnf = SISParameters(2048, 8380417, 1048576.0, 4096, oo, tag="Dilithium5_MSIS_StrUnf")
Falcon512_Unf = SISParameters(512, 12289, 5833.9072, 1024, 2, tag="Falcon512_Unf")
Falcon512_SKR = NTRUParameters(
    512, 12289, ND.DiscreteGaussian(4.0532), ND.DiscreteGaussian(4.0532), m=512, tag="Falcon512_SKR", ntru_type="circulant"
)
Falcon1024_Unf = SISParameters(1024, 12289, 8382.4081, 2048, 2, tag="Falcon1024_Unf")
Falcon1024_SKR = NTRUParameters(
    1024, 12289, ND.DiscreteGaussian(2.866), ND.DiscreteGaussian(2.866), m=1024, tag="Falcon1024_SKR", ntru_type="circulant"
)
Kyber512 = LWEParameters(512, 3329, ND.CenteredBinomial(3), ND.CenteredBinomial(3), m=512, tag="Kyber512")
Kyber768 = LWEParameters(768, 3329, ND.CenteredBinomial(2), ND.CenteredBinomial(2), m=768, tag="Kyber768")
Kyber1024 = LWEParameters(1024, 3329, ND.CenteredBinomial(2), ND.CenteredBinomial(2), m=1024, tag="Kyber1024")
LightSaber = LWEParameters(512, 8192, ND.CenteredBinomial(5), ND.Uniform(-4, 3), m=512, tag="LightSaber")
Saber = LWEParameters(768, 8192, ND.CenteredBinomial(4), ND.Uniform(-4, 3), m=768, tag="Saber")
FireSaber = LWEParameters(1024, 8192, ND.CenteredBinomial(3), ND.Uniform(-4, 3), m=1024, tag="FireSaber")
Frodo640 = LWEParameters(640, 32768, ND.DiscreteGaussian(2.8), ND.DiscreteGaussian(2.8), m=656, tag="Frodo640")
Frodo976 = LWEParameters(976, 65536, ND.DiscreteGaussian(2.3), ND.DiscreteGaussian(2.3), m=992, tag="Frodo976")
Frodo1344 = LWEParameters(1344, 65536, ND.DiscreteGaussian(1.4), ND.DiscreteGaussian(1.4), m=1360, tag="Frodo1344")
HESv111024128error = LWEParameters(
    1024, 2**27, ND.DiscreteGaussian(3), ND.DiscreteGaussian(3), m=1024, tag="HESv111024128error"
)
HESv111024128ternary = LWEParameters(
    1024, 2**27, ND.Ternary, ND.DiscreteGaussian(3), m=1024, tag="HESv111024128ternary"
)
TFHE630 = LWEParameters(630, 2**32, ND.Binary, ND.DiscreteGaussian(131072), m=oo, tag="TFHE630")
TFHE1024 = LWEParameters(1024, 2**32, ND.Binary, ND.DiscreteGaussian(128), m=oo, tag="TFHE1024")
Concrete_TFHE586 = LWEParameters(
    586, 2**32, ND.Binary, ND.DiscreteGaussian(397336.0036113017), m=oo, tag="Concrete_TFHE586"
)
Concrete_TFHE512 = LWEParameters(
    512, 2**32, ND.Binary, ND.DiscreteGaussian(147.0333894396204), m=oo, tag="Concrete_TFHE512"
)
TFHE16_500 = LWEParameters(500, 2**32, ND.Binary, ND.DiscreteGaussian(104367.70529280002), m=oo, tag="TFHE16_500")
TFHE16_1024 = LWEParameters(1024, 2**32, ND.Binary, ND.DiscreteGaussian(16.02022801408), m=oo, tag="TFHE16_1024")
TFHE20_612 = LWEParameters(612, 2**32, ND.Binary, ND.DiscreteGaussian(131072), m=oo, tag="TFHE20_612")
TFHE20_1024 = LWEParameters(1024, 2**32, ND.Binary, ND.DiscreteGaussian(64), m=oo, tag="TFHE20_1024")
FHEW = LWEParameters(500, 2**32, ND.Binary, ND.DiscreteGaussian(131072), m=oo, tag="FHEW")
SEAL20_1024 = LWEParameters(1024, 281474975662081, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL20_1024")
HElib80_1024 = LWEParameters(
    1024, 2**47, ND.SparseTernary(32, 32, n=1024), ND.DiscreteGaussian(3.2), m=oo, tag="HElib80_1024"
)
HElib120_1024 = LWEParameters(
    1024, 2**38, ND.SparseTernary(32, 32, n=1024), ND.DiscreteGaussian(3.2), m=oo, tag="HElib120_1024"
)
CHHS_1024_25 = LWEParameters(
    1024, 2**25, ND.SparseTernary(32, 32, n=1024), ND.DiscreteGaussian(3.191538243211461), m=oo, tag="CHHS_1024_25"
)
TFHErs_LWE = LWEParameters(918, 2**64, ND.Binary, ND.TUniform(45), m=oo, tag="TFHErs_LWE")
CHHS_2048_38 = LWEParameters(
    2048, 2**38, ND.SparseTernary(32, 32, n=2048), ND.DiscreteGaussian(3.191538243211461), m=oo, tag="CHHS_2048_38"
)
CHHS_2048_45 = LWEParameters(
    2048, 2**45, ND.SparseTernary(32, 32, n=2048), ND.DiscreteGaussian(3.191538243211461), m=oo, tag="CHHS_2048_45"
)
SEAL22_2048 = LWEParameters(2048, 2**60, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL22_2048")
TFHErs_RLWE = LWEParameters(2048, 2**64, ND.Binary, ND.TUniform(17), m=oo, tag="TFHErs_RLWE")
HElib120_2048 = LWEParameters(
    2048, 2**70, ND.SparseTernary(32, 32, n=2048), ND.DiscreteGaussian(3.2), m=oo, tag="HElib120_2048"
)
HElib80_2048 = LWEParameters(
    2048, 2**87, ND.SparseTernary(32, 32, n=2048), ND.DiscreteGaussian(3.2), m=oo, tag="HElib80_2048"
)
SEAL20_2048 = LWEParameters(2048, 2**94, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL20_2048")
CHHS_4096_67 = LWEParameters(
    4096, 2**67, ND.SparseTernary(32, 32, n=4096), ND.DiscreteGaussian(3.191538243211461), m=oo, tag="CHHS_4096_67"
)
CHHS_4096_82 = LWEParameters(
    4096, 2**82, ND.SparseTernary(32, 32, n=4096), ND.DiscreteGaussian(3.191538243211461), m=oo, tag="CHHS_4096_82"
)
SEAL22_4096 = LWEParameters(4096, 2**116, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL22_4096")
HElib120_4096 = LWEParameters(
    4096, 2**134, ND.SparseTernary(32, 32, n=4096), ND.DiscreteGaussian(3.2), m=oo, tag="HElib120_4096"
)
HElib80_4096 = LWEParameters(
    4096, 2**167, ND.SparseTernary(32, 32, n=4096), ND.DiscreteGaussian(3.2), m=oo, tag="HElib80_4096"
)
SEAL20_4096 = LWEParameters(4096, 2**190, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL20_4096")
HESv2_8192_128_ternary = LWEParameters(
    8192, 2**214, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="HESv2_8192_128_ternary"
)
SEAL22_8192 = LWEParameters(8192, 2**226, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL22_8192")
SEAL20_8192 = LWEParameters(8192, 2**383, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL20_8192")
HESv2_16384_128_ternary = LWEParameters(
    16384, 2**430, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="HESv2_16384_128_ternary"
)
SEAL22_16384 = LWEParameters(16384, 2**435, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL22_16384")
SEAL20_16384 = LWEParameters(16384, 2**767, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL20_16384")
HESv2_32768_128_ternary = LWEParameters(
    32768, 2**868, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="HESv2_32768_128_ternary"
)
SEAL22_32768 = LWEParameters(32768, 2**889, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="SEAL22_32768")
HESv2_65536_128_ternary = LWEParameters(
    65536, 2**1747, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="HESv2_65536_128_ternary"
)
HESv2_131072_128_ternary = LWEParameters(
    131072, 2**3523, ND.Ternary, ND.DiscreteGaussian(3.19), m=oo, tag="HESv2_131072_128_ternary"
)
