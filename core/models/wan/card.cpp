#include "core/models/wan/card.h"

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/models/component_classes.h"
#include "core/models/discovery/model_hints.h"
#include "core/models/encoder_widths.h"
#include "core/models/wan/preview.h"
#include "core/models/wan/variants.h"

namespace kinescope::wan {

TransformerConfig transformer_config(const ModelFiles& files, const std::string& name) {
    const auto& component = files.component(name);
    return read_transformer_config(component.config, component.folder / "config.json");
}

VaeConfig vae_config(const ModelFiles& files) {
    const auto& component = files.component("vae");
    return read_vae_config(component.config, component.folder / "config.json");
}

SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes) {
    if (!files.has("scheduler")) return read_scheduler_config({}, files.root / "model_index.json", changes);
    const auto& component = files.component("scheduler");
    return read_scheduler_config(component.config, component.folder / "scheduler_config.json", changes);
}

namespace {

OwnSchedule own_schedule(const ModelFiles& files) {
    return kinescope::own_schedule([&] { return scheduler_config(files, {}); }, {});
}

/// Returns the published boundary between the experts (Wan2.2, wan/configs), for pipelines whose config has none.
double default_boundary(const TransformerConfig& transformer) {
    return transformer.condition_channels() > 0 ? 0.9 : 0.875;
}

PipelineConfig pipeline_config(const ModelFiles& files) {
    return read_pipeline_config(files.index, files.root / "model_index.json");
}

bool wants_second_expert(const ModelFiles& files) {
    return pipeline_config(files).boundary_ratio || files.has("transformer_2");
}

}  // namespace

std::optional<double> boundary_timestep(const ModelFiles& files) {
    if (!wants_second_expert(files)) return std::nullopt;
    files.component("transformer_2");
    auto ratio = pipeline_config(files).boundary_ratio;
    if (!ratio) ratio = default_boundary(transformer_config(files));
    return *ratio * own_schedule(files).config.num_train_timesteps;
}

namespace {

/// Names the component that is probably the wrong one in the error's arguments.
[[noreturn]] void refuse_part(const ModelFiles& files, const std::string& component, const std::string& reason) {
    throw Error(ErrorCode::bad_config,
                "In " + files.root.string() + " " + reason + "; the components belong to different models", {},
                {{"path", files.component(component).place().string()}});
}

/// Returns the supported schedulers, beginning with that of the model folder, which is the default.
std::vector<std::string> schedulers_for(SchedulerKind own) {
    if (own == SchedulerKind::flow_match_euler) return {"flow_match_euler", "unipc", "dpmpp_2m"};
    if (own == SchedulerKind::dpmpp_2m) return {"dpmpp_2m", "unipc", "flow_match_euler"};
    return {"unipc", "flow_match_euler", "dpmpp_2m"};
}

/// Checks that the output width of each component equals the input width of the next.
void check_widths(const ModelFiles& files, const TransformerConfig& transformer, const VaeConfig& vae) {
    if (vae.z_dim != transformer.out_channels)
        refuse_part(files, "vae",
                    "the VAE has " + std::to_string(vae.z_dim) + " latent channels and the transformer outputs " +
                        std::to_string(transformer.out_channels));
    const auto s = vae.scale_factor_spatial();
    if (transformer.has_vace() && transformer.vace_in_channels != 2 * vae.z_dim + s * s)
        refuse_part(files, "vae",
                    "the transformer takes " + std::to_string(transformer.vace_in_channels) +
                        " control channels, but control latents and mask have " +
                        std::to_string(2 * vae.z_dim + s * s));
    const auto condition = transformer.condition_channels();
    if (condition != 0 && condition != vae.scale_factor_temporal() + vae.z_dim)
        refuse_part(files, "vae",
                    "the transformer takes " + std::to_string(condition) +
                        " channels in addition to the latents, but mask and image latents have " +
                        std::to_string(vae.scale_factor_temporal() + vae.z_dim));
}

/// Throws Error(bad_config) if the experts take different inputs.
void check_experts(const ModelFiles& files, const TransformerConfig& first) {
    if (!files.is_present("transformer_2")) return;
    const auto second = transformer_config(files, "transformer_2");
    if (second.in_channels != first.in_channels || second.out_channels != first.out_channels ||
        second.text_dim != first.text_dim || second.image_dim != first.image_dim ||
        second.vace_in_channels != first.vace_in_channels || second.vace_layers.size() != first.vace_layers.size())
        refuse_part(files, "transformer_2", "transformer and transformer_2 take different inputs");
}

/// Returns the components that the denoiser needs but the model's index does not list.
std::vector<std::string> unlisted_parts(const ModelFiles& files, const Traits& traits) {
    std::vector<std::string> parts;
    if (traits.has_two_experts && !files.has("transformer_2")) parts.emplace_back("transformer_2");
    if (traits.transformer.has_image_branch() && !files.has("image_encoder")) parts.emplace_back("image_encoder");
    return parts;
}

/// The block that is usually skipped in the 1.3B and 14B models; the middle one of smaller models.
constexpr int kUsualSkippedBlock = 9;

void describe_guidance(const TransformerConfig& transformer, ModelCard& card) {
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star, GuidanceMethod::apg,
                             GuidanceMethod::skip_layer, GuidanceMethod::nag};
    card.num_blocks = static_cast<int>(transformer.num_layers);
    card.default_skip_layers = {kUsualSkippedBlock < card.num_blocks ? kUsualSkippedBlock : card.num_blocks / 2};
}

}  // namespace

ModelCard make_card(const ModelFiles& files) {
    check_component_classes(files);
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    if (files.is_present("vae")) check_widths(files, transformer, vae);
    check_text_encoder_width(files, transformer.text_dim);
    if (transformer.has_image_branch()) check_image_encoder_width(files, transformer.image_dim);
    const Traits traits{.transformer = transformer,
                        .has_two_experts = wants_second_expert(files),
                        .expands_timesteps = pipeline_config(files).expand_timesteps};
    if (traits.has_two_experts) check_experts(files, transformer);
    const auto [scheduler, fault] = own_schedule(files);
    ModelCard card;
    card.id = files.root.string();
    card.name =
        files.root.filename().empty() ? files.root.parent_path().filename().string() : files.root.filename().string();
    card.family = "wan";
    card.missing = unlisted_parts(files, traits);
    card.tasks = tasks_of(traits);
    describe_inputs(traits, card);
    describe_variant(traits, card);
    describe_preview(vae, card);
    card.size_multiple = static_cast<int>(vae.scale_factor_spatial() * transformer.patch_size[1]);
    card.num_frames_multiple = static_cast<int>(vae.scale_factor_temporal());
    describe_guidance(transformer, card);
    card.offers_variations = true;
    if (vae.has_published_latents()) card.tiny_decoders = {vae.z_dim == 48 ? "taew2_2" : "taew2_1"};
    if (files.has("scheduler")) card.default_flow_shift = scheduler.flow_shift;
    card.schedulers = schedulers_for(scheduler.kind);
    card.scheduler_fault = fault;
    // The model is not safe in float16: with published Wan weights, the feed-forward of late blocks exceeds its range.
    card.fp16_safe = false;
    card.float32_names = {"condition_embedder.time", "scale_shift_table", "norm", "proj_out"};
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::wan
