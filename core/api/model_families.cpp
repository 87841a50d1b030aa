#include "core/api/model_families.h"

namespace kinescope {

std::span<const std::string_view> model_family_names() {
    static constexpr std::string_view kNames[] = {KINESCOPE_MODEL_FAMILIES};
    return kNames;
}

}  // namespace kinescope
