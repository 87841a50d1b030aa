#pragma once

#include <string>

namespace kinescope {

/// Returns the version of the loaded CUDA runtime, e.g. 13000 for 13.0; 0 if none is loaded.
int cuda_runtime_version();

/// Formats a CUDA version: "13.0" for 13000.
std::string cuda_version_text(int version);
/// Formats a cuBLAS version: "12.4.5" for 120405.
std::string cublas_version_text(std::size_t version);
/// Formats a cuDNN version: "9.13.0" for 91300, "8.9.7" for 8907. cuDNN changed its numbering with version 9.
std::string cudnn_version_text(std::size_t version);

}  // namespace kinescope
