#include "core/models/cogvideox/layout.h"

#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/key_map.h"
#include "core/models/cogvideox/recognize.h"

namespace kinescope::cogvideox {

namespace {

bool is_15(const Json& config) {
    return !config.value("patch_size_t", Json()).is_null();
}

/// Returns true for CogVideoX-2B, the only model with a computed position table and a noise schedule shifted by 3.
bool is_2b(const Json& config) {
    return config.value("num_layers", 0) <= 30 && !is_15(config) && config["in_channels"] == config["out_channels"];
}

Json published_scheduler(const Json& config) {
    return {{"_class_name", is_2b(config) ? "CogVideoXDDIMScheduler" : "CogVideoXDPMScheduler"},
            {"beta_start", 0.00085},
            {"beta_end", 0.012},
            {"beta_schedule", "scaled_linear"},
            {"clip_sample", false},
            {"num_train_timesteps", 1000},
            {"prediction_type", "v_prediction"},
            {"rescale_betas_zero_snr", true},
            {"set_alpha_to_one", true},
            {"timestep_spacing", "trailing"},
            {"steps_offset", 0},
            {"snr_shift_scale", is_2b(config) ? 3.0 : 1.0}};
}

ModelBlueprint blueprint(const Json& config, NumExperts) {
    const bool takes_image = config["in_channels"] != config["out_channels"];
    const Json scheduler = published_scheduler(config);
    return {.index = {{"_class_name", takes_image ? "CogVideoXImageToVideoPipeline" : "CogVideoXPipeline"},
                      {"transformer", {"diffusers", kTransformerClass}},
                      {"vae", {"diffusers", kVaeClass}},
                      {"text_encoder", {"transformers", "T5EncoderModel"}},
                      {"tokenizer", {"transformers", "T5Tokenizer"}},
                      {"scheduler", {"diffusers", scheduler["_class_name"]}}},
            .scheduler = scheduler,
            .image_processor = {},
            .parts = {{.component = "text_encoder",
                       .classes = {"T5EncoderModel"},
                       .file_names = {"t5xxl_fp16.safetensors", "t5xxl_fp8_e4m3fn_scaled.safetensors",
                                      "t5xxl_fp8_e4m3fn.safetensors"},
                       .fits = {{"d_model", config["text_embed_dim"]}},
                       .config = Json::object()},
                      {.component = "vae",
                       .classes = {kVaeClass},
                       .file_names = {"3d-vae.pt", "cogvideox_vae.safetensors"},
                       .fits = {{"latent_channels", config["out_channels"]}},
                       .config = {{"scaling_factor", is_2b(config) ? 1.15258426 : 0.7},
                                  {"invert_scale_latents", is_15(config)}}}},
            .tokenizer_folders = {"t5-v1_1-xxl", "google/t5-v1_1-xxl"}};
}

}  // namespace

LayoutFamily layout() {
    return {.name = "cogvideox",
            .denoiser_class = kTransformerClass,
            .recognizers = {recognize_transformer, recognize_vae},
            .blueprint = blueprint,
            .config_from_native = nullptr,
            .native_keys = transformer_keys};
}

}  // namespace kinescope::cogvideox
