#include "core/api/detector.h"

namespace kinescope {

std::string to_string(Detector detector) {
    return "S" + std::to_string(static_cast<int>(detector));
}

std::optional<Detector> detector_from(std::string_view text) {
    for (int number = 0; number <= static_cast<int>(Detector::memory); ++number)
        if (to_string(static_cast<Detector>(number)) == text) return static_cast<Detector>(number);
    return std::nullopt;
}

}  // namespace kinescope
