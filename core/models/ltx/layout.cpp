#include "core/models/ltx/layout.h"

#include "core/models/ltx/config.h"
#include "core/models/ltx/key_map.h"
#include "core/models/ltx/recognize.h"

namespace kinescope::ltx {

namespace {

// The values of "_class_name" in model_index.json.
constexpr auto kConditionPipeline = "LTXConditionPipeline";
constexpr auto kPlainPipeline = "LTXPipeline";

Json published_scheduler(std::string_view pipeline) {
    const bool is_condition = pipeline == kConditionPipeline;
    return {{"_class_name", "FlowMatchEulerDiscreteScheduler"},
            {"num_train_timesteps", 1000},
            {"shift", 1.0},
            {"use_dynamic_shifting", !is_condition},
            {"base_shift", 0.95},
            {"max_shift", 2.05},
            {"base_image_seq_len", 1024},
            {"max_image_seq_len", 4096},
            {"shift_terminal", is_condition ? Json() : Json(0.1)},
            {"time_shift_type", "exponential"}};
}

WantedPart wanted_text_encoder(const Json& config) {
    return {
        .component = "text_encoder",
        .classes = {"T5EncoderModel"},
        .file_names = {"t5xxl_fp16.safetensors", "t5xxl_fp8_e4m3fn_scaled.safetensors", "t5xxl_fp8_e4m3fn.safetensors"},
        .fits = {{"d_model", config["caption_channels"]}},
        .config = Json::object()};
}

/// Returns the VAE that the model needs. Complete model files contain it. A file with only the denoiser, such as a GGUF
/// file, needs a separate VAE file.
WantedPart wanted_vae(const Json& config) {
    return {.component = "vae",
            .classes = {kVaeClass},
            .file_names = {"LTX-Video-VAE-BF16.safetensors", "ltxv-13b-0.9.7-vae-BF16.safetensors"},
            .fits = {{"latent_channels", config["in_channels"]}},
            .config = Json::object()};
}

/// A denoiser of 0.9.5 or later with 2B has the shapes of earlier ones. A file that contains only the denoiser belongs
/// to the generation of the VAE that is used with it.
void follow_vae(const Json& denoiser, const Json& vae, Json& index, Json& scheduler) {
    const auto own = denoiser.find("ltx_pipeline");
    const bool is_condition = is_vae_095(vae) || (own != denoiser.end() && *own == kConditionPipeline);
    const auto* pipeline = is_condition ? kConditionPipeline : kPlainPipeline;
    index["_class_name"] = pipeline;
    scheduler = published_scheduler(pipeline);
}

ModelBlueprint blueprint(const Json& config, NumExperts) {
    const std::string pipeline = config.value("ltx_pipeline", std::string(kPlainPipeline));
    return {.index = {{"_class_name", pipeline},
                      {"transformer", {"diffusers", kTransformerClass}},
                      {"vae", {"diffusers", kVaeClass}},
                      {"text_encoder", {"transformers", "T5EncoderModel"}},
                      {"tokenizer", {"transformers", "T5Tokenizer"}},
                      {"scheduler", {"diffusers", "FlowMatchEulerDiscreteScheduler"}}},
            .scheduler = published_scheduler(pipeline),
            .image_processor = {},
            .parts = {wanted_text_encoder(config), wanted_vae(config)},
            .tokenizer_folders = {"t5-v1_1-xxl", "google/t5-v1_1-xxl"}};
}

}  // namespace

LayoutFamily layout() {
    return {.name = "ltx",
            .denoiser_class = kTransformerClass,
            .recognizers = {recognize_transformer, recognize_vae},
            .blueprint = blueprint,
            .config_from_native = nullptr,
            .native_keys = transformer_keys,
            .follow_vae = follow_vae};
}

}  // namespace kinescope::ltx
