#pragma once

#include <tuple>

#include "core/api/resolved_request.h"
#include "core/api/video_request.h"

namespace kinescope {

/// A request field that only some families have. ModelCard::extra_fields names those of a model, with their range.
template <class Value, class Part>
struct ExtraField {
    const char* name;                            ///< as in JSON; on the command line in kebab case
    std::optional<Value> VideoRequest::*member;  ///< the value in a request
    Value Part::*resolved;                       ///< the value in that part of a resolved request
    const char* value;                           ///< stands for the value in `--help`
    const char* help;
};
template <class Value, class Part>
ExtraField(const char*, std::optional<Value> VideoRequest::*, Value Part::*, const char*, const char*)
    -> ExtraField<Value, Part>;

/// All extra fields. An entry here makes a field known to JSON, the command line, validation and the resolved request.
inline constexpr std::tuple kExtraFields{
    ExtraField{"min_guidance_scale", &VideoRequest::min_guidance_scale, &ResolvedSampling::min_guidance_scale, "X",
               "Guidance scale of the first frame (SVD)"},
    ExtraField{"max_guidance_scale", &VideoRequest::max_guidance_scale, &ResolvedSampling::max_guidance_scale, "X",
               "Guidance scale of the last frame (SVD); 1 or less disables guidance"},
    ExtraField{"motion_bucket_id", &VideoRequest::motion_bucket_id, &ResolvedSampling::motion_bucket_id, "N",
               "Amount of motion (SVD)"},
    ExtraField{"noise_aug_strength", &VideoRequest::noise_aug_strength, &ResolvedSampling::noise_aug_strength, "X",
               "Noise added to the image (SVD); more noise allows larger changes"},
    ExtraField{"decode_chunk_size", &VideoRequest::decode_chunk_size, &ResolvedCompute::decode_chunk_size, "N",
               "Number of frames that the VAE decodes together (SVD)"},
    ExtraField{"decode_timestep", &VideoRequest::decode_timestep, &ResolvedSampling::decode_timestep, "0..1",
               "Noise level that the VAE removes (LTX-Video)"},
    ExtraField{"decode_noise_scale", &VideoRequest::decode_noise_scale, &ResolvedSampling::decode_noise_scale, "X",
               "Noise added to the latents before decoding (LTX-Video); below 0: same as --decode-timestep"},
    ExtraField{"image_cond_noise_scale", &VideoRequest::image_cond_noise_scale,
               &ResolvedSampling::image_cond_noise_scale, "0..1",
               "Noise added to condition images in each step (LTX-Video)"}};

/// Calls `visit(field)` for each extra field.
template <class Visitor>
void for_each_extra_field(Visitor&& visit) {
    std::apply([&](const auto&... fields) { (visit(fields), ...); }, kExtraFields);
}

/// Calls `visit(name, optional value)` for each extra field of `request`.
template <class Request, class Visitor>
void visit_extra_fields(Request& request, Visitor&& visit) {
    for_each_extra_field([&](const auto& field) { visit(field.name, request.*(field.member)); });
}

}  // namespace kinescope
