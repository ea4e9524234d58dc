// ML-DSA by the AVX2 code of pq-crystals' dilithium (https://github.com/pq-crystals/dilithium), which is not part of
// Ringwork.

#include "scheme.h"

extern "C" {
#include "sign.h"

// Its key generation draws the seed, and nothing else called here draws.
static const uint8_t *seed;
void randombytes(uint8_t *out, size_t length) { std::copy_n(seed, length, out); }
}

int main() {
    const Sizes sizes = {CRYPTO_SECRETKEYBYTES, CRYPTO_PUBLICKEYBYTES, CRYPTO_BYTES};
    return serve_scheme({
        sizes,
        [=](const Sample &s, Bytes &out) {
            seed = s.seed.data();
            good(crypto_sign_keypair(&out[sizes.secret], &out[0]));
        },
        "sign",
        "verify",
        [](const Sample &s, Bytes &out) {
            // An empty context, and no randomness: deterministic signatures.
            const uint8_t before[2] = {0, 0}, none[RNDBYTES] = {};
            size_t length;
            good(crypto_sign_signature_internal(&out[0], &length, s.message.data(), s.message.size(), before,
                                                sizeof before, none, s.secret.data()));
        },
        [](const Sample &s, Bytes &out) {
            out[0] = crypto_sign_verify(s.made.data(), s.made.size(), s.message.data(), s.message.size(), nullptr, 0,
                                        s.public_key.data()) == 0;
        },
    });
}
