#include "core/api/file_check.h"

#include <algorithm>

namespace kinescope {

bool FileCheck::has_damage() const {
    return std::any_of(faults.begin(), faults.end(), [](const WeightFault& fault) { return fault.is_damage(); });
}

}  // namespace kinescope
