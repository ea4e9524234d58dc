// ML-KEM by the AVX2 code of pq-crystals' kyber (https://github.com/pq-crystals/kyber), which is not part of Ringwork.

#include "scheme.h"

extern "C" {
#include "kem.h"

// Functions that are not called here draw from it.
void randombytes(uint8_t *, size_t) { std::abort(); }
}

int main() {
    return serve_kem({CRYPTO_SECRETKEYBYTES, CRYPTO_PUBLICKEYBYTES, CRYPTO_CIPHERTEXTBYTES}, crypto_kem_keypair_derand,
                     crypto_kem_enc_derand, crypto_kem_dec);
}
