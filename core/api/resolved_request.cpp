#include "core/api/resolved_request.h"

#include <algorithm>
#include <type_traits>

#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"

namespace kinescope {

namespace {

ResolvedContent resolve_content(const VideoRequest& filled) {
    return {.model = filled.model,
            .components = filled.components,
            .loras = filled.loras,
            .prompt = filled.prompt,
            .negative_prompt = *filled.negative_prompt,
            .image = filled.image.value_or(""),
            .last_image = filled.last_image.value_or(""),
            .conditions = filled.conditions,
            .image_fit = filled.image_fit,
            .video = filled.video.value_or(""),
            .mask = filled.mask.value_or(""),
            .reference_images = filled.reference_images,
            .control = filled.control,
            .control_fit = filled.control_fit,
            .continue_video = filled.continue_video.value_or(""),
            .next_prompts = filled.next_prompts,
            .width = *filled.width,
            .height = *filled.height,
            .num_frames = *filled.num_frames,
            .fps = *filled.fps,
            .originals = filled.originals};
}

ResolvedSampling resolve_sampling(const VideoRequest& filled, std::uint64_t seed) {
    const ResolvedSampling neutral;
    return {
        .seed = filled.seed.value_or(seed),
        .scheduler = filled.scheduler.value_or(neutral.scheduler),
        .num_inference_steps = *filled.num_inference_steps,
        .strength = filled.strength.value_or(neutral.strength),
        .conditioning_scale = filled.conditioning_scale,
        .guidance_scale = *filled.guidance_scale,
        .guidance_scale_2 = filled.guidance_scale_2.value_or(*filled.guidance_scale),
        .use_dynamic_cfg = filled.use_dynamic_cfg.value_or(neutral.use_dynamic_cfg),
        .guidance_start = filled.guidance_start.value_or(neutral.guidance_start),
        .guidance_stop = filled.guidance_stop.value_or(neutral.guidance_stop),
        .step_cache = filled.step_cache.value_or(neutral.step_cache),
        .flow_shift = filled.flow_shift.value_or(neutral.flow_shift),
        .max_sequence_length = *filled.max_sequence_length,
        .variation_of = filled.variation_of,
        .variation_strength = filled.variation_of ? filled.variation_strength.value_or(neutral.variation_strength)
                                                  : neutral.variation_strength,
        .guidance_method = filled.guidance_method.value_or(neutral.guidance_method),
        .skip_layer_guidance_layers = filled.skip_layer_guidance_layers.value_or(neutral.skip_layer_guidance_layers)};
}

/// Resolves the fields of ResolvedCompute. In a reproducible run, VideoRequest::reproducible is the number of threads,
/// and VideoRequest::threads is ignored.
ResolvedCompute resolve_compute(const VideoRequest& filled) {
    const ResolvedCompute neutral;
    return {.device = filled.device,
            .dtype = filled.dtype,
            .storage = filled.storage,
            .text_encoder_dtype = filled.text_encoder_dtype,
            .vae_dtype = filled.vae_dtype,
            .half_accumulation = filled.half_accumulation,
            .guard = filled.guard,
            .override_source = filled.overrides ? OverrideSource::request : OverrideSource::learned,
            .overrides = filled.overrides.value_or(neutral.overrides),
            .offload = filled.offload,
            .vae_tiling = filled.vae_tiling.value_or(neutral.vae_tiling),
            .decode = filled.decode,
            .previews = filled.previews,
            .preview_decoder = filled.preview_decoder.value_or(neutral.preview_decoder),
            .max_memory_bytes = filled.max_memory_bytes.value_or(neutral.max_memory_bytes),
            .threads = filled.reproducible ? *filled.reproducible : filled.threads.value_or(neutral.threads),
            .reproducible = filled.reproducible ? Reproducibility::on : Reproducibility::off};
}

template <class Part, class Request>
auto& part_of(Request& request) {
    if constexpr (std::is_same_v<Part, ResolvedSampling>)
        return request.sampling;
    else
        return request.compute;
}

/// Copies the extra fields that are set. The others, which the model does not have, keep their neutral values.
void resolve_extra_fields(const VideoRequest& filled, ResolvedRequest& resolved) {
    for_each_extra_field([&]<class Value, class Part>(const ExtraField<Value, Part>& field) {
        if (const auto& value = filled.*(field.member)) part_of<Part>(resolved).*(field.resolved) = *value;
    });
}

void write_extra_fields(const ResolvedRequest& resolved, const ModelCard& card, VideoRequest& request) {
    for_each_extra_field([&]<class Value, class Part>(const ExtraField<Value, Part>& field) {
        if (card.extra_field(field.name)) request.*(field.member) = part_of<Part>(resolved).*(field.resolved);
    });
}

/// Fields of other methods keep their neutral values.
void resolve_guidance_fields(const VideoRequest& filled, ResolvedSampling& sampling) {
    for_each_guidance_field([&](const auto& field) {
        if (const auto& value = filled.*(field.member)) sampling.*(field.resolved) = *value;
    });
}

void write_guidance(const ResolvedSampling& sampling, VideoRequest& request) {
    const GuidanceMethod method = sampling.guidance_method;
    if (method == GuidanceMethod::standard) return;
    request.guidance_method = method;
    for_each_guidance_field([&](const auto& field) {
        if (field.method == method) request.*(field.member) = sampling.*(field.resolved);
    });
    if (method == GuidanceMethod::skip_layer) request.skip_layer_guidance_layers = sampling.skip_layer_guidance_layers;
}

ResolvedOutput resolve_output(const OutputRequest& output) {
    return {.file = output.file,
            .overwrite = output.overwrite,
            .codec = output.codec,
            .crf = output.crf.value_or(kDefaultCrf),
            .settings = output.settings,
            .numeric_log = output.numeric_log,
            .numeric_csv = output.numeric_csv,
            .latents = output.latents,
            .frames = output.frames,
            .preview_dir = output.preview_dir};
}

template <class Value>
std::optional<Value> unless(const Value& neutral, const Value& value) {
    return value == neutral ? std::nullopt : std::optional<Value>(value);
}

void write_content(const ResolvedContent& content, VideoRequest& request) {
    request.model = content.model;
    request.components = content.components;
    request.loras = content.loras;
    request.prompt = content.prompt;
    request.negative_prompt = content.negative_prompt;
    request.image = unless({}, content.image);
    request.last_image = unless({}, content.last_image);
    request.conditions = content.conditions;
    request.image_fit = content.image_fit;
    request.video = unless({}, content.video);
    request.mask = unless({}, content.mask);
    request.reference_images = content.reference_images;
    request.control = content.control;
    request.control_fit = content.control_fit;
    request.continue_video = unless({}, content.continue_video);
    request.next_prompts = content.next_prompts;
    request.width = content.width;
    request.height = content.height;
    request.num_frames = content.num_frames;
    request.fps = content.fps;
    request.originals = content.originals;
}

void write_sampling(const ResolvedSampling& sampling, const ModelCard& card, VideoRequest& request) {
    const ResolvedSampling neutral;
    request.seed = sampling.seed;
    request.scheduler = unless(neutral.scheduler, sampling.scheduler);
    request.num_inference_steps = sampling.num_inference_steps;
    if (request.video && card.video_use == VideoUse::start) request.strength = sampling.strength;
    request.conditioning_scale = sampling.conditioning_scale;
    request.guidance_scale = sampling.guidance_scale;
    if (card.default_guidance_scale_2) request.guidance_scale_2 = sampling.guidance_scale_2;
    if (card.default_use_dynamic_cfg) request.use_dynamic_cfg = sampling.use_dynamic_cfg;
    request.guidance_start = unless(neutral.guidance_start, sampling.guidance_start);
    request.guidance_stop = unless(neutral.guidance_stop, sampling.guidance_stop);
    request.step_cache = unless(neutral.step_cache, sampling.step_cache);
    if (card.default_flow_shift) request.flow_shift = sampling.flow_shift;
    request.max_sequence_length = sampling.max_sequence_length;
    if (sampling.variation_of) {
        request.variation_of = sampling.variation_of;
        request.variation_strength = sampling.variation_strength;
    }
    write_guidance(sampling, request);
}

void write_compute(const ResolvedCompute& compute, VideoRequest& request) {
    const ResolvedCompute neutral;
    request.device = compute.device;
    request.dtype = compute.dtype;
    request.storage = compute.storage;
    request.text_encoder_dtype = compute.text_encoder_dtype;
    request.vae_dtype = compute.vae_dtype;
    request.half_accumulation = compute.half_accumulation;
    request.guard = compute.guard;
    if (compute.override_source == OverrideSource::request) request.overrides = compute.overrides;
    request.offload = compute.offload;
    request.vae_tiling = unless(neutral.vae_tiling, compute.vae_tiling);
    request.decode = compute.decode;
    request.previews = compute.previews;
    request.preview_decoder = unless(neutral.preview_decoder, compute.preview_decoder);
    request.max_memory_bytes = unless(neutral.max_memory_bytes, compute.max_memory_bytes);
    if (compute.reproducible == Reproducibility::on)
        request.reproducible = compute.threads;
    else
        request.threads = unless(neutral.threads, compute.threads);
}

}  // namespace

ResolvedRequest resolve_request(const VideoRequest& request, const ModelCard& card, std::uint64_t seed) {
    const VideoRequest filled = with_defaults(request, card);
    ResolvedRequest resolved{.content = resolve_content(filled),
                             .sampling = resolve_sampling(filled, seed),
                             .compute = resolve_compute(filled),
                             .finish = filled.finish,
                             .output = resolve_output(filled.output)};
    resolve_extra_fields(filled, resolved);
    resolve_guidance_fields(filled, resolved.sampling);
    return resolved;
}

VideoRequest to_request(const ResolvedRequest& resolved, const ModelCard& card) {
    VideoRequest request;
    write_content(resolved.content, request);
    write_sampling(resolved.sampling, card, request);
    write_compute(resolved.compute, request);
    write_extra_fields(resolved, card, request);
    request.finish = resolved.finish;
    request.output = to_request(resolved.output);
    return request;
}

OutputRequest to_request(const ResolvedOutput& output) {
    return {.file = output.file,
            .overwrite = output.overwrite,
            .codec = output.codec,
            .crf = unless(kDefaultCrf, output.crf),
            .settings = output.settings,
            .numeric_log = output.numeric_log,
            .numeric_csv = output.numeric_csv,
            .latents = output.latents,
            .frames = output.frames,
            .preview_dir = output.preview_dir};
}

namespace {

bool is_any_above_one(std::initializer_list<double> scales) {
    return std::ranges::any_of(scales, [](double scale) { return scale > 1; });
}

}  // namespace

int steps_to_run(const ResolvedSampling& sampling) {
    const int steps = sampling.num_inference_steps;
    return std::min(static_cast<int>(steps * sampling.strength), steps);
}

int steps_to_run(const VideoRequest& request) {
    return steps_before(request, num_parts(request));
}

int steps_before(const VideoRequest& request, int part) {
    if (part == 0) return 0;
    ResolvedSampling sampling;
    sampling.num_inference_steps = request.num_inference_steps.value_or(0);
    sampling.strength = request.strength.value_or(sampling.strength);  // of the input video, which the first part has
    return steps_to_run(sampling) + (part - 1) * sampling.num_inference_steps;
}

bool is_guided(const ResolvedSampling& sampling) {
    return is_any_above_one({sampling.guidance_scale, sampling.guidance_scale_2, sampling.max_guidance_scale});
}

bool is_guided(const VideoRequest& request) {
    return is_any_above_one({request.guidance_scale.value_or(1), request.guidance_scale_2.value_or(1),
                             request.max_guidance_scale.value_or(1)});
}

bool uses_negative_prompt(const ResolvedSampling& sampling) {
    return is_guided(sampling) || sampling.guidance_method == GuidanceMethod::nag;
}

bool uses_negative_prompt(const VideoRequest& request) {
    return is_guided(request) || request.guidance_method == GuidanceMethod::nag;
}

}  // namespace kinescope
