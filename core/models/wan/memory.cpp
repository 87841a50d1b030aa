#include <algorithm>

#include "core/api/error.h"
#include "core/models/activation_bytes.h"
#include "core/models/clip_vision.h"
#include "core/models/evaluation_work.h"
#include "core/models/load_component.h"
#include "core/models/t5_prompt.h"
#include "core/models/wan/card.h"
#include "core/models/wan/family.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vae.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

namespace {

/// Returns the number of tokens of the longer prompt. Returns the maximum if the request has no prompt yet or the
/// tokenizer is missing.
std::int64_t longest_prompt(const ModelFamily& family, const MemoryQuery& query) {
    const auto& content = query.request.content;
    const auto longest = query.request.sampling.max_sequence_length;
    if (content.prompt.empty() && !content.has_image()) return longest;
    try {
        return std::max(family.count_tokens(query.files, content.prompt),
                        family.count_tokens(query.files, content.negative_prompt));
    } catch (const Error&) {  // the tokenizer may not be downloaded yet
        return longest;
    }
}

/// Returns the memory of normalized attention guidance: the stream, its norm and the queries, the attention results of
/// both prompts, and six tensors that combine them.
std::int64_t nag_bytes(const MemoryQuery& query, std::int64_t tokens, std::int64_t dim) {
    constexpr std::int64_t kStates = 3 + 2 + 6;
    const bool is_used = query.request.sampling.guidance_method == GuidanceMethod::nag;
    return is_used ? kStates * tokens * dim * std::int64_t{sizeof(float)} : 0;
}

std::int64_t num_tokens(const ModelFamily& family, const TransformerConfig& config, const ModelFiles& files,
                        const ResolvedRequest& request) {
    const auto latents = family.latents_shape(files, request);
    return latents[2] * latents[3] * latents[4] / config.patch_volume();
}

/// Returns the memory of the transformer, including the keys and values of both prompts, which every block caches.
ComponentMemory transformer_memory(const ModelFamily& family, const MemoryQuery& query) {
    const auto config = transformer_config(query.files, query.component);
    const auto tokens = num_tokens(family, config, query.files, query.request);
    const auto blocks = transformer_bytes({.tokens = tokens,
                                           .dim = config.dim(),
                                           .inner_dim = config.ffn_dim,
                                           .head_dim = config.attention_head_dim,
                                           .threads = cpu_threads(query.request.compute),
                                           .precision = query.precision});
    const auto prompts = uses_negative_prompt(query.request.sampling) ? 2 : 1;
    const auto context = longest_prompt(family, query) + 1 + config.pos_embed_seq_len;
    const auto number = static_cast<std::int64_t>(c10::elementSize(result_dtype(query.precision)));
    const auto vace_layers = static_cast<std::int64_t>(config.vace_layers.size());
    // the streams of the side branch: its own and the hint
    const auto side = config.has_vace() ? 2 * tokens * config.dim() * std::int64_t{sizeof(float)} : 0;
    const auto layers = config.num_layers + vace_layers;
    return {.block_lists = config.has_vace() ? std::vector<std::string>{"blocks", "vace_blocks"}
                                             : std::vector<std::string>{"blocks"},
            .activation_bytes = std::max(blocks, nag_bytes(query, tokens, config.dim())) + side +
                                prompts * layers * 2 * context * config.dim() * number,
            .rows = tokens,
            .float32 = {"condition_embedder.time", "proj_out."}};
}

/// Returns the memory of the 8-bit frames of an input video.
std::int64_t input_bytes(const ResolvedContent& content) {
    if (content.video.empty() && content.continue_video.empty()) return 0;
    const auto frame = std::int64_t{content.width} * content.height * 3;
    return frame * content.num_frames * (content.mask.empty() ? 1 : 2);
}

/// Memory of the VAE, which processes one latent frame at a time. The outermost level expands it to
/// scale_factor_temporal frames. The next level caches half as much: twice the width, a quarter of the pixels.
ComponentMemory vae_memory(const MemoryQuery& query) {
    const auto config = vae_config(query.files);
    const auto side = config.patch_size;
    const bool encodes = query.phase == Phase::encode;
    const auto width = (encodes ? config.base_dim : config.decoder_base_dim) * config.dim_mult.front();
    const auto blocks = config.num_res_blocks + (encodes ? 0 : 1);
    constexpr std::int64_t kPastFrames = 2;
    return {.activation_bytes =
                (encodes ? input_bytes(query.request.content) : 0) +
                decoder_bytes({.frames = config.scale_factor_temporal(),
                               .pixels = query.request.content.width / side * (query.request.content.height / side),
                               .in = width,
                               .out = width,
                               .past_frames = kPastFrames * (2 * blocks + 1) + kPastFrames * blocks,
                               .precision = query.precision}),
            .unused = encodes ? VaeEncoder::unneeded() : Vae::unneeded()};
}

}  // namespace

ComponentMemory WanFamily::memory(const MemoryQuery& query) const {
    if (query.component == "text_encoder") return t5_memory(query, longest_prompt(*this, query));
    if (query.component == "image_encoder") return clip_vision_memory(query);
    return query.component == "vae" ? vae_memory(query) : transformer_memory(*this, query);
}

double WanFamily::evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto config = transformer_config(files, "transformer");
    return kinescope::evaluation_work(
        {.tokens = num_tokens(*this, config, files, request),
         .dim = config.dim(),
         .inner_dim = config.ffn_dim,
         .layers = config.num_layers + static_cast<std::int64_t>(config.vace_layers.size()),
         .context_tokens = request.sampling.max_sequence_length + config.pos_embed_seq_len});
}

void WanFamily::request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const {
    if (component == "text_encoder") return request_tensors_of<T5Encoder>(store, t5_config(files), Precision{});
    if (component == "image_encoder")
        return request_tensors_of<ClipVisionEncoder>(store, clip_vision_config(files),
                                                     ClipVisionEncoder::Use::penultimate_states, Precision{});
    if (component == "vae") return request_tensors_of<Vae>(store, vae_config(files), Precision{});
    return request_tensors_of<Transformer>(store, transformer_config(files, component), Precision{});
}

}  // namespace kinescope::wan
