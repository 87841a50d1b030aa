#include <algorithm>

#include "core/models/activation_bytes.h"
#include "core/models/clip_vision.h"
#include "core/models/load_component.h"
#include "core/models/svd/card.h"
#include "core/models/svd/family.h"
#include "core/models/svd/unet.h"
#include "core/models/svd/vae.h"
#include "core/models/svd/vae_encoder.h"

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

/// Returns the multiply-adds of a level for one place of one frame. A residual block has two convolutions of 3x3 and
/// two of three frames; on the way up, its first convolution reads the skip as well. A spatio-temporal transformer has
/// about 50 products of the width with itself, and attention over the `places` of a frame.
double work_of_place(const UNetConfig& config, const UNetLevel& level, double places) {
    constexpr double kResidual = 2 * 9 + 2 * 3, kSkip = 9 + 1, kTransformer = 50;
    const auto width = static_cast<double>(level.channels);
    const auto down = static_cast<double>(config.layers_per_block);
    const double up = down + 1;
    const double residual = (down + up) * kResidual + up * kSkip;
    const double transformers = (level.down_attention ? down : 0) + (level.up_attention ? up : 0);
    return residual * width * width + transformers * static_cast<double>(config.transformer_layers_per_block) *
                                          (kTransformer * width * width + 2 * places * width);
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
            .unused = VaeEncoder::unneeded()};
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
    return {.activation_bytes = bytes, .unused = Vae::unneeded()};
}

}  // namespace

ComponentMemory SvdFamily::memory(const MemoryQuery& query) const {
    if (query.component == "image_encoder") return clip_vision_memory(query);
    return query.component == "vae" ? vae_memory(query) : unet_memory(*this, query);
}

double SvdFamily::evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto config = unet_config(files);
    const auto latents = latents_shape(files, request);
    double work = 0;
    for (std::size_t i = 0; i < config.levels.size(); ++i) {
        const auto places = static_cast<double>((latents[3] >> i) * (latents[4] >> i));
        work += static_cast<double>(latents[2]) * places * work_of_place(config, config.levels[i], places);
    }
    return work;
}

void SvdFamily::request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const {
    if (component == "image_encoder")
        return request_tensors_of<ClipVisionEncoder>(store, clip_vision_config(files),
                                                     ClipVisionEncoder::Use::image_embeds, Precision{});
    if (component == "vae") return request_tensors_of<Vae>(store, vae_config(files), 1, Precision{});
    return request_tensors_of<UNet>(store, unet_config(files), Precision{});
}

}  // namespace kinescope::svd
