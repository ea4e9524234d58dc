// What programs of libraries have in common: they make products and time them, asked for by lines as
// crates/src/main.rs has them.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<uint64_t>;

// The coefficients of operand 1 or 2.
inline Words sample(size_t n, uint64_t q, uint64_t operand) {
    Words words(n);
    uint64_t state = operand;
    for (auto &word : words) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        word = (state >> 1) % q;
    }
    return words;
}

// FNV-1a on words.
inline uint64_t digest(const Words &words) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (const uint64_t word : words) digest = (digest ^ word) * 0x100000001b3u;
    return digest;
}

// A product of two polynomials modulo X^n + 1 and q, from and to canonical coefficients.
using Product = std::function<void(const Words &a, const Words &b, Words &c)>;

// Answers until nobody asks. `make` gives the product for a degree and a modulus, or says why there is none.
inline int serve(const std::function<Product(size_t n, uint64_t q, std::string &why)> &make) {
    std::vector<std::function<void()>> jobs;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string request, who, work, why = "it has products alone";
        words >> request;
        if (request == "make") {
            size_t n;
            uint64_t q;
            words >> who >> work >> n >> q;
            const Product product = work == "product" ? make(n, q, why) : nullptr;
            if (!product) {
                std::printf("none %s\n", why.c_str());
            } else {
                const Words a = sample(n, q, 1), b = sample(n, q, 2);
                Words c(n);
                product(a, b, c);
                std::printf("made %llu\n", (unsigned long long)digest(c));
                jobs.push_back([=]() mutable { product(a, b, c); });
            }
        } else if (request == "run") {
            size_t job;
            long calls;
            words >> job >> calls;
            const auto start = std::chrono::steady_clock::now();
            for (long i = 0; i < calls; i++) jobs.at(job)();
            const auto took = std::chrono::steady_clock::now() - start;
            std::printf("%lld\n", (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
        } else {
            jobs.clear();
            std::printf("made 0\n");
        }
        std::fflush(stdout);
    }
    return 0;
}
