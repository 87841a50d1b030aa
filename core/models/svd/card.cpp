#include "core/models/svd/card.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/models/component_classes.h"
#include "core/models/discovery/model_hints.h"
#include "core/models/encoder_widths.h"
#include "core/models/preview_colors.h"

namespace kinescope::svd {

namespace {

constexpr std::int64_t kPublishedFrames = 14;
constexpr std::int64_t kPublishedFramesXt = 25;
/// Default number of frames to decode together. It limits the decoder's memory; the reference decodes all frames
/// together.
constexpr int kDecodeChunkSize = 8;
/// Width and height must be multiples of this number, as in the reference, regardless of the VAE's scale.
constexpr std::int64_t kSizeMultiple = 8;

std::string variant(std::int64_t num_frames) {
    if (num_frames == kPublishedFrames) return "Stable Video Diffusion img2vid";
    if (num_frames == kPublishedFramesXt) return "Stable Video Diffusion img2vid-xt";
    return "Stable Video Diffusion img2vid, " + std::to_string(num_frames) + " frames";
}

/// Checks that the output width of each component equals the input width of the next.
void check_widths(const ModelFiles& files, const UNetConfig& unet, const VaeConfig& vae) {
    if (files.is_present("vae") && vae.latent_channels != unet.out_channels)
        throw Error(ErrorCode::bad_config,
                    "In " + files.root.string() + " the VAE has " + std::to_string(vae.latent_channels) +
                        " latent channels and the UNet outputs " + std::to_string(unet.out_channels) +
                        files.mismatch_cause(),
                    {}, {{"path", files.component("vae").place().string()}});
}

void describe_sampling(ModelCard& card) {
    card.default_num_inference_steps = 25;
    card.default_fps = 7;
    card.default_guidance_scale = 1.0;  // guidance differs from frame to frame, see max_guidance_scale
    card.default_flow_shift.reset();
    card.schedulers = {"euler"};
    card.extra_fields = {{"min_guidance_scale", 1.0, 0.0, 100.0},
                         {"max_guidance_scale", 3.0, 0.0, 100.0},
                         {"motion_bucket_id", 127, 1, 255},
                         {"noise_aug_strength", 0.02, 0.0, 10.0},
                         {"decode_chunk_size", kDecodeChunkSize, 1, 1024}};
}

/// Preview colors. The latents are those of Stable Diffusion 1.x, and the colors are a linear fit to scaled latents of
/// SD 1.4. Source: Hugging Face forum, "Decoding latents to RGB without upscaling" (topic 23204).
constexpr std::array<Color, 4> kPreviewColors{
    {{0.298, 0.207, 0.208}, {0.187, 0.286, 0.173}, {-0.158, 0.189, 0.264}, {-0.184, -0.271, -0.473}}};

}  // namespace

UNetConfig unet_config(const ModelFiles& files) {
    const auto& component = files.component("unet");
    return read_unet_config(component.config, component.folder / "config.json");
}

VaeConfig vae_config(const ModelFiles& files) {
    const auto& component = files.component("vae");
    return read_vae_config(component.config, component.folder / "config.json");
}

EulerDiscreteConfig scheduler_config(const ModelFiles& files) {
    if (!files.has("scheduler")) return {};
    const auto& component = files.component("scheduler");
    return read_euler_discrete_config(component.config, component.folder / "scheduler_config.json");
}

ModelCard make_card(const ModelFiles& files) {
    check_component_classes(files);
    const auto unet = unet_config(files);
    const auto vae = vae_config(files);
    check_widths(files, unet, vae);
    check_image_embedding_width(files, unet.cross_attention_dim);
    scheduler_config(files);  // throws for an unsupported scheduler
    ModelCard card;
    card.id = files.root.string();
    card.name =
        files.root.filename().empty() ? files.root.parent_path().filename().string() : files.root.filename().string();
    card.family = "svd";
    card.variant = variant(unet.num_frames);
    card.tasks = {Task::image_to_video};
    card.continuation = Continuation::last_frame;
    card.takes_prompt = false;
    card.default_size = {1024, 576};
    card.sizes = {{1024, 576}, {576, 1024}, {768, 432}, {512, 320}};
    card.size_multiple = static_cast<int>(std::max(vae.scale_factor(), kSizeMultiple));
    card.default_num_frames = static_cast<int>(unet.num_frames);
    card.num_frames_multiple = 1;
    describe_sampling(card);
    if (vae.latent_channels == 4) set_preview_colors({.factors = kPreviewColors}, card);
    // The model was published in float16. Only the VAE encoder exceeds the float16 range, and it runs in float32.
    card.fp16_safe = true;
    card.training_dtype = "float16";
    card.float32_names = {"vae.encoder", "time_embedding", "add_embedding", "time_emb_proj", "time_pos_embed", "norm"};
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::svd
