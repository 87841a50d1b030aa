#include "core/models/activation_bytes.h"
#include "core/models/evaluation_work.h"
#include "core/models/load_component.h"
#include "core/models/stepvideo/card.h"
#include "core/models/stepvideo/family.h"
#include "core/models/stepvideo/transformer.h"
#include "core/models/stepvideo/vae.h"
#include "core/text_encoders/bert_encoder.h"
#include "core/text_encoders/step_llm_encoder.h"

namespace kinescope::stepvideo {

namespace {

constexpr std::int64_t kClipTokens = 77;

std::int64_t num_prompts(const ResolvedRequest& request) {
    return request.sampling.guidance_scale > 1.0 ? 2 : 1;
}

std::int64_t num_tokens(const ModelFamily& family, const ModelFiles& files, const ResolvedRequest& request) {
    const auto latents = family.latents_shape(files, request);
    return latents[2] * latents[3] * latents[4];
}

ComponentMemory transformer_memory(const ModelFamily& family, const MemoryQuery& query) {
    const auto config = transformer_config(query.files);
    const auto tokens = num_tokens(family, query.files, query.request);
    return {.block_lists = {"transformer_blocks"},
            .activation_bytes = transformer_bytes({.tokens = tokens,
                                                   .dim = config.dim(),
                                                   .inner_dim = 4 * config.dim(),
                                                   .head_dim = config.attention_head_dim,
                                                   .threads = cpu_threads(query.request.compute),
                                                   .precision = query.precision}),
            .rows = tokens};
}

/// Returns the memory of Step-LLM, which runs both prompts as one batch.
ComponentMemory step_llm_memory(const MemoryQuery& query) {
    const auto config = llm_config(query.files);
    const BlockSizes block{.tokens = query.request.sampling.max_sequence_length,
                           .dim = config.hidden_size,
                           .inner_dim = config.ffn_dim(),
                           .precision = query.precision};
    return {.block_lists = {"transformer.layers"},
            .activation_bytes = num_prompts(query.request) * encoder_bytes(block, config.num_heads),
            .rows = kRunsOnce};
}

ComponentMemory clip_memory(const MemoryQuery& query) {
    const auto config = clip_config(query.files);
    const BlockSizes block{.tokens = num_prompts(query.request) * kClipTokens,
                           .dim = config.hidden_size,
                           .inner_dim = config.intermediate_size,
                           .precision = query.precision};
    return {.activation_bytes = transformer_bytes(block), .unused = BertEncoder::unneeded()};
}

/// Returns the memory of the VAE. After the middle block, one latent frame is decoded at a time, which becomes four
/// frames in the outermost level. The pixels of the whole chunk stay in memory.
ComponentMemory vae_memory(const MemoryQuery& query) {
    constexpr std::int64_t kFrames = 4, kPastFrames = 2, kColors = 3, kFloatBytes = 4;
    const auto config = vae_config(query.files);
    const auto pixels = std::int64_t{query.request.content.width} * query.request.content.height;
    return {.activation_bytes = decoder_bytes({.frames = kFrames,
                                               .pixels = pixels,
                                               .in = config.width(1),
                                               .out = config.width(0),
                                               .past_frames = kPastFrames * 2 * (config.num_res_blocks + 1),
                                               .precision = query.precision}) +
                                2 * (kChunkFrames + kFrames) * pixels * kColors * kFloatBytes,
            .unused = Vae::unneeded()};
}

}  // namespace

ComponentMemory StepVideoFamily::memory(const MemoryQuery& query) const {
    if (query.component == "text_encoder") return step_llm_memory(query);
    if (query.component == "text_encoder_2") return clip_memory(query);
    return query.component == "vae" ? vae_memory(query) : transformer_memory(*this, query);
}

double StepVideoFamily::evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const {
    const auto config = transformer_config(files);
    return kinescope::evaluation_work({.tokens = num_tokens(*this, files, request),
                                       .dim = config.dim(),
                                       .inner_dim = 4 * config.dim(),
                                       .layers = config.num_layers,
                                       .context_tokens = request.sampling.max_sequence_length + kClipTokens});
}

void StepVideoFamily::request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const {
    if (component == "text_encoder") return request_tensors_of<StepLlmEncoder>(store, llm_config(files), Precision{});
    if (component == "text_encoder_2") return request_tensors_of<BertEncoder>(store, clip_config(files), Precision{});
    if (component == "vae") return request_tensors_of<Vae>(store, vae_config(files), Precision{});
    return request_tensors_of<Transformer>(store, transformer_config(files), Precision{});
}

}  // namespace kinescope::stepvideo
