#pragma once

#include <string>

namespace kinescope {

/// The CUDA C++ source of the fused kernels, which the program contains.
struct KernelSource {
    const char* kernels;         ///< fused_kernels.cu
    const char* arguments;       ///< kernel_arguments.h, which it includes
    const char* arguments_name;  ///< the name in its #include
    const char* launches;        ///< SHA-256 of fused_kernels.cpp, which launches them
};
const KernelSource& kernel_source();

/// Returns the SHA-256 of the source and of the compiler's options.
std::string kernel_source_hash();

}  // namespace kinescope
