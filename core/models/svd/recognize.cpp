#include "core/models/svd/recognize.h"

#include <algorithm>

#include "core/models/svd/config.h"
#include "core/models/svd/key_map.h"

namespace kinescope::svd {

namespace {

constexpr std::int64_t kHeadDim = 64;

/// Counts the levels and layers of the down path. Each level except the last ends with a downsampler.
UNetLevels levels_of(const TensorCatalog& tensors, const std::string& prefix) {
    const std::string input = prefix + "input_blocks.";
    const auto blocks = tensors.count(input);
    std::int64_t first_sampler = 1;
    while (first_sampler < blocks && !tensors.has(input + std::to_string(first_sampler) + ".0.op.weight"))
        ++first_sampler;
    return {.count = blocks / first_sampler, .layers = first_sampler - 1};
}

std::optional<KeyMap> find_unet_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("input_blocks.1.0.time_stack.in_layers.0.weight"))
        return with_prefix(unet_keys(levels_of(tensors, *prefix)), *prefix);
    if (const auto prefix = tensors.prefix_of("down_blocks.0.resnets.0.temporal_res_block.norm1.weight"))
        return diffusers_names(*prefix);
    return std::nullopt;
}

Json unet_shapes(const TensorCatalog& tensors) {
    Json channels = Json::array();
    Json down = Json::array();
    Json up = Json::array();
    const auto levels = tensors.count("down_blocks.");
    std::int64_t cross = 0;
    for (std::int64_t i = 0; i < levels; ++i) {
        const std::string block = "down_blocks." + std::to_string(i) + ".";
        const auto keys = tensors.dim(block + "attentions.0.transformer_blocks.0.attn2.to_k.weight", 1);
        cross = std::max(cross, keys);
        channels.push_back(tensors.dim(block + "resnets.0.spatial_res_block.conv1.weight", 0));
        down.push_back(keys > 0 ? "CrossAttnDownBlockSpatioTemporal" : "DownBlockSpatioTemporal");
        up.insert(up.begin(), keys > 0 ? "CrossAttnUpBlockSpatioTemporal" : "UpBlockSpatioTemporal");
    }
    const auto ids = tensors.dim("add_embedding.linear_1.weight", 1);
    return {{"_class_name", kUNetClass},
            {"in_channels", tensors.dim("conv_in.weight", 1)},
            {"out_channels", tensors.dim("conv_out.weight", 0)},
            {"block_out_channels", channels},
            {"down_block_types", down},
            {"up_block_types", up},
            {"layers_per_block", tensors.count("down_blocks.0.resnets.")},
            {"transformer_layers_per_block",
             std::max<std::int64_t>(tensors.count("mid_block.attentions.0.transformer_blocks."), 1)},
            {"cross_attention_dim", cross},
            {"projection_class_embeddings_input_dim", ids},
            {"addition_time_embed_dim", ids / 3}};
}

Json unet_assumed(const Json& channels) {
    Json heads = Json::array();
    for (const auto& width : channels) heads.push_back(std::max<std::int64_t>(width.get<std::int64_t>() / kHeadDim, 1));
    return {{"num_attention_heads", heads}, {"num_frames", 25}, {"sample_size", 96}};
}

}  // namespace

std::optional<RecognizedPart> recognize_unet(const TensorCatalog& tensors) {
    auto keys = find_unet_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const Json config = unet_shapes(canonical);
    return RecognizedPart{
        .family = "svd",
        .component = "unet",
        .class_name = kUNetClass,
        .variant = "Stable Video Diffusion",
        .reason = {.code = "svd_unet",
                   .values = {{"channels", config["block_out_channels"].dump()}},
                   .text = "a UNet with temporal blocks, channels " + config["block_out_channels"].dump()},
        .config = config,
        .assumed = unet_assumed(config["block_out_channels"]),
        .key_map = std::move(*keys)};
}

}  // namespace kinescope::svd
