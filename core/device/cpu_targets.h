#pragma once

/// Include this before <hwy/foreach_target.h>. A file with kernels is compiled once for each target of Highway: the
/// baseline of the processor family, AVX2 with FMA and F16C, and AVX-512 (which Highway calls AVX3). These targets need
/// time to compile, but few processors of this century's first decade profit from them.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
