#include "core/api/model_card.h"

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

}  // namespace kinescope
