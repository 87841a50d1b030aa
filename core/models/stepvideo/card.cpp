#include "core/models/stepvideo/card.h"

#include <algorithm>
#include <cctype>

#include "core/api/error.h"
#include "core/models/discovery/model_hints.h"

namespace kinescope::stepvideo {

namespace {

/// The suffix that the authors' program appends to every prompt, and its fixed negative prompt.
constexpr auto kPromptSuffix =
    "超高清、HDR "
    "视频、环境光、杜比全景声、画面稳定、流畅动作、逼真的细节、专业级构图、超现实主义、自然、生动、超细节、清晰。";
constexpr auto kNegativePrompt =
    "画面暗、低分辨率、不良手、文本、缺少手指、多余的手指、裁剪、低质量、颗粒状、签名、水印、用户名、模糊。";

std::string folder_name(const ModelFiles& files) {
    const auto name = files.root.filename();
    return name.empty() ? files.root.parent_path().filename().string() : name.string();
}

/// The published variants. Turbo is distilled for few steps. Its configs equal those of the full model, so only the
/// folder's name identifies it.
enum class Release { full, turbo };

Release release_of(const ModelFiles& files) {
    auto name = folder_name(files);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name.find("turbo") == std::string::npos ? Release::full : Release::turbo;
}

/// Returns the VAE's weights, or null if their file does not exist yet.
std::shared_ptr<const CheckpointReader> vae_weights(const ModelFiles& files) {
    try {
        return files.open_weights("vae");
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_not_found) throw;
        return nullptr;
    }
}

/// Returns the VAE's config from its folder, otherwise from its weights' metadata. Returns null if neither has one; the
/// published values then apply.
Json vae_json(const ModelFiles& files) {
    const auto& component = files.component("vae");
    if (!component.config.is_null()) return component.config;
    const auto reader = vae_weights(files);
    if (!reader) return {};
    const auto found = reader->metadata().find("config");
    if (found == reader->metadata().end()) return {};
    try {
        return parse_json(found->second);
    } catch (const JsonError& error) {
        throw Error(ErrorCode::bad_config, reader->files().front().string() +
                                               ": the config in its metadata is not valid JSON: " + error.what());
    }
}

[[noreturn]] void refuse_width(const ModelFiles& files, const std::string& part, std::int64_t gives,
                               std::int64_t taken) {
    throw Error(ErrorCode::bad_config, "In " + files.root.string() + " the " + part + " outputs " +
                                           std::to_string(gives) + " channels and the transformer expects " +
                                           std::to_string(taken) + "; they belong to different models");
}

/// Checks that the output width of each component equals the input width of the next. Missing components are reported
/// only when they are needed.
void check_widths(const ModelFiles& files, const TransformerConfig& transformer) {
    const auto check = [&](const std::string& part, std::int64_t gives, std::int64_t taken) {
        if (gives != taken) refuse_width(files, part, gives, taken);
    };
    if (files.is_present("vae")) check("VAE", vae_config(files).z_channels, transformer.in_channels);
    if (files.is_present("text_encoder"))
        check("Step-LLM", llm_config(files).hidden_size, transformer.caption_channels[0]);
    if (files.is_present("text_encoder_2"))
        check("CLIP", clip_config(files).hidden_size, transformer.caption_channels[1]);
}

void describe_variant(const TransformerConfig& config, Release release, ModelCard& card) {
    const bool turbo = release == Release::turbo;
    const std::string name = turbo ? "Step-Video-T2V Turbo" : "Step-Video-T2V";
    const TransformerConfig published;
    const bool is_published = config.num_layers == published.num_layers && config.dim() == published.dim();
    card.variant = is_published ? name + " 30B"
                                : name + ", " + std::to_string(config.num_layers) + " layers of width " +
                                      std::to_string(config.dim());
    card.default_num_inference_steps = turbo ? 10 : 50;
    card.default_guidance_scale = turbo ? 5.0 : 9.0;
    card.default_flow_shift = turbo ? 17.0 : 13.0;
}

}  // namespace

TransformerConfig transformer_config(const ModelFiles& files) {
    const auto& component = files.component("transformer");
    return read_transformer_config(component.config, component.folder / "config.json");
}

VaeConfig vae_config(const ModelFiles& files) {
    return read_vae_config(vae_json(files), files.component("vae").folder / "config.json");
}

StepLlmConfig llm_config(const ModelFiles& files) {
    const auto& component = files.component("text_encoder");
    return read_step_llm_config(component.config, component.folder / "config.json");
}

BertConfig clip_config(const ModelFiles& files) {
    const auto& component = files.component("text_encoder_2");
    return read_bert_config(component.config, component.folder / "config.json");
}

ModelCard make_card(const ModelFiles& files) {
    const auto transformer = transformer_config(files);
    check_widths(files, transformer);
    ModelCard card;
    card.id = files.root.string();
    card.name = folder_name(files);
    card.family = "stepvideo";
    card.tasks = {Task::text_to_video};
    describe_variant(transformer, release_of(files), card);
    card.sizes = {{992, 544}, {544, 992}, {768, 768}};
    card.default_size = card.sizes.front();
    card.size_multiple = static_cast<int>(kScaleFactorSpatial);
    card.default_num_frames = card.max_num_frames = 204;
    card.num_frames_multiple = static_cast<int>(kChunkFrames);
    card.num_frames_offset = 0;
    card.default_fps = 25;
    card.default_negative_prompt = kNegativePrompt;
    card.prompt_suffix = kPromptSuffix;
    card.max_sequence_length = 320;
    card.schedulers = {"flow_match_discrete"};
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star, GuidanceMethod::apg};
    card.offers_variations = true;
    // Never published in float16. Cross-attention reads the stream without a norm.
    card.fp16_safe = false;
    card.vae_dtype = "bfloat16";  // as in the published program
    card.float32_names = {"text_encoder_2", "adaln_single", "scale_shift_table", "norm", "proj_out"};
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::stepvideo
