#pragma once

#include <string>

namespace kinescope {

/// 13000 means 13.0. 0 if no CUDA runtime is loaded.
int cuda_runtime_version();

/// "13.0" for 13000
std::string cuda_version_text(int version);
/// "12.4.5" for 120405
std::string cublas_version_text(std::size_t version);
/// "9.13.0" for 91300, "8.9.7" for 8907: cuDNN changed its numbering with version 9.
std::string cudnn_version_text(std::size_t version);

}  // namespace kinescope
