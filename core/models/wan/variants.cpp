#include "core/models/wan/variants.h"

namespace kinescope::wan {

namespace {

const std::vector<Size> k480p = {{832, 480}, {480, 832}};
const std::vector<Size> k480pAnd720p = {{832, 480}, {480, 832}, {1280, 720}, {720, 1280}};
const std::vector<Size> k720pAnd480p = {{1280, 720}, {720, 1280}, {832, 480}, {480, 832}};
const std::vector<Size> k704p = {{1280, 704}, {704, 1280}};

/// The authors' negative prompt, and the prefix that they add to it for models prone to camera shake and cuts.
constexpr auto kNegativePrompt =
    "色调艳丽，过曝，静态，细节模糊不清，字幕，风格，作品，画作，画面，静止，整体发灰，最差质量，低质量，JPEG压缩残留，"
    "丑陋的，残缺的，多余的手指，画得不好的手部，画得不好的脸部，畸形的，毁容的，形态畸形的肢体，手指融合，"
    "静止不动的画面，杂乱的背景，三条腿，背景人很多，倒着走";
constexpr auto kNoShaking = "镜头晃动，";
constexpr auto kNoCuts = "镜头切换，镜头晃动，";

/// The defaults of each kind of model, from the authors' configurations (Wan2.1 and Wan2.2, wan/configs).
struct Kind {
    const char* name;
    std::vector<Size> sizes;
    double flow_shift = 5.0;
    double guidance_scale = 5.0;
    std::optional<double> guidance_scale_2 = std::nullopt;
    int num_inference_steps = 50;
    const char* before_negative_prompt = "";
    int num_frames = 81;
    int fps = 16;
};

Kind kind_of(const Traits& traits) {
    const auto& transformer = traits.transformer;
    const bool takes_image = transformer.condition_channels() > 0;
    if (transformer.has_vace() && traits.has_two_experts)
        return {.name = "Wan 2.2 VACE",
                .sizes = k720pAnd480p,
                .flow_shift = kFlowShiftOfTextExperts,
                .guidance_scale = 4.0,
                .guidance_scale_2 = 3.0,
                .num_inference_steps = 40};
    if (transformer.has_vace()) return {.name = "Wan 2.1 VACE", .sizes = k480pAnd720p};
    if (traits.expands_timesteps) return {.name = "Wan 2.2 TI2V", .sizes = k704p, .num_frames = 121, .fps = 24};
    if (traits.has_two_experts && takes_image)
        return {.name = "Wan 2.2 I2V",
                .sizes = k720pAnd480p,
                .guidance_scale = 3.5,
                .guidance_scale_2 = 3.5,
                .num_inference_steps = 40};
    if (traits.has_two_experts)
        return {.name = "Wan 2.2 T2V",
                .sizes = k720pAnd480p,
                .flow_shift = kFlowShiftOfTextExperts,
                .guidance_scale = 4.0,
                .guidance_scale_2 = 3.0,
                .num_inference_steps = 40};
    if (transformer.pos_embed_seq_len > 0)
        return {.name = "Wan 2.1 FLF2V",
                .sizes = k720pAnd480p,
                .flow_shift = 16.0,
                .guidance_scale = 5.5,
                .before_negative_prompt = kNoCuts};
    if (takes_image && !transformer.has_image_branch())  // an expert without the other one, or both merged
        return {.name = "Wan 2.2 I2V (one expert)",
                .sizes = k720pAnd480p,
                .guidance_scale = 3.5,
                .num_inference_steps = 40};
    if (takes_image)
        return {.name = "Wan 2.1 I2V",
                .sizes = k480pAnd720p,
                .flow_shift = 3.0,
                .num_inference_steps = 40,
                .before_negative_prompt = kNoShaking};
    return {.name = "Wan 2.1 T2V", .sizes = k480pAnd720p};
}

/// Returns the name of a published size. "1.3B" was trained only at 480p.
const char* size_of(const TransformerConfig& config) {
    if (config.num_layers == 40 && config.dim() == 5120) return "14B";
    if (config.num_layers == 30 && config.dim() == 1536) return "1.3B";
    if (config.num_layers == 30 && config.dim() == 3072) return "5B";
    return nullptr;
}

/// Returns the usual name, e.g. "Wan 2.2 T2V A14B", where A stands for "active": one of two experts.
std::string full_name(const Kind& kind, const Traits& traits) {
    const std::string name = kind.name;
    if (const auto* size = size_of(traits.transformer)) return name + (traits.has_two_experts ? " A" : " ") + size;
    return name + ", " + std::to_string(traits.transformer.num_layers) + " layers of width " +
           std::to_string(traits.transformer.dim());
}

}  // namespace

std::vector<Task> tasks_of(const Traits& traits) {
    const auto& transformer = traits.transformer;
    if (transformer.has_vace()) return {Task::text_to_video, Task::image_to_video, Task::first_last_frame_to_video};
    if (transformer.pos_embed_seq_len > 0) return {Task::first_last_frame_to_video};
    if (traits.expands_timesteps) return {Task::text_to_video, Task::image_to_video};
    if (transformer.condition_channels() == 0) return {Task::text_to_video};
    if (transformer.has_image_branch()) return {Task::image_to_video};
    return {Task::image_to_video, Task::first_last_frame_to_video};
}

void describe_inputs(const Traits& traits, ModelCard& card) {
    const auto& transformer = traits.transformer;
    if (transformer.has_vace()) {
        card.video_use = VideoUse::control;
        card.continuation = Continuation::control;
        card.num_control_blocks = static_cast<int>(transformer.vace_layers.size());
        return;
    }
    const bool takes_image = transformer.condition_channels() > 0;
    if (!takes_image) card.video_use = VideoUse::start;
    card.continuation = takes_image || traits.expands_timesteps ? Continuation::last_frame : Continuation::last_latents;
}

void describe_variant(const Traits& traits, ModelCard& card) {
    const auto& transformer = traits.transformer;
    const auto kind = kind_of(traits);
    card.variant = full_name(kind, traits);
    card.sizes = transformer.dim() < 5120 && kind.sizes == k480pAnd720p ? k480p : kind.sizes;
    card.default_size = card.sizes.front();
    card.default_flow_shift = kind.flow_shift;
    card.default_guidance_scale = kind.guidance_scale;
    card.default_guidance_scale_2 = kind.guidance_scale_2;
    card.default_num_inference_steps = kind.num_inference_steps;
    card.default_num_frames = kind.num_frames;
    card.default_fps = kind.fps;
    if (size_of(transformer) != nullptr)
        card.default_negative_prompt = std::string(kind.before_negative_prompt) + kNegativePrompt;
}

}  // namespace kinescope::wan
