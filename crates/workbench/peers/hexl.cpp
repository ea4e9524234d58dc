// Transforms and products of Intel HEXL (https://github.com/IntelLabs/hexl), which is not part of Ringwork. Its sources
// are compiled here, for this CPU, with the headers in hexl/ in the place of those that its own build makes.

#ifdef __AVX512DQ__
#define HEXL_HAS_AVX512DQ
#endif
#ifdef __AVX512IFMA__
#define HEXL_HAS_AVX512IFMA
#endif
#ifdef __AVX512VBMI2__
#define HEXL_HAS_AVX512VBMI2
#endif
#ifdef __AVX2__
#define HEXL_HAS_AVX256
#endif

#include "serve.h"

#include "eltwise/eltwise-add-mod.cpp"
#include "eltwise/eltwise-cmp-add.cpp"
#include "eltwise/eltwise-cmp-sub-mod.cpp"
#include "eltwise/eltwise-fma-mod.cpp"
#include "eltwise/eltwise-mult-mod.cpp"
#include "eltwise/eltwise-reduce-mod.cpp"
#include "eltwise/eltwise-sub-mod.cpp"
#include "ntt/ntt-internal.cpp"
#include "ntt/ntt-radix-2.cpp"
#include "ntt/ntt-radix-4.cpp"
#include "number-theory/number-theory.cpp"
#ifdef HEXL_HAS_AVX512DQ
#include "eltwise/eltwise-add-mod-avx512.cpp"
#include "eltwise/eltwise-cmp-add-avx512.cpp"
#include "eltwise/eltwise-cmp-sub-mod-avx512.cpp"
#include "eltwise/eltwise-fma-mod-avx512.cpp"
#include "eltwise/eltwise-mult-mod-avx512dq.cpp"
#include "eltwise/eltwise-mult-mod-avx512ifma.cpp"
#include "eltwise/eltwise-reduce-mod-avx512.cpp"
#include "eltwise/eltwise-sub-mod-avx512.cpp"
#include "ntt/fwd-ntt-avx512.cpp"
#include "ntt/inv-ntt-avx512.cpp"
#endif

#include <memory>

using intel::hexl::EltwiseMultMod;
using intel::hexl::NTT;
// Vectors where a cache line begins.
using Line = intel::hexl::AlignedVector64<uint64_t>;

int main() {
    return serve_works([](const std::string &work, size_t n, uint64_t q, std::string &why) -> Made {
        if (q >> 62 != 0 || (n & (n - 1)) != 0 || n > 1 << NTT::MaxDegreeBits() || q % (2 * n) != 1) {
            why = "it has powers of two up to 2^20 and primes below 2^62 that are 1 modulo 2n";
            return {};
        }
        const auto ntt = std::make_shared<NTT>(n, q);
        const Words first = sample(n, q, 1), second = sample(n, q, 2);
        Line a(first.begin(), first.end()), b(second.begin(), second.end()), x(n), y(n);
        // From canonical words to canonical ones, in place.
        if (work == "forward") return {[=]() mutable { ntt->ComputeForward(a.data(), a.data(), 1, 1); }, 0};
        if (work == "inverse") return {[=]() mutable { ntt->ComputeInverse(a.data(), a.data(), 1, 1); }, 0};
        if (work != "product") return {};
        // Between its transforms words stay below 4q.
        const auto product = [=](Line &x, Line &y) {
            ntt->ComputeForward(x.data(), a.data(), 1, 4);
            ntt->ComputeForward(y.data(), b.data(), 1, 4);
            EltwiseMultMod(x.data(), x.data(), y.data(), n, q, 4);
            ntt->ComputeInverse(x.data(), x.data(), 1, 1);
        };
        product(x, y);
        return {[=]() mutable { product(x, y); }, digest(x)};
    });
}
