#include <algorithm>

#include "core/models/activation_bytes.h"
#include "core/models/load_component.h"
#include "core/models/svd/card.h"
#include "core/models/svd/family.h"
#include "core/models/svd/unet.h"
#include "core/models/svd/vae.h"
#include "core/text_encoders/clip_vision_encoder.h"

namespace kinescope::svd {

namespace {

/// Returns the side length of the innermost level.
std::int64_t innermost(std::int64_t side, const UNetConfig& config) {
    return side >> (config.levels.size() - 1);
}

/// Returns the memory of the UNet. The peak is in the outermost level: the skips of all levels, the states of the gated
/// feed-forward (kInner times the stream's width), the stream, its norm and its sum.
ComponentMemory unet_memory(const ModelFamily& family, const MemoryQuery& query) {
    constexpr std::int64_t kInner = 16, kStream = 4, kSkips = 6, kFloatBytes = 4;
    const auto config = unet_config(query.files);
    const auto latents = family.latents_shape(query.files, query.request);
    const auto states = latents[2] * latents[3] * latents[4] * config.levels.front().channels;
    const auto number = static_cast<std::int64_t>(c10::elementSize(result_dtype(query.precision)));
    return {.block_lists = {"down_blocks", "up_blocks"},
            .activation_bytes = states * (kInner * number + (kStream + kSkips) * kFloatBytes),
            .rows = latents[2] * innermost(latents[3], config) * innermost(latents[4], config)};
}

/// Returns the memory of the encoder for the image.
ComponentMemory encoder_memory(const MemoryQuery& query) {
    const auto width = vae_config(query.files).block_out_channels.front();
    return {.activation_bytes =
                decoder_bytes({.frames = 1,
                               .pixels = std::int64_t{query.request.content.width} * query.request.content.height,
                               .in = width,
                               .out = width,
                               .precision = query.precision}),
            .unused = {"decoder."}};
}

/// Returns the memory of the VAE. The peak is in the first block of the outermost level, whose input is twice as wide
/// as its output. On a CPU, it consists of the input and its norm, because later results reuse freed memory (measured:
/// 1.01 times this value).
ComponentMemory vae_memory(const MemoryQuery& query) {
    if (query.phase == Phase::encode) return encoder_memory(query);
    const auto config = vae_config(query.files);
    const auto frames = std::min<std::int64_t>(decode_chunk_size(query.request), query.request.content.num_frames);
    const auto pixels = std::int64_t{query.request.content.width} * query.request.content.height;
    constexpr std::int64_t kFloatBytes = 4;
    const auto own = 2 * frames * pixels * config.block_out_channels[1] * kFloatBytes;
    const auto bytes = query.precision.device.is_cpu() ? own
                                                       : decoder_bytes({.frames = frames,
                                                                        .pixels = pixels,
                                                                        .in = config.block_out_channels[1],
                                                                        .out = config.block_out_channels[0],
                                                                        .precision = query.precision});
    return {.activation_bytes = bytes, .unused = {"encoder.", "quant_conv."}};
}

}  // namespace

ComponentMemory SvdFamily::memory(const MemoryQuery& query) const {
    if (query.component == "image_encoder") return clip_vision_memory(query);
    return query.component == "vae" ? vae_memory(query) : unet_memory(*this, query);
}

std::vector<TensorEntry> SvdFamily::expected_tensors(const ModelFiles& files, const std::string& component) const {
    const auto& part = files.component(component);
    if (component == "image_encoder")
        return wanted_by<ClipVisionEncoder>(read_clip_vision_config(part.config, part.folder / "config.json"),
                                            ClipVisionEncoder::Use::image_embeds, Precision{});
    if (component == "vae") return wanted_by<Vae>(vae_config(files), 1, Precision{});
    return wanted_by<UNet>(unet_config(files), Precision{});
}

}  // namespace kinescope::svd
