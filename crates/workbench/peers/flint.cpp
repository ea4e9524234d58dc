// Products of polynomials by FLINT's nmod_poly_mul, folded modulo X^n + 1.
//
// Needs FLINT 3 or newer (https://flintlib.org), which is not part of Ringwork.

#include "serve.h"

#include <flint/flint.h>
#include <flint/nmod_poly.h>

#include <memory>

static_assert(__FLINT_VERSION >= 3, "FLINT 3, whose products of large polynomials are by transforms");

// Polynomials of a modulus, freed with the last product that has them.
struct Polynomials {
    nmod_poly_t a, b, c;
    explicit Polynomials(uint64_t q) {
        nmod_poly_init(a, q);
        nmod_poly_init(b, q);
        nmod_poly_init(c, q);
    }
    ~Polynomials() {
        nmod_poly_clear(a);
        nmod_poly_clear(b);
        nmod_poly_clear(c);
    }
    Polynomials(const Polynomials &) = delete;
};

static void set(nmod_poly_t to, const Words &words) {
    nmod_poly_fit_length(to, words.size());
    for (size_t i = 0; i < words.size(); i++) to->coeffs[i] = words[i];
    to->length = words.size();
    _nmod_poly_normalise(to);
}

int main() {
    return serve([](size_t n, uint64_t q, std::string &) -> Product {
        const auto p = std::make_shared<Polynomials>(q);
        return [=](const Words &a, const Words &b, Words &c) {
            set(p->a, a);
            set(p->b, b);
            nmod_poly_mul(p->c, p->a, p->b);
            for (size_t i = 0; i < n; i++) {
                const uint64_t low = nmod_poly_get_coeff_ui(p->c, i), high = nmod_poly_get_coeff_ui(p->c, n + i);
                c[i] = low >= high ? low - high : low + q - high;
            }
        };
    });
}
