#include "core/models/component_memory.h"

#include "core/models/activation_bytes.h"
#include "core/models/clip_vision.h"
#include "core/models/t5_prompt.h"

namespace kinescope {

ComponentMemory t5_memory(const MemoryQuery& query, std::int64_t num_tokens) {
    const auto config = t5_config(query.files);
    const BlockSizes block{
        .tokens = num_tokens, .dim = config.d_model, .inner_dim = config.d_ff, .precision = query.precision};
    return {.block_lists = {"encoder.block"},
            .activation_bytes = encoder_bytes(block, config.num_heads),
            .rows = kRunsOnce};
}

ComponentMemory clip_vision_memory(const MemoryQuery& query) {
    const auto config = clip_vision_config(query.files);
    const auto images = query.request.content.last_image.empty() ? 1 : 2;
    const BlockSizes block{.tokens = images * (config.num_patches() + 1),
                           .dim = config.hidden_size,
                           .inner_dim = config.intermediate_size,
                           .precision = query.precision};
    return {.activation_bytes = transformer_bytes(block)};
}

}  // namespace kinescope
