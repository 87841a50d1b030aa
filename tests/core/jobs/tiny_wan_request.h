#pragma once

#include <string>

#include "core/api/video_request.h"

namespace kinescope::testing {

/// Returns a request for a video of the tiny Wan model in tests/data/wan_t2v, in three steps.
inline VideoRequest tiny_wan_request() {
    VideoRequest request;
    request.model = std::string(KINESCOPE_TEST_DATA) + "/wan_t2v/model";
    request.prompt = "A red panda dances in the rain, cinematic light.";
    request.negative_prompt = "";
    request.width = 48;
    request.height = 32;
    request.num_frames = 9;
    request.num_inference_steps = 3;
    request.seed = 42;
    request.device = "cpu";
    return request;
}

}  // namespace kinescope::testing
