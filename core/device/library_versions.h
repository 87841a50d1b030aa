#pragma once

#include <string>

namespace kinescope {

/// 13000 is 13.0; 0 where no CUDA runtime is loaded.
int cuda_runtime_version();

/// "13.0" of 13000
std::string cuda_version_text(int version);
/// "12.4.5" of 120405
std::string cublas_version_text(std::size_t version);
/// "9.13.0" of 91300, "8.9.7" of 8907: cuDNN changed its counting with 9.
std::string cudnn_version_text(std::size_t version);

}  // namespace kinescope
