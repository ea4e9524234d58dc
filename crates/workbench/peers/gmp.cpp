// Products of polynomials by one product of GMP's integers (Kronecker's substitution): coefficients are packed
// side by side with room for their sums.
//
// Needs GMP (https://gmplib.org), which is not part of Ringwork.

#include "serve.h"

#include <gmp.h>

using Wide = unsigned __int128;

static_assert(GMP_NUMB_BITS == 64, "words of 64 bits");

static void packed(Words &to, const Words &a, size_t bits) {
    std::fill(to.begin(), to.end(), 0);
    for (size_t i = 0; i < a.size(); i++) {
        const size_t word = i * bits / 64, shift = i * bits % 64;
        to[word] |= a[i] << shift;
        if (shift > 0) to[word + 1] |= a[i] >> (64 - shift);
    }
}

int main() {
    return serve([](size_t n, uint64_t q, std::string &) -> Product {
        size_t bits = 0;
        for (uint64_t x = q - 1; x != 0; x >>= 1) bits += 2;
        for (size_t x = n; x > 1; x /= 2) bits += 1;
        const size_t length = (n * bits + 63) / 64 + 1;
        // Two operands, and their product with words of zeros behind it.
        return [=, x = Words(length), y = Words(length), z = Words(2 * length + 4)](const Words &a, const Words &b, Words &c) mutable {
            packed(x, a, bits);
            packed(y, b, bits);
            mpn_mul_n((mp_limb_t *)z.data(), (const mp_limb_t *)x.data(), (const mp_limb_t *)y.data(), length);
            const uint64_t word = (uint64_t)(((Wide)1 << 64) % q), radix = (uint64_t)((Wide)word * word % q);
            const auto coefficient = [&](size_t i) -> uint64_t {
                const size_t at = i * bits / 64, shift = i * bits % 64;
                uint64_t part[3];
                for (size_t k = 0; k < 3; k++) part[k] = (uint64_t)(((Wide)z[at + k + 1] << 64 | z[at + k]) >> shift);
                const Wide below = (Wide)part[1] << 64 | part[0];
                if (bits < 128) return (uint64_t)((below & (((Wide)1 << bits) - 1)) % q);
                const uint64_t above = part[2] & (((uint64_t)1 << (bits - 128)) - 1);
                return (uint64_t)((below % q + (Wide)(above % q) * radix % q) % q);
            };
            for (size_t i = 0; i < n; i++) {
                const uint64_t low = coefficient(i), high = coefficient(n + i);
                c[i] = low >= high ? low - high : low + q - high;
            }
        };
    });
}
