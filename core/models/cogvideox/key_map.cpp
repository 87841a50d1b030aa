#include "core/models/cogvideox/key_map.h"

namespace kinescope::cogvideox {

namespace {

/// Adds rules for fused matrices. The original stores query, key and value in one matrix, and the modulation of both
/// norms in another with twelve parts, video before text.
void add_fused(KeyMap& map) {
    const std::string fused = "transformer.layers.*.attention.query_key_value";
    map.rules.push_back({fused, "transformer_blocks.*.attn1.to_q", {.of = 3, .take = {0}}});
    map.rules.push_back({fused, "transformer_blocks.*.attn1.to_k", {.of = 3, .take = {1}}});
    map.rules.push_back({fused, "transformer_blocks.*.attn1.to_v", {.of = 3, .take = {2}}});
    const std::string modulation = "mixins.adaln_layer.adaLN_modulations.*.1";
    map.rules.push_back({modulation, "transformer_blocks.*.norm1.linear", {.of = 12, .take = {0, 1, 2, 6, 7, 8}}});
    map.rules.push_back({modulation, "transformer_blocks.*.norm2.linear", {.of = 12, .take = {3, 4, 5, 9, 10, 11}}});
}

KeyMap make_transformer_keys() {
    KeyMap map{.naming = "the original (SAT) names", .prefix = {}, .rules = {}};
    map.rules = {{"time_embed.0", "time_embedding.linear_1"},
                 {"time_embed.2", "time_embedding.linear_2"},
                 {"ofs_embed.0", "ofs_embedding.linear_1"},
                 {"ofs_embed.2", "ofs_embedding.linear_2"},
                 {"mixins.patch_embed", "patch_embed"},
                 {"mixins.pos_embed.pos_embedding", "patch_embed.pos_embedding"},
                 {"mixins.pos_embed", ""},  // rotary tables
                 {"transformer.layers.*.attention.dense", "transformer_blocks.*.attn1.to_out.0"},
                 {"transformer.layers.*.mlp.dense_h_to_4h", "transformer_blocks.*.ff.net.0.proj"},
                 {"transformer.layers.*.mlp.dense_4h_to_h", "transformer_blocks.*.ff.net.2"},
                 {"transformer.layers.*.input_layernorm", "transformer_blocks.*.norm1.norm"},
                 {"transformer.layers.*.post_attention_layernorm", "transformer_blocks.*.norm2.norm"},
                 {"mixins.adaln_layer.query_layernorm_list.*", "transformer_blocks.*.attn1.norm_q"},
                 {"mixins.adaln_layer.key_layernorm_list.*", "transformer_blocks.*.attn1.norm_k"},
                 {"transformer.final_layernorm", "norm_final"},
                 {"mixins.final_layer.norm_final", "norm_out.norm"},
                 {"mixins.final_layer.linear", "proj_out"},
                 {"mixins.final_layer.adaLN_modulation.1", "norm_out.linear"},
                 {"transformer.word_embeddings", ""},
                 {"transformer.embed_tokens", ""},
                 {"transformer.position_embeddings", ""}};
    add_fused(map);
    return map;
}

}  // namespace

const KeyMap& transformer_keys() {
    static const KeyMap map = make_transformer_keys();
    return map;
}

KeyMap vae_keys(std::int64_t levels) {
    KeyMap map{.naming = "the original (SAT) names", .prefix = {}, .rules = {}};
    map.rules = {{"loss", ""},
                 {"encoder.down.*.block.*.nin_shortcut", "encoder.down_blocks.*.resnets.*.conv_shortcut"},
                 {"encoder.down.*.block.*", "encoder.down_blocks.*.resnets.*"},
                 {"encoder.down.*.downsample", "encoder.down_blocks.*.downsamplers.0"}};
    for (const std::string half : {"encoder", "decoder"})
        for (const int index : {0, 1})
            map.rules.push_back({half + ".mid.block_" + std::to_string(index + 1),
                                 half + ".mid_block.resnets." + std::to_string(index)});
    for (std::int64_t level = 0; level < levels; ++level) {
        const std::string stored = "decoder.up." + std::to_string(level) + ".";
        const std::string canonical = "decoder.up_blocks." + std::to_string(levels - 1 - level) + ".";
        map.rules.push_back({stored + "block.*.nin_shortcut", canonical + "resnets.*.conv_shortcut"});
        map.rules.push_back({stored + "block.*", canonical + "resnets.*"});
        map.rules.push_back({stored + "upsample", canonical + "upsamplers.0"});
    }
    return map;
}

}  // namespace kinescope::cogvideox
