#include "core/models/svd/layout.h"

#include <algorithm>
#include <cctype>

#include "core/models/svd/config.h"
#include "core/models/svd/key_map.h"
#include "core/models/svd/recognize.h"

namespace kinescope::svd {

namespace {

const std::vector<std::string> kFileNames = {"svd_xt.safetensors", "svd_xt_1_1.safetensors", "svd.safetensors"};

Json published_scheduler() {
    return {{"_class_name", "EulerDiscreteScheduler"},
            {"num_train_timesteps", 1000},
            {"beta_start", 0.00085},
            {"beta_end", 0.012},
            {"beta_schedule", "scaled_linear"},
            {"interpolation_type", "linear"},
            {"prediction_type", "v_prediction"},
            {"sigma_max", 700.0},
            {"sigma_min", 0.002},
            {"steps_offset", 1},
            {"timestep_spacing", "leading"},
            {"timestep_type", "continuous"},
            {"use_karras_sigmas", true}};
}

ModelBlueprint blueprint(const Json& config, NumExperts) {
    return {.index = {{"_class_name", "StableVideoDiffusionPipeline"},
                      {"unet", {"diffusers", kUNetClass}},
                      {"vae", {"diffusers", kVaeClass}},
                      {"image_encoder", {"transformers", "CLIPVisionModelWithProjection"}},
                      {"feature_extractor", {"transformers", "CLIPImageProcessor"}},
                      {"scheduler", {"diffusers", "EulerDiscreteScheduler"}}},
            .scheduler = published_scheduler(),
            .image_processor = {{"size", {{"shortest_edge", 224}}}, {"crop_size", {{"height", 224}, {"width", 224}}}},
            .image_processor_name = "feature_extractor",
            .parts = {{.component = "vae",
                       .classes = {kVaeClass},
                       .file_names = kFileNames,
                       .fits = {{"latent_channels", config["out_channels"]}},
                       .config = {{"scaling_factor", 0.18215}}},
                      {.component = "image_encoder",
                       .classes = {"CLIPVisionModelWithProjection"},
                       .file_names = kFileNames,
                       .fits = {{"projection_dim", config["cross_attention_dim"]}},
                       .config = Json::object()}},
            .tokenizer_folders = {}};
}

const KeyMap& published_keys() {
    static const KeyMap map = unet_keys({});
    return map;
}

/// The model for 14 frames was published as "svd", the one for 25 frames as "svd_xt". Their shapes are equal.
Json settings_of_file(const std::string& file_name) {
    std::string name = file_name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool is_published = name.starts_with("svd") || name.find("img2vid") != std::string::npos;
    return is_published && name.find("xt") == std::string::npos ? Json{{"num_frames", 14}} : Json();
}

}  // namespace

LayoutFamily layout() {
    return {.name = "svd",
            .denoiser_class = kUNetClass,
            .recognizers = {recognize_unet, recognize_vae},
            .blueprint = blueprint,
            .config_from_native = nullptr,
            .native_keys = published_keys,
            .settings_of_file = settings_of_file};
}

}  // namespace kinescope::svd
