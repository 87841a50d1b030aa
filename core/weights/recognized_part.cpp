#include "core/weights/recognized_part.h"

namespace kinescope {
namespace {

/// Returns true if no key has different values in the two configs. A key that only one of them contains does not
/// matter.
bool is_same_model(const Json& shapes, const Json& at_hand) {
    for (const auto& [key, value] : shapes.items()) {
        const auto found = at_hand.find(key);
        if (found == at_hand.end() || found->is_null() || value.is_null()) continue;
        if (*found != value) return false;
    }
    return true;
}

}  // namespace

Json complete_config(const RecognizedPart& part, const Json& at_hand) {
    Json config = part.assumed.is_object() ? part.assumed : Json::object();
    if (at_hand.is_object() && is_same_model(part.config, at_hand)) config.update(at_hand);
    config.update(part.config);
    return config;
}

}  // namespace kinescope
