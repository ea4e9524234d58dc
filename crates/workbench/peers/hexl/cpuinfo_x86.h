// What HEXL asks of the library cpu_features, answered by the compiler: its programs are built for this CPU.

#pragma once

namespace cpu_features {

struct X86Features {
    bool avx512f, avx512dq, avx512vl, avx512ifma, avx512vbmi2;
};

struct X86Info {
    X86Features features;
};

inline X86Info GetX86Info() {
    return {{
        __builtin_cpu_supports("avx512f") != 0,
        __builtin_cpu_supports("avx512dq") != 0,
        __builtin_cpu_supports("avx512vl") != 0,
        __builtin_cpu_supports("avx512ifma") != 0,
        __builtin_cpu_supports("avx512vbmi2") != 0,
    }};
}

} // namespace cpu_features
