#pragma once

#include <optional>
#include <string>

#include "core/api/numeric_sample.h"

namespace kinescope::faults {

/// A step and a site, e.g. "step 0 transformer.blocks.1.ffn.net.2".
struct Place {
    int step = 0;
    std::string site;
    bool operator==(const Place&) const = default;
};

inline std::string words(const std::optional<Place>& place) {
    return place ? "step " + std::to_string(place->step) + " " + place->site : "nothing";
}

inline Place place_of(const NumericSample& sample) {
    return {sample.step, sample.component + "." + sample.site};
}

}  // namespace kinescope::faults
