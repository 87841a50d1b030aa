#include "core/weights/weight_check.h"

namespace kinescope {

std::shared_ptr<const CheckpointReader> open_checked(const std::filesystem::path& path, const WeightCheck& check) {
    if (check) check(path);
    return open_checkpoint(path);
}

}  // namespace kinescope
