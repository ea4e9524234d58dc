// All products of two coefficients: prints how many are not a * b / R mod Q.
#include RW_HEADER
#include <cstdint>
#include <cstdio>

int main() {
    constexpr uint32_t Q = RW_Q;
    constexpr int LATENCY = RW_LATENCY;
    // 1/R.
    uint32_t inverse = 1;
    while (uint64_t(inverse) * RW_R % Q != 1) inverse++;
    RW_TOP top;
    uint32_t expected[LATENCY] = {};
    uint64_t wrong = 0, cycle = 0;
    for (uint64_t pair = 0; pair < uint64_t(Q) * Q + LATENCY; pair++, cycle++) {
        uint32_t a = pair / Q % Q, b = pair % Q;
        // Operands of cycle t: the product is there in cycle t + LATENCY.
        if (cycle >= LATENCY && top.product_o != expected[cycle % LATENCY]) wrong++;
        expected[cycle % LATENCY] = uint64_t(a * b % Q) * inverse % Q;
        top.a_i = a;
        top.b_i = b;
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }
    std::printf("%llu of %llu\n", (unsigned long long)wrong, (unsigned long long)(uint64_t(Q) * Q));
}
