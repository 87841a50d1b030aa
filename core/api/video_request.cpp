#include "core/api/video_request.h"

#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"
#include "core/api/joined.h"
#include "core/api/scheduler_names.h"

namespace kinescope {

namespace {

/// Fills the fields of the request's guidance method.
void fill_guidance(VideoRequest& request, const ModelCard& card) {
    const GuidanceMethod method = request.guidance_method.value_or(GuidanceMethod::standard);
    for_each_guidance_field([&](const auto& field) {
        auto& value = request.*(field.member);
        if (field.method == method && !value) value = field.fallback;
    });
    if (method == GuidanceMethod::skip_layer && !request.skip_layer_guidance_layers)
        request.skip_layer_guidance_layers = card.default_skip_layers;
    // Normalized attention guidance replaces the second evaluation.
    if (method == GuidanceMethod::nag && !request.guidance_scale) request.guidance_scale = 1;
}

}  // namespace

VideoRequest with_defaults(VideoRequest request, const ModelCard& card) {
    const auto fill = [](auto& field, const auto& value) {
        if (!field) field = value;
    };
    fill_guidance(request, card);
    if (request.variation_of) fill(request.variation_strength, kDefaultVariationStrength);
    fill(request.negative_prompt, card.default_negative_prompt);
    fill(request.width, card.default_size.width);
    fill(request.height, card.default_size.height);
    fill(request.num_frames, card.default_num_frames);
    fill(request.fps, card.default_fps);
    fill(request.num_inference_steps, card.default_num_inference_steps);
    // A requested scale applies to both experts unless the second expert has its own.
    if (card.default_guidance_scale_2 && !request.guidance_scale_2)
        request.guidance_scale_2 = request.guidance_scale ? request.guidance_scale : card.default_guidance_scale_2;
    if (request.video && card.video_use == VideoUse::start) fill(request.strength, card.default_strength);
    fill(request.guidance_scale, card.default_guidance_scale);
    if (!request.use_dynamic_cfg) request.use_dynamic_cfg = card.default_use_dynamic_cfg;
    if (!request.flow_shift) request.flow_shift = card.default_flow_shift;
    fill(request.max_sequence_length, card.max_sequence_length);
    visit_extra_fields(request, [&](const char* name, auto& value) {
        using Value = typename std::decay_t<decltype(value)>::value_type;
        if (const CardField* field = card.extra_field(name)) fill(value, static_cast<Value>(field->default_value));
    });
    if (!card.schedulers.empty() && card.scheduler_fault.empty()) fill(request.scheduler, card.schedulers.front());
    if (request.scheduler) request.scheduler = short_scheduler_name(*request.scheduler);
    return request;
}

Error bad_request(const std::vector<Fault>& faults) {
    std::map<std::string, std::string> arguments;
    for (const Fault& fault : faults)
        if (!fault.field.empty()) arguments.emplace(fault.field, fault.fix);
    return Error(ErrorCode::bad_request, joined(faults, "\n", &Fault::message), {}, std::move(arguments));
}

}  // namespace kinescope
