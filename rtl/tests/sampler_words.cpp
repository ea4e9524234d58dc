// Drives the sampler with given random words. Reads lines of "valid run ready zeroize word" and prints for each cycle
// "random_ready valid value", as they are before the clock edge.
#include RW_HEADER
#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif
#include <cstdio>

int main() {
    RW_TOP top;
    auto edge = [&] {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    };
    top.rst_i = 1;
    edge();
    top.rst_i = 0;
    int valid, run, ready, word, zeroize;
    while (std::scanf("%d %d %d %d %d", &valid, &run, &ready, &zeroize, &word) == 5) {
        top.random_valid_i = valid;
        top.run_i = run;
        top.ready_i = ready;
        top.zeroize_i = zeroize;
        top.random_i = word;
        top.clk_i = 0;
        top.eval();
        std::printf("%d %d %d\n", top.random_ready_o, top.valid_o, top.value_o);
        top.clk_i = 1;
        top.eval();
    }
#if VM_COVERAGE
    Verilated::threadContextp()->coveragep()->write();
#endif
}
