#include "core/base/gpu_support_folder.h"

#include <string>

#include "core/api/user_dirs.h"

namespace kinescope {

std::filesystem::path gpu_support_root() {
    return user_dirs().data / "gpu-support";
}

std::filesystem::path gpu_support_folder(std::string_view libtorch_version) {
    return gpu_support_root() / ("libtorch-" + std::string(libtorch_version));
}

}  // namespace kinescope
