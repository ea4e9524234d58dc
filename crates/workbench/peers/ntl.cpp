// Products of polynomials by NTL, alone and within the encryption that Royher's thesis times.
//
// ntl product N q samples        one product in Z_q[X]/(X^N + 1) by MulMod: nanoseconds of every batch, per call
// ntl serve                      products in zz_p for bench --peers, asked for by lines
// ntl encryption N q m samples   key generation, encryption and decryption of one polynomial: nanoseconds of every run
//
// The other two print one JSON object. The encryption is A of m × m uniform polynomials, all noise in {-2, …, 2}, p = 3:
// t = A·s + p·e1; u = A^T·r + p·e2, v = <r, t> + p·e3 + message; v - <u, s>. Numbers are ZZ_p, as in the thesis; a product
// alone is also timed in zz_p, NTL's type for moduli of one word.
//
// Needs NTL (https://libntl.org), which is not part of Ringwork.

#include "serve.h"

#include <NTL/ZZ_pX.h>
#include <NTL/lzz_pX.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

using namespace NTL;

static double nanoseconds(const std::function<void()> &run, long calls) {
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < calls; i++) run();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// Warm, and in batches of ten microseconds at least, found by doubling.
static void print_samples(const char *name, const std::function<void()> &run, long samples) {
    run();
    long calls = 1;
    while (std::min({nanoseconds(run, calls), nanoseconds(run, calls), nanoseconds(run, calls)}) < 1e4) calls *= 2;
    std::printf("\"%s\": [", name);
    for (long i = 0; i < samples; i++) {
        run();
        std::printf("%s%.1f", i == 0 ? "" : ", ", nanoseconds(run, calls) / calls);
    }
    std::printf("], \"%s_calls\": %ld", name, calls);
}

static void product(long n, long q, long samples) {
    zz_p::init(q);
    ZZ_p::init(to_ZZ(q));
    zz_pX f;
    SetCoeff(f, n, 1);
    SetCoeff(f, 0, 1);
    const zz_pXModulus modulus(f);
    const zz_pX a = random_zz_pX(n), b = random_zz_pX(n);
    zz_pX c;
    ZZ_pX g;
    SetCoeff(g, n, 1);
    SetCoeff(g, 0, 1);
    const ZZ_pXModulus big_modulus(g);
    const ZZ_pX big_a = random_ZZ_pX(n), big_b = random_ZZ_pX(n);
    ZZ_pX big_c;
    std::printf("{");
    print_samples("zz_pX", [&] { MulMod(c, a, b, modulus); }, samples);
    std::printf(", ");
    print_samples("ZZ_pX", [&] { MulMod(big_c, big_a, big_b, big_modulus); }, samples);
    std::printf("}\n");
}

using Polynomials = std::vector<ZZ_pX>;

static Polynomials noise(long count, long n) {
    Polynomials all(count);
    for (auto &f : all) {
        f.SetLength(n);
        for (long i = 0; i < n; i++) f[i] = to_ZZ_p(RandomBnd(5) - 2);
        f.normalize();
    }
    return all;
}

static ZZ_pX inner(const Polynomials &a, const Polynomials &b, const ZZ_pXModulus &f) {
    ZZ_pX sum, product;
    for (size_t i = 0; i < a.size(); i++) {
        MulMod(product, a[i], b[i], f);
        sum += product;
    }
    return sum;
}

// How many coefficients of a message came back. At these parameters not all do.
static long encryption(long n, long q, long m, const ZZ_pXModulus &f) {
    const ZZ_p p = to_ZZ_p(3);
    std::vector<Polynomials> a(m, Polynomials(m)), columns(m, Polynomials(m));
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) columns[j][i] = a[i][j] = random_ZZ_pX(n);
    const Polynomials s = noise(m, n), e1 = noise(m, n);
    Polynomials t(m), u(m);
    for (long i = 0; i < m; i++) t[i] = inner(a[i], s, f) + p * e1[i];

    const Polynomials r = noise(m, n), e2 = noise(m, n), e3 = noise(1, n);
    ZZ_pX message;
    for (long i = 0; i < n; i++) SetCoeff(message, i, i % 3);
    for (long j = 0; j < m; j++) u[j] = inner(columns[j], r, f) + p * e2[j];
    const ZZ_pX v = inner(r, t, f) + p * e3[0] + message;

    const ZZ_pX decrypted = v - inner(u, s, f);
    long right = 0;
    for (long i = 0; i < n; i++) {
        long x = conv<long>(rep(coeff(decrypted, i)));
        if (x > q / 2) x -= q;
        right += ((x % 3) + 3) % 3 == i % 3;
    }
    return right;
}

// A product in zz_p, with the modulus of a product in force.
static Product made(size_t n, uint64_t q, std::string &why) {
    if (q >= (uint64_t)NTL_SP_BOUND) {
        why = "zz_p has smaller moduli";
        return nullptr;
    }
    const zz_pContext context((long)q);
    context.restore();
    zz_pX f;
    SetCoeff(f, n, 1);
    SetCoeff(f, 0, 1);
    const zz_pXModulus modulus(f);
    return [=](const Words &a, const Words &b, Words &c) {
        context.restore();
        zz_pX x, y, z;
        const auto set = [&](zz_pX &to, const Words &words) {
            to.SetLength(n);
            for (size_t i = 0; i < n; i++) to[i].LoopHole() = (long)words[i];
            to.normalize();
        };
        set(x, a);
        set(y, b);
        MulMod(z, x, y, modulus);
        for (size_t i = 0; i < n; i++) c[i] = (uint64_t)rep(coeff(z, i));
    };
}

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return serve(made);
    if (argc == 5 && std::strcmp(argv[1], "product") == 0) {
        product(std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4]));
        return 0;
    }
    if (argc == 6 && std::strcmp(argv[1], "encryption") == 0) {
        const long n = std::atol(argv[2]), q = std::atol(argv[3]), m = std::atol(argv[4]), runs = std::atol(argv[5]);
        ZZ_p::init(to_ZZ(q));
        ZZ_pX f;
        SetCoeff(f, n, 1);
        SetCoeff(f, 0, 1);
        const ZZ_pXModulus modulus(f);
        long right = 0;
        std::printf("{\"nanoseconds\": [");
        for (long run = 0; run < runs; run++) {
            const double took = nanoseconds([&] { right += encryption(n, q, m, modulus); }, 1);
            std::printf("%s%.1f", run == 0 ? "" : ", ", took);
        }
        std::printf("], \"right\": %.6f}\n", double(right) / double(n * runs));
        return 0;
    }
    std::fprintf(stderr, "usage: ntl product N q samples | ntl encryption N q m samples\n");
    return 2;
}
