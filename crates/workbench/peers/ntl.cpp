// Products of polynomials by NTL, as Royher's thesis takes them: MulMod modulo X^N + 1 over Z_q.
//
// ntl N q m k runs: times k rows of R·A and R·T, all of m × m polynomials, `runs` times; prints seconds as a JSON list.
//
// R has coefficients in {-2, …, 2}, A and T have uniform ones. Needs NTL (https://libntl.org), which is not part of Ringwork.

#include <NTL/lzz_pX.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace NTL;

static zz_pX small(long n) {
    zz_pX f;
    f.SetLength(n);
    for (long i = 0; i < n; i++) f[i] = to_zz_p(RandomBnd(5) - 2);
    f.normalize();
    return f;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        std::fprintf(stderr, "usage: ntl N q m k runs\n");
        return 2;
    }
    const long n = std::atol(argv[1]), q = std::atol(argv[2]), m = std::atol(argv[3]), k = std::atol(argv[4]);
    const int runs = std::atoi(argv[5]);
    zz_p::init(q);
    zz_pX modulus;
    SetCoeff(modulus, n, 1);
    SetCoeff(modulus, 0, 1);
    const zz_pXModulus F(modulus);
    std::vector<zz_pX> a(2 * m * m), r(k * m);
    for (auto &f : a) f = random_zz_pX(n);
    for (auto &f : r) f = small(n);
    std::printf("[");
    for (int run = 0; run < runs; run++) {
        const auto start = std::chrono::steady_clock::now();
        long checksum = 0;
        for (long i = 0; i < k; i++)
            for (long j = 0; j < 2 * m; j++) {
                zz_pX sum, product;
                for (long t = 0; t < m; t++) {
                    MulMod(product, r[i * m + t], a[j * m + t], F);
                    sum += product;
                }
                checksum += rep(coeff(sum, 0));
            }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("%s%.9f", run == 0 ? "" : ", ", took.count());
        if (checksum < 0) return 1;
    }
    std::printf("]\n");
    return 0;
}
