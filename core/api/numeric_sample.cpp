#include "core/api/numeric_sample.h"

namespace kinescope {

std::string to_string(Phase phase) {
    switch (phase) {
        case Phase::load:
            return "load";
        case Phase::encode:
            return "encode";
        case Phase::denoise:
            return "denoise";
        case Phase::decode:
            return "decode";
        case Phase::save:
            return "save";
    }
    return "load";
}

std::optional<Phase> phase_from(std::string_view name) {
    for (const Phase phase : {Phase::load, Phase::encode, Phase::denoise, Phase::decode, Phase::save})
        if (to_string(phase) == name) return phase;
    return std::nullopt;
}

}  // namespace kinescope
