#pragma once

/// Compiles a function once per vector width; the loader selects the version for the CPU. With compilers that do not
/// support this, there is one version.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__)
#define KINESCOPE_CPU_CLONES __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define KINESCOPE_CPU_CLONES
#endif
