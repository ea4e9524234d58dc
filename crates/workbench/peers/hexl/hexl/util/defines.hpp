// What HEXL's own build writes here: compiler and instruction sets.

#pragma once

#ifdef __clang__
#define HEXL_USE_CLANG
#else
#define HEXL_USE_GNU
#endif

#define HEXL_UNUSED(x) (void)(x)
