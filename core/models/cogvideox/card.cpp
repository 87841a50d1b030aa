#include "core/models/cogvideox/card.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/models/cogvideox/preview.h"
#include "core/models/component_classes.h"
#include "core/models/discovery/model_hints.h"
#include "core/models/encoder_widths.h"

namespace kinescope::cogvideox {

namespace {

bool is_15(const TransformerConfig& config) {
    return config.patch_size_t > 0;
}

/// Returns true for CogVideoX-2B, the only model with neither rotary nor learned positions. It was trained in float16.
bool is_2b(const TransformerConfig& config) {
    return config.position_table == PositionTable::sin_cos;
}

std::string variant_name(const TransformerConfig& config) {
    std::string name = is_15(config) ? "CogVideoX 1.5 5B" : is_2b(config) ? "CogVideoX 2B" : "CogVideoX 5B";
    if (config.takes_image()) name += " I2V";
    const bool is_published = config.dim() == (is_2b(config) ? 1920 : 3072);
    if (is_published) return name;
    return name + ", " + std::to_string(config.num_layers) + " layers of width " + std::to_string(config.dim());
}

/// Sets the supported sizes. Version 1.0 supports only its native size. The native size of 1.5 is a square of its
/// largest sides, which is not useful, so its published sizes are used.
void describe_sizes(const TransformerConfig& config, const VaeConfig& vae, ModelCard& card) {
    const auto scale = vae.scale_factor_spatial();
    const Size native{static_cast<int>(config.sample_width * scale), static_cast<int>(config.sample_height * scale)};
    card.sizes = is_15(config) ? std::vector<Size>{{1360, 768}, {768, 1360}} : std::vector<Size>{native};
    card.default_size = card.sizes.front();
    card.size_multiple = static_cast<int>(scale * config.patch_size);
}

/// Checks that the output width of each component equals the input width of the next.
void check_widths(const ModelFiles& files, const TransformerConfig& transformer, const VaeConfig& vae) {
    if (files.is_present("vae") && vae.latent_channels != transformer.out_channels)
        throw Error(ErrorCode::bad_config,
                    "In " + files.root.string() + " the VAE has " + std::to_string(vae.latent_channels) +
                        " latent channels and the transformer outputs " + std::to_string(transformer.out_channels) +
                        files.mismatch_cause(),
                    {}, {{"path", files.component("vae").place().string()}});
}

/// The denoiser for control videos has the class and the shapes of the one for images. Only the pipeline differs.
void check_pipeline(const ModelFiles& files) {
    const auto found = files.index.find("_class_name");
    if (found == files.index.end() || *found != "CogVideoXFunControlPipeline") return;
    throw Error(ErrorCode::unsupported,
                files.root.string() + " is a CogVideoX model that takes a control video, which is not supported",
                "Choose a CogVideoX model for text or images.", {{"path", files.root.string()}});
}

void describe_sampling(const TransformerConfig& transformer, const SchedulerConfig& scheduler, ModelCard& card) {
    card.default_num_frames = static_cast<int>(transformer.sample_frames);
    card.num_frames_multiple = kTemporalCompression;
    card.default_fps = is_15(transformer) ? 16 : 8;
    card.default_guidance_scale = 6.0;
    card.default_flow_shift.reset();
    card.max_sequence_length = static_cast<int>(transformer.max_text_seq_length);
    card.schedulers = {"cogvideox_ddim", "cogvideox_dpm"};
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::apg};  // CFG-Zero* is for flow matching
    card.tiny_decoders = {"taecvx"};
    if (scheduler.kind == SchedulerKind::cogvideox_dpm) std::reverse(card.schedulers.begin(), card.schedulers.end());
    // Models that were published with the DPM scheduler use dynamic guidance.
    card.default_use_dynamic_cfg = scheduler.kind == SchedulerKind::cogvideox_dpm;
}

}  // namespace

TransformerConfig transformer_config(const ModelFiles& files) {
    const auto& component = files.component("transformer");
    return read_transformer_config(component.config, component.folder / "config.json");
}

/// Reads the VAE's config. Derives a missing scaling factor from the transformer's version, because the VAE's weights
/// do not reveal it.
VaeConfig vae_config(const ModelFiles& files) {
    const auto& component = files.component("vae");
    const auto transformer = transformer_config(files);
    Json config = component.config.is_null() ? Json::object() : component.config;
    if (config.is_object() && !config.contains("scaling_factor"))
        config.update(
            {{"scaling_factor", is_2b(transformer) ? 1.15258426 : 0.7}, {"invert_scale_latents", is_15(transformer)}});
    return read_vae_config(config, component.folder / "config.json");
}

SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes) {
    const auto& component = files.component("scheduler");
    return read_scheduler_config(component.config, component.folder / "scheduler_config.json", changes);
}

ModelCard make_card(const ModelFiles& files) {
    check_pipeline(files);
    check_component_classes(files);
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    check_widths(files, transformer, vae);
    check_text_encoder_width(files, transformer.text_embed_dim);
    ModelCard card;
    card.id = files.root.string();
    card.name =
        files.root.filename().empty() ? files.root.parent_path().filename().string() : files.root.filename().string();
    card.family = "cogvideox";
    card.variant = variant_name(transformer);
    card.tasks = {transformer.takes_image() ? Task::image_to_video : Task::text_to_video};
    if (transformer.takes_image())
        card.continuation = Continuation::last_frame;
    else
        card.video_use = VideoUse::start;
    describe_sizes(transformer, vae, card);
    const auto [scheduler, fault] =
        own_schedule([&] { return scheduler_config(files, {}); }, {.kind = SchedulerKind::cogvideox_ddim});
    describe_sampling(transformer, scheduler, card);
    card.scheduler_fault = fault;
    card.offers_vae_tiling = true;
    describe_preview(vae, card);
    // CogVideoX-5B and 1.5 were trained in bfloat16, and their activations exceed the float16 range.
    card.fp16_safe = is_2b(transformer);
    card.training_dtype = is_2b(transformer) ? "float16" : "bfloat16";
    card.vae_dtype = "bfloat16";  // as in the published pipelines
    card.float32_names = {"norm", "time_embedding", "ofs_embedding", "pos_embedding", "proj_out"};
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::cogvideox
