#pragma once

/// Marks a function that is compiled once for each width of vectors; the one that the CPU has is taken when the program
/// starts. Where the compiler cannot do that, there is one.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__)
#define KINESCOPE_CPU_CLONES __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define KINESCOPE_CPU_CLONES
#endif
