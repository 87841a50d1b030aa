#pragma once

#include "core/api/video_request.h"

namespace kinescope {

/// Calls `visit(name, optional value)` for each request field that only some families have.
template <class Request, class Visitor>
void visit_extra_fields(Request& request, Visitor&& visit) {
    visit("min_guidance_scale", request.min_guidance_scale);
    visit("max_guidance_scale", request.max_guidance_scale);
    visit("motion_bucket_id", request.motion_bucket_id);
    visit("noise_aug_strength", request.noise_aug_strength);
    visit("decode_chunk_size", request.decode_chunk_size);
    visit("decode_timestep", request.decode_timestep);
    visit("decode_noise_scale", request.decode_noise_scale);
    visit("image_cond_noise_scale", request.image_cond_noise_scale);
}

}  // namespace kinescope
