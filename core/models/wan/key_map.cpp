#include "core/models/wan/key_map.h"

namespace kinescope::wan {

namespace {

/// Adds the rules for the blocks of VACE's side branch, which have the names of the main blocks, and two projections.
KeyMap with_vace_blocks(KeyMap map) {
    const std::vector<KeyRule> rules = map.rules;
    for (const KeyRule& rule : rules)
        if (rule.stored.starts_with("blocks.")) map.rules.push_back({"vace_" + rule.stored, "vace_" + rule.canonical});
    map.rules.push_back({"vace_blocks.*.before_proj", "vace_blocks.*.proj_in"});
    map.rules.push_back({"vace_blocks.*.after_proj", "vace_blocks.*.proj_out"});
    return map;
}

KeyMap make_transformer_keys() {
    return with_vace_blocks({.naming = "the original authors' tensor names",
                             .prefix = {},
                             .rules = {{"time_embedding.0", "condition_embedder.time_embedder.linear_1"},
                                       {"time_embedding.2", "condition_embedder.time_embedder.linear_2"},
                                       {"time_projection.1", "condition_embedder.time_proj"},
                                       {"text_embedding.0", "condition_embedder.text_embedder.linear_1"},
                                       {"text_embedding.2", "condition_embedder.text_embedder.linear_2"},
                                       {"img_emb.proj.0", "condition_embedder.image_embedder.norm1"},
                                       {"img_emb.proj.1", "condition_embedder.image_embedder.ff.net.0.proj"},
                                       {"img_emb.proj.3", "condition_embedder.image_embedder.ff.net.2"},
                                       {"img_emb.proj.4", "condition_embedder.image_embedder.norm2"},
                                       {"img_emb.emb_pos", "condition_embedder.image_embedder.pos_embed"},
                                       {"blocks.*.self_attn.q", "blocks.*.attn1.to_q"},
                                       {"blocks.*.self_attn.k", "blocks.*.attn1.to_k"},
                                       {"blocks.*.self_attn.v", "blocks.*.attn1.to_v"},
                                       {"blocks.*.self_attn.o", "blocks.*.attn1.to_out.0"},
                                       {"blocks.*.self_attn", "blocks.*.attn1"},
                                       {"blocks.*.cross_attn.q", "blocks.*.attn2.to_q"},
                                       {"blocks.*.cross_attn.k", "blocks.*.attn2.to_k"},
                                       {"blocks.*.cross_attn.v", "blocks.*.attn2.to_v"},
                                       {"blocks.*.cross_attn.o", "blocks.*.attn2.to_out.0"},
                                       {"blocks.*.cross_attn.k_img", "blocks.*.attn2.add_k_proj"},
                                       {"blocks.*.cross_attn.v_img", "blocks.*.attn2.add_v_proj"},
                                       {"blocks.*.cross_attn.norm_k_img", "blocks.*.attn2.norm_added_k"},
                                       {"blocks.*.cross_attn", "blocks.*.attn2"},
                                       {"blocks.*.norm3", "blocks.*.norm2"},
                                       {"blocks.*.ffn.0", "blocks.*.ffn.net.0.proj"},
                                       {"blocks.*.ffn.2", "blocks.*.ffn.net.2"},
                                       {"blocks.*.modulation", "blocks.*.scale_shift_table"},
                                       {"head.head", "proj_out"},
                                       {"head.modulation", "scale_shift_table"}}});
}

/// Adds rules for a residual block with the names `stored` and `canonical`.
void add_residual(KeyMap& map, const std::string& stored, const std::string& canonical) {
    map.rules.push_back({stored + ".residual.0", canonical + ".norm1"});
    map.rules.push_back({stored + ".residual.2", canonical + ".conv1"});
    map.rules.push_back({stored + ".residual.3", canonical + ".norm2"});
    map.rules.push_back({stored + ".residual.6", canonical + ".conv2"});
    map.rules.push_back({stored + ".shortcut", canonical + ".conv_shortcut"});
}

/// Adds the rules that are common to the encoder and the decoder of both VAEs.
void add_half(KeyMap& map, const std::string& half) {
    map.rules.push_back({half + ".conv1", half + ".conv_in"});
    add_residual(map, half + ".middle.0", half + ".mid_block.resnets.0");
    map.rules.push_back({half + ".middle.1", half + ".mid_block.attentions.0"});
    add_residual(map, half + ".middle.2", half + ".mid_block.resnets.1");
    map.rules.push_back({half + ".head.0", half + ".norm_out"});
    map.rules.push_back({half + ".head.2", half + ".conv_out"});
}

KeyMap make_vae_keys() {
    KeyMap map{.naming = "the original authors' tensor names", .prefix = {}, .rules = {}};
    map.rules = {{"conv1", "quant_conv"}, {"conv2", "post_quant_conv"}};
    add_half(map, "encoder");
    add_half(map, "decoder");
    return map;
}

KeyMap make_vae_21_keys() {
    KeyMap map = make_vae_keys();
    add_residual(map, "encoder.downsamples.*", "encoder.down_blocks.*");
    map.rules.push_back({"encoder.downsamples.*", "encoder.down_blocks.*"});
    for (int i = 0; i < 15; ++i) {  // four levels of three residual blocks and, except in the last, a resampler
        const std::string stored = "decoder.upsamples." + std::to_string(i);
        const std::string level = "decoder.up_blocks." + std::to_string(i / 4);
        if (i % 4 == 3)
            map.rules.push_back({stored, level + ".upsamplers.0"});
        else
            add_residual(map, stored, level + ".resnets." + std::to_string(i % 4));
    }
    return map;
}

KeyMap make_vae_22_keys() {
    KeyMap map = make_vae_keys();
    add_residual(map, "encoder.downsamples.*.downsamples.*", "encoder.down_blocks.*.resnets.*");
    add_residual(map, "decoder.upsamples.*.upsamples.*", "decoder.up_blocks.*.resnets.*");
    map.rules.push_back({"encoder.downsamples.*.downsamples.2", "encoder.down_blocks.*.downsampler"});
    map.rules.push_back({"decoder.upsamples.*.upsamples.3", "decoder.up_blocks.*.upsampler"});
    return map;
}

}  // namespace

const KeyMap& transformer_keys() {
    static const KeyMap map = make_transformer_keys();
    return map;
}

const KeyMap& vae_21_keys() {
    static const KeyMap map = make_vae_21_keys();
    return map;
}

const KeyMap& vae_22_keys() {
    static const KeyMap map = make_vae_22_keys();
    return map;
}

}  // namespace kinescope::wan
