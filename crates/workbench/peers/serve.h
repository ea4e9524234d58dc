// What programs of libraries have in common: they do some work and time it, asked for by lines as crates/src/main.rs
// has them.

#pragma once

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

// FNV-1a on words, or on bytes as words.
template <typename Numbers> uint64_t digest(const Numbers &words) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (const uint64_t word : words) digest = (digest ^ word) * 0x100000001b3u;
    return digest;
}

// Some work, and the digest of what it gives: 0 if others give something else.
struct Made {
    std::function<void()> run;
    uint64_t digest;
};

// Answers until nobody asks. `make` gives the work of that name, or says why there is none.
using Make = std::function<Made(const std::string &work, size_t n, uint64_t q, std::string &why)>;
inline int serve_works(const Make &make) {
    std::vector<std::function<void()>> jobs;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string request, who, work, why = "there is no work of that name";
        words >> request;
        if (request == "make") {
            size_t n;
            uint64_t q;
            words >> who >> work >> n >> q;
            const Made made = make(work, n, q, why);
            if (!made.run) {
                std::printf("none %s\n", why.c_str());
            } else {
                std::printf("made %llu\n", (unsigned long long)made.digest);
                jobs.push_back(made.run);
            }
        } else if (request == "run") {
            size_t job;
            long calls;
            words >> job >> calls;
            const auto &run = jobs.at(job);
            const auto start = std::chrono::steady_clock::now();
            for (long i = 0; i < calls; i++) run();
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

// A product of two polynomials modulo X^n + 1 and q, from and to canonical coefficients.
using Product = std::function<void(const Words &a, const Words &b, Words &c)>;

// The work of a product, with its digest.
inline Made made_of(const Product &product, size_t n, uint64_t q) {
    const Words a = sample(n, q, 1), b = sample(n, q, 2);
    Words c(n);
    product(a, b, c);
    return {[=]() mutable { product(a, b, c); }, digest(c)};
}

// The same for those that have products alone.
inline int serve(const std::function<Product(size_t n, uint64_t q, std::string &why)> &make) {
    return serve_works([&](const std::string &work, size_t n, uint64_t q, std::string &why) -> Made {
        if (work != "product") {
            why = "it has products alone";
            return {};
        }
        const Product product = make(n, q, why);
        return product ? made_of(product, n, q) : Made{};
    });
}
