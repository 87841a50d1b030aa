#include "core/api/model_card.h"

#include <algorithm>

namespace kinescope {

std::string to_string(Task task) {
    switch (task) {
        case Task::text_to_video:
            return "text_to_video";
        case Task::image_to_video:
            return "image_to_video";
        case Task::first_last_frame_to_video:
            return "first_last_frame_to_video";
    }
    return "text_to_video";
}

const CardField* ModelCard::extra_field(std::string_view field) const {
    const auto found = std::find_if(extra_fields.begin(), extra_fields.end(),
                                    [field](const CardField& candidate) { return candidate.name == field; });
    return found == extra_fields.end() ? nullptr : &*found;
}

std::string display_name(const ModelCard& card) {
    return card.id == kBuiltinModel || card.variant.empty() ? card.name : card.variant;
}

}  // namespace kinescope
