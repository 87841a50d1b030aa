#include "core/models/ltx/card.h"

#include "core/api/error.h"
#include "core/base/lower_case.h"
#include "core/models/component_classes.h"
#include "core/models/discovery/model_hints.h"
#include "core/models/encoder_widths.h"
#include "core/models/ltx/preview.h"

namespace kinescope::ltx {

namespace {

/// The negative prompt that was published with the pipelines.
constexpr auto kNegativePrompt = "worst quality, inconsistent motion, blurry, jittery, distorted";

bool is_13b(const TransformerConfig& config) {
    return config.num_layers == 48 && config.dim() == 4096;
}

bool is_2b(const TransformerConfig& config) {
    return config.num_layers == 28 && config.dim() == 2048;
}

bool names_distilled(const std::filesystem::path& path) {
    const auto name = (path.has_filename() ? path : path.parent_path()).filename();
    return lower_case(name.string()).find("distilled") != std::string::npos;
}

/// Returns true for a distilled model. GGUF files and diffusers folders have no header that tells it, only the
/// published name.
bool is_distilled(const ModelFiles& files) {
    const ComponentFiles& transformer = files.component("transformer");
    const Json& config = transformer.config;
    if (config.is_object() && config.contains("ltx_distilled") && config["ltx_distilled"] == true) return true;
    return names_distilled(files.root) || names_distilled(transformer.weights);
}

std::string variant_name(const TransformerConfig& config, const VaeConfig& vae, Pipeline pipeline) {
    const std::string generation = pipeline == Pipeline::condition ? " 0.9.5+"
                                   : vae.timestep_conditioning     ? " 0.9.1"
                                                                   : " 0.9";
    if (is_13b(config)) return "LTX-Video 13B" + generation;
    if (is_2b(config)) return "LTX-Video 2B" + generation;
    return "LTX-Video" + generation + ", " + std::to_string(config.num_layers) + " layers of width " +
           std::to_string(config.dim());
}

void check_widths(const ModelFiles& files, const TransformerConfig& transformer, const VaeConfig& vae) {
    if (files.is_present("vae") && vae.latent_channels != transformer.in_channels)
        throw Error(ErrorCode::bad_config,
                    "In " + files.root.string() + " the VAE has " + std::to_string(vae.latent_channels) +
                        " latent channels and the transformer " + std::to_string(transformer.in_channels) +
                        files.mismatch_cause(),
                    {}, {{"path", files.component("vae").place().string()}});
}

void describe_sizes(const TransformerConfig& config, const VaeConfig& vae, ModelCard& card) {
    card.sizes = {{704, 480}, {480, 704}, {768, 512}, {512, 768}, {1216, 704}, {704, 1216}};
    card.default_size = is_13b(config) ? Size{768, 512} : Size{704, 480};
    card.size_multiple = static_cast<int>(vae.spatial_compression);
    card.default_num_frames = 121;
    card.num_frames_multiple = static_cast<int>(vae.temporal_compression);
    card.default_fps = kDefaultFps;
}

/// Describes a distilled model. Such models were trained for the timesteps of eight steps of the linear-quadratic
/// schedule.
void describe_distilled(ModelCard& card) {
    card.variant += " distilled";
    card.default_num_inference_steps = 8;
    card.default_guidance_scale = 1.0;
}

void describe_sampling(const TransformerConfig& config, Pipeline pipeline, ModelCard& card) {
    card.default_num_inference_steps = is_13b(config) ? 30 : 50;
    card.default_guidance_scale = 3.0;
    card.default_flow_shift.reset();  // the shift follows from the number of tokens
    card.default_negative_prompt = kNegativePrompt;
    card.max_sequence_length = max_text_tokens(pipeline);
    card.schedulers = {"flow_match_euler"};
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star, GuidanceMethod::apg};
}

void describe_tasks(const VaeConfig& vae, Pipeline pipeline, ModelCard& card) {
    card.tasks = {Task::text_to_video, Task::image_to_video};
    card.continuation = Continuation::last_frame;
    if (pipeline == Pipeline::condition) {
        card.tasks.push_back(Task::first_last_frame_to_video);
        card.takes_conditions = true;
        card.extra_fields.push_back({"image_cond_noise_scale", kImageCondNoiseScale, 0.0, 1.0});
    }
    if (!vae.timestep_conditioning) return;
    card.extra_fields.push_back({"decode_timestep", kDecodeTimestep, 0.0, 1.0});
    // The default -1 stands for the value of decode_timestep.
    card.extra_fields.push_back({"decode_noise_scale", -1.0, -1.0, 1.0});
}

}  // namespace

int max_text_tokens(Pipeline pipeline) {
    return pipeline == Pipeline::condition ? 256 : 128;
}

TransformerConfig transformer_config(const ModelFiles& files) {
    const auto& component = files.component("transformer");
    return read_transformer_config(component.config, component.folder / "config.json");
}

VaeConfig vae_config(const ModelFiles& files) {
    const auto& component = files.component("vae");
    return read_vae_config(component.config, component.folder / "config.json");
}

ScheduleConfig schedule_config(const ModelFiles& files) {
    const auto& component = files.component("scheduler");
    return read_schedule_config(component.config, component.folder / "scheduler_config.json");
}

ModelCard make_card(const ModelFiles& files) {
    check_component_classes(files);
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    const auto pipeline = pipeline_of(files);
    check_widths(files, transformer, vae);
    check_text_encoder_width(files, transformer.caption_channels);
    schedule_config(files);  // throws if the config is invalid
    ModelCard card;
    card.id = files.root.string();
    card.name =
        files.root.filename().empty() ? files.root.parent_path().filename().string() : files.root.filename().string();
    card.family = "ltx";
    card.variant = variant_name(transformer, vae, pipeline);
    describe_tasks(vae, pipeline, card);
    describe_sizes(transformer, vae, card);
    describe_sampling(transformer, pipeline, card);
    if (is_distilled(files)) describe_distilled(card);
    card.offers_vae_tiling = true;
    // The model was trained in bfloat16, and its residual stream exceeds the float16 range.
    card.fp16_safe = false;
    card.training_dtype = "bfloat16";
    card.vae_dtype = "bfloat16";  // the published pipelines decode in it
    card.float32_names = {"norm", "time_embed", "scale_shift_table", "per_channel_scale", "latents_", "proj_out"};
    describe_preview(vae, card);
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::ltx
