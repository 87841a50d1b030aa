#pragma once

#include <string_view>

namespace kinescope {

/// Sets of vector instructions of x86, in the order of their speed. Other processors have `baseline`. `avx2_vnni` adds
/// AVX-VNNI, which sums products of int8 and which some processors with AVX-512 lack. `amx` stands for AVX-512 and AMX
/// with their instructions for bfloat16.
enum class CpuLevel { baseline, avx2, avx2_vnni, avx512, amx };

/// Returns the name in KINESCOPE_CPU: "baseline", "avx2", "avx2_vnni", "avx512" or "amx".
std::string_view to_string(CpuLevel level);

/// Returns the level of own kernels: the highest one that this processor has and that limit_cpu_level() allows.
CpuLevel cpu_level();

/// Returns true if cpu_level() has instructions that add products of int8 exactly in int32: AVX-VNNI, or AVX-512 VNNI.
/// Without them, LibTorch's product of int8 matrices is exact, too, but slow.
bool adds_int8_products();

/// Limits own kernels, LibTorch, oneDNN and MKL to the level in the environment variable KINESCOPE_CPU, also in child
/// processes. Does nothing if it is unset or empty. Must be called before the first operation on tensors, because these
/// libraries select their kernels only once. Throws Error(bad_usage) if the level is unknown, and Error(unsupported) if
/// this processor does not have it.
void limit_cpu_level();

}  // namespace kinescope
