#include <algorithm>

#include "core/models/activation_bytes.h"
#include "core/models/evaluation_work.h"
#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/models/ltx/family.h"
#include "core/models/ltx/transformer.h"
#include "core/models/ltx/vae.h"
#include "core/models/ltx/vae_encoder.h"
#include "core/models/t5_prompt.h"

namespace kinescope::ltx {

namespace {

int text_tokens(const MemoryQuery& query) {
    return query.request.sampling.max_sequence_length;
}

/// Returns the memory of the transformer, including the rotation table, which covers the whole width.
ComponentMemory transformer_memory(const MemoryQuery& query) {
    const auto config = transformer_config(query.files);
    const auto tokens = run_shape(query.files, query.request).tokens();
    const auto rotary = tokens * config.dim() * static_cast<std::int64_t>(sizeof(float));
    return {.block_lists = {"transformer_blocks"},
            .activation_bytes = rotary + transformer_bytes({.tokens = tokens,
                                                            .dim = config.dim(),
                                                            .inner_dim = 4 * config.dim(),
                                                            .head_dim = config.attention_head_dim,
                                                            .threads = cpu_threads(query.request.compute),
                                                            .precision = query.precision}),
            .rows = tokens,
            .float32 = {"time_embed.", "proj_out."}};
}

/// Returns the number of frames of the longest video that is encoded. Images count as videos of one frame.
std::int64_t longest_keyframe(const MemoryQuery& query) {
    std::int64_t most = 1;
    for (const auto& keyframe : run_shape(query.files, query.request).keyframes)
        most = std::max(most, keyframe.num_frames);
    return most;
}

/// Returns the memory of the encoder, which encodes one image or video at a time. The peak is in the first level.
ComponentMemory encoder_memory(const MemoryQuery& query, const VaeConfig& config) {
    const auto pixels = std::int64_t{query.request.content.width} * query.request.content.height;
    const std::int64_t frames = longest_keyframe(query);
    constexpr int kCopies = 3;  // the frames one by one, stacked, and as the patches that the encoder reads
    const std::int64_t frame_bytes = kCopies * 3 * pixels * static_cast<std::int64_t>(sizeof(float));
    return {.activation_bytes =
                frames * frame_bytes + decoder_bytes({.frames = frames,
                                                      .pixels = pixels / (config.patch_size * config.patch_size),
                                                      .in = std::max(config.encoder_width, config.patch_channels()),
                                                      .out = config.encoder_width,
                                                      .past_frames = 2,
                                                      .precision = query.precision}),
            .unused = VaeEncoder::unneeded()};
}

constexpr std::int64_t kTilePixels = 512 * 512;

/// Returns the memory of the decoder, which decodes all frames in one pass. The peak is in the last upsampler, before
/// it converts channels to pixels.
ComponentMemory decoder_memory(const MemoryQuery& query, const VaeConfig& config) {
    const auto pixels = std::int64_t{query.request.content.width} * query.request.content.height;
    const auto frames = std::int64_t{query.request.content.num_frames};
    const auto& outermost = config.decoder_levels.back();
    const bool is_tiled = query.request.compute.vae_tiling;
    const auto places = (is_tiled ? std::min(pixels, kTilePixels) : pixels) / (config.patch_size * config.patch_size);
    const auto blocks = decoder_bytes({.frames = frames,
                                       .pixels = places,
                                       .in = outermost.out,
                                       .out = outermost.out,
                                       .past_frames = 2,
                                       .precision = query.precision});
    // The patches, the images made of them, and the clamped images.
    const auto pictures = 3 * frames * pixels * 3 * static_cast<std::int64_t>(sizeof(float));
    const auto tiles = is_tiled ? pictures : 0;
    return {.activation_bytes = std::max(blocks + tiles, pictures), .unused = Vae::unneeded()};
}

}  // namespace

ComponentMemory LtxFamily::memory(const MemoryQuery& query) const {
    if (query.component == "text_encoder") return t5_memory(query, text_tokens(query));
    if (query.component != "vae") return transformer_memory(query);
    const auto config = vae_config(query.files);
    return query.phase == Phase::encode ? encoder_memory(query, config) : decoder_memory(query, config);
}

double LtxFamily::evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto config = transformer_config(files);
    return kinescope::evaluation_work({.tokens = run_shape(files, request).tokens(),
                                       .dim = config.dim(),
                                       .inner_dim = 4 * config.dim(),
                                       .layers = config.num_layers,
                                       .context_tokens = request.sampling.max_sequence_length});
}

void LtxFamily::request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const {
    if (component == "text_encoder") return request_tensors_of<T5Encoder>(store, t5_config(files), Precision{});
    if (component == "vae") return request_tensors_of<Vae>(store, vae_config(files), Precision{});
    return request_tensors_of<Transformer>(store, transformer_config(files), Direction::to_noise, Precision{});
}

}  // namespace kinescope::ltx
