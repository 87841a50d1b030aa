#include "core/models/wan/layout.h"

#include "core/models/wan/config.h"
#include "core/models/wan/key_map.h"
#include "core/models/wan/recognize.h"
#include "core/models/wan/variants.h"

namespace kinescope::wan {

namespace {

/// The properties that identify a variant.
struct Variant {
    bool has_image = false;        ///< takes CLIP tokens: Wan 2.1 I2V and FLF2V
    bool has_last_image = false;   ///< FLF2V
    bool takes_condition = false;  ///< 36 input channels
    bool has_token_times = false;  ///< TI2V 5B
    bool has_vace = false;
};

bool has_value(const Json& config, const char* key) {
    const auto found = config.find(key);
    return found != config.end() && !found->is_null();
}

Variant variant_of(const Json& config) {
    const auto in = config.value("in_channels", std::int64_t{0});
    return {.has_image = has_value(config, "image_dim"),
            .has_last_image = has_value(config, "pos_embed_seq_len"),
            .takes_condition = in != config.value("out_channels", std::int64_t{0}),
            .has_token_times = in == 48,
            .has_vace = has_value(config, "vace_in_channels")};
}

/// Returns true for image to video without an image branch: only the experts of Wan 2.2 have these shapes.
bool is_image_expert(const Json& config) {
    const Variant variant = variant_of(config);
    return config.value("in_channels", 0) == 36 && variant.takes_condition && !variant.has_image && !variant.has_vace;
}

/// An index may be incomplete, and a model with one denoiser may get a second one.
bool can_use(const std::string& component, const Json& config) {
    if (component == "image_encoder" || component == "image_processor") return has_value(config, "image_dim");
    return component == "transformer_2" || component == "text_encoder" || component == "tokenizer" ||
           component == "vae";
}

/// Returns the flow shift that was published for the variant.
double flow_shift(const Variant& variant, NumExperts experts) {
    if (variant.has_last_image) return 16.0;
    if (variant.has_token_times) return 5.0;
    if (experts == NumExperts::two) return variant.takes_condition ? 5.0 : kFlowShiftOfTextExperts;
    if (variant.has_vace) return 5.0;
    if (variant.takes_condition && !variant.has_image) return 5.0;  // one of two experts
    return 3.0;
}

Json make_index(const Variant& variant, NumExperts experts) {
    Json index{{"_class_name", variant.takes_condition ? "WanImageToVideoPipeline" : "WanPipeline"},
               {"transformer", {"diffusers", kTransformerClass}},
               {"vae", {"diffusers", kVaeClass}},
               {"text_encoder", {"transformers", "UMT5EncoderModel"}},
               {"tokenizer", {"transformers", "T5TokenizerFast"}},
               {"scheduler", {"diffusers", "UniPCMultistepScheduler"}},
               {"boundary_ratio", nullptr},
               {"expand_timesteps", variant.has_token_times}};
    if (variant.has_image) {
        index["image_encoder"] = {"transformers", "CLIPVisionModel"};
        index["image_processor"] = {"transformers", "CLIPImageProcessor"};
    }
    if (experts == NumExperts::two) {
        index["transformer_2"] = {"diffusers", kTransformerClass};
        index["boundary_ratio"] = variant.takes_condition ? 0.9 : 0.875;
    }
    return index;
}

WantedPart wanted_text_encoder(const Json& config) {
    return {.component = "text_encoder",
            .classes = {"UMT5EncoderModel"},
            .file_names = {"umt5_xxl_fp16.safetensors", "umt5_xxl_fp8_e4m3fn_scaled.safetensors",
                           "models_t5_umt5-xxl-enc-bf16.pth"},
            .fits = {{"d_model", config.value("text_dim", 4096)}},
            .config = Json::object()};
}

WantedPart wanted_vae(const Json& config, const Variant& variant) {
    std::vector<std::string> names{"wan_2.1_vae.safetensors", "Wan2.1_VAE.pth"};
    Json published = Json::object();
    if (variant.has_token_times) {
        names = {"wan2.2_vae.safetensors", "Wan2.2_VAE.pth"};
        published = published_vae_22_config();
    }
    return {.component = "vae",
            .classes = {kVaeClass},
            .file_names = std::move(names),
            .fits = {{"z_dim", config.value("out_channels", 16)}},
            .config = std::move(published)};
}

WantedPart wanted_image_encoder(const Json& config) {
    return {.component = "image_encoder",
            .classes = {"CLIPVisionModel", "CLIPVisionModelWithProjection"},
            .file_names = {"clip_vision_h.safetensors", "models_clip_open-clip-xlm-roberta-large-vit-huge-14.pth"},
            .fits = {{"hidden_size", config["image_dim"]}},
            .config = Json::object()};
}

ModelBlueprint blueprint(const Json& config, NumExperts experts) {
    const Variant variant = variant_of(config);
    ModelBlueprint model{.index = make_index(variant, experts),
                         .scheduler = {{"_class_name", "UniPCMultistepScheduler"},
                                       {"flow_shift", flow_shift(variant, experts)},
                                       {"prediction_type", "flow_prediction"},
                                       {"use_flow_sigmas", true},
                                       {"num_train_timesteps", 1000}},
                         .image_processor = {},
                         .parts = {wanted_text_encoder(config), wanted_vae(config, variant)},
                         .tokenizer_folders = {"google/umt5-xxl", "umt5-xxl", "umt5_xxl"}};
    if (!variant.has_image) return model;
    model.parts.push_back(wanted_image_encoder(config));
    model.image_processor_name = "image_processor";
    model.image_processor = {{"size", {{"shortest_edge", 224}}}, {"crop_size", {{"height", 224}, {"width", 224}}}};
    return model;
}

}  // namespace

LayoutFamily layout() {
    return {.name = "wan",
            .denoiser_class = kTransformerClass,
            .recognizers = {recognize_transformer, recognize_vace_module, recognize_vae},
            .blueprint = blueprint,
            .config_from_native = config_from_native,
            .native_keys = transformer_keys,
            .is_expert = is_image_expert,
            .can_use = can_use};
}

}  // namespace kinescope::wan
