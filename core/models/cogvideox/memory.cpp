#include <algorithm>

#include "core/models/activation_bytes.h"
#include "core/models/cogvideox/card.h"
#include "core/models/cogvideox/family.h"
#include "core/models/cogvideox/transformer.h"
#include "core/models/cogvideox/vae.h"
#include "core/models/cogvideox/vae_encoder.h"
#include "core/models/evaluation_work.h"
#include "core/models/load_component.h"
#include "core/models/t5_prompt.h"

namespace kinescope::cogvideox {

namespace {

/// Returns the number of tokens of the text and the video, which attention reads together.
std::int64_t num_tokens(const ModelFamily& family, const TransformerConfig& config, const ModelFiles& files,
                        const ResolvedRequest& request) {
    const auto latents = family.latents_shape(files, request);
    return request.sampling.max_sequence_length + latents[2] * latents[3] * latents[4] / config.patch_volume();
}

ComponentMemory transformer_memory(const ModelFamily& family, const MemoryQuery& query) {
    const auto config = transformer_config(query.files);
    const auto tokens = num_tokens(family, config, query.files, query.request);
    return {.block_lists = {"transformer_blocks"},
            .activation_bytes = transformer_bytes({.tokens = tokens,
                                                   .dim = config.dim(),
                                                   .inner_dim = 4 * config.dim(),
                                                   .head_dim = config.attention_head_dim,
                                                   .threads = cpu_threads(query.request.compute),
                                                   .precision = query.precision}),
            .rows = tokens};
}

constexpr std::int64_t kPastFrames = 2;

/// Largest number of frames in a chunk: those of two latent frames, plus one if the number of latent frames is odd.
std::int64_t most_frames(std::int64_t latent_frames) {
    if (latent_frames == 1) return 1;
    return 2 * kTemporalCompression + latent_frames % 2;
}

/// Memory of the encoder for an image, or for a video, which it reads in chunks.
ComponentMemory encoder_memory(const ModelFamily& family, const MemoryQuery& query) {
    const auto& content = query.request.content;
    const auto pixels = std::int64_t{content.width} * content.height;
    const bool is_video = !content.video.empty();
    const auto frames = is_video ? most_frames(family.latents_shape(query.files, query.request)[2]) : 1;
    // 8-bit frames, and float32 frames on the CPU and in the encoder's layout
    const auto input = is_video ? content.num_frames * pixels * 3 * (1 + 2 * std::int64_t{sizeof(float)}) : 0;
    const auto config = vae_config(query.files);
    const auto width = config.block_out_channels.front();
    return {.activation_bytes = input + decoder_bytes({.frames = frames,
                                                       .pixels = pixels,
                                                       .in = width,
                                                       .out = width,
                                                       .past_frames = kPastFrames * config.layers_per_block,
                                                       .precision = query.precision}),
            .unused = VaeEncoder::unneeded()};
}

/// Memory of the VAE. With vae_tiling, a tile has half the native width and height.
ComponentMemory vae_memory(const ModelFamily& family, const MemoryQuery& query) {
    if (query.phase == Phase::encode) return encoder_memory(family, query);
    const auto config = vae_config(query.files);
    auto pixels = std::int64_t{query.request.content.width} * query.request.content.height;
    if (query.request.compute.vae_tiling)
        pixels = std::min(pixels, config.sample_width / 2 * (config.sample_height / 2));
    const auto frames = most_frames(family.latents_shape(query.files, query.request)[2]);
    return {.activation_bytes = decoder_bytes({.frames = frames,
                                               .pixels = pixels,
                                               .in = config.block_out_channels[1],
                                               .out = config.block_out_channels[0],
                                               .past_frames = kPastFrames * (config.layers_per_block + 1),
                                               .precision = query.precision}),
            .unused = Vae::unneeded()};
}

}  // namespace

ComponentMemory CogVideoXFamily::memory(const MemoryQuery& query) const {
    if (query.component == "text_encoder") return t5_memory(query, query.request.sampling.max_sequence_length);
    return query.component == "vae" ? vae_memory(*this, query) : transformer_memory(*this, query);
}

double CogVideoXFamily::evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto config = transformer_config(files);
    return kinescope::evaluation_work({.tokens = num_tokens(*this, config, files, request),
                                       .dim = config.dim(),
                                       .inner_dim = 4 * config.dim(),
                                       .layers = config.num_layers});
}

void CogVideoXFamily::request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const {
    if (component == "text_encoder") return request_tensors_of<T5Encoder>(store, t5_config(files), Precision{});
    if (component == "vae") return request_tensors_of<Vae>(store, vae_config(files), Precision{});
    return request_tensors_of<Transformer>(store, transformer_config(files), Precision{});
}

}  // namespace kinescope::cogvideox
