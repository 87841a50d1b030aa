#pragma once

/// Makes the compiler generate several clones of a function, one per vector width; the loader selects the clone for the
/// CPU. Compilers that do not support this generate one version.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__)
#define KINESCOPE_CPU_CLONES __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define KINESCOPE_CPU_CLONES
#endif
