#pragma once

namespace simulated_gpu {

/// The result of the simulated compiler. The simulated driver accepts no other.
inline constexpr const char* kKernelImage = "kernels for the simulated GPU";

}  // namespace simulated_gpu
