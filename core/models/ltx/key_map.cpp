#include "core/models/ltx/key_map.h"

namespace kinescope::ltx {

namespace {

constexpr auto kNaming = "the original (Lightricks) names";

/// Adds the names that the original naming shares with diffusers' naming. LoRAs of this family are recognized by these
/// names.
void add_shared_names(KeyMap& map) {
    const auto keep = [&map](const std::string& name) { map.rules.push_back({name, name}); };
    for (const std::string attention : {"transformer_blocks.*.attn1.", "transformer_blocks.*.attn2."})
        for (const char* layer : {"to_q", "to_k", "to_v", "to_out.0"}) keep(attention + layer);
    for (const char* layer : {"transformer_blocks.*.ff.net.0.proj", "transformer_blocks.*.ff.net.2"}) keep(layer);
}

KeyMap make_transformer_keys() {
    KeyMap map{
        .naming = kNaming, .prefix = {}, .rules = {{"patchify_proj", "proj_in"}, {"adaln_single", "time_embed"}}};
    for (const std::string attention : {"transformer_blocks.*.attn1.", "transformer_blocks.*.attn2."})
        for (const std::string which : {"q", "k"})
            map.rules.push_back({attention + which + "_norm", attention + "norm_" + which});
    add_shared_names(map);
    return map;
}

/// The kind of a member of the original list of blocks.
enum class Member { residual_blocks, sampler, width_change };

Member member_at(const TensorCatalog& tensors, const std::string& name) {
    if (tensors.any_starts_with(name + ".res_blocks.")) return Member::residual_blocks;
    return tensors.has(name + ".conv1.conv.weight") ? Member::width_change : Member::sampler;
}

void add_residual_blocks(const std::string& stored, const std::string& canonical, KeyMap& map) {
    map.rules.push_back({stored + ".res_blocks.*", canonical + ".resnets.*"});
    map.rules.push_back({stored, canonical});
}

void add_width_change(const std::string& stored, const std::string& canonical, KeyMap& map) {
    map.rules.push_back({stored + ".norm3.norm", canonical + ".norm3"});
    map.rules.push_back({stored + ".conv_shortcut", canonical + ".conv_shortcut.conv"});
    map.rules.push_back({stored, canonical});
}

/// Adds the encoder's names. A level begins with residual blocks; the last residual blocks are the mid block.
void add_encoder(const TensorCatalog& tensors, const std::string& prefix, KeyMap& map) {
    const std::string row = "encoder.down_blocks.";
    const auto count = tensors.count(prefix + row);
    std::int64_t level = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto stored = row + std::to_string(i);
        const auto member = member_at(tensors, prefix + stored);
        if (member == Member::residual_blocks) ++level;
        const auto canonical = i + 1 == count ? "encoder.mid_block" : row + std::to_string(level);
        if (member == Member::residual_blocks) add_residual_blocks(stored, canonical, map);
        if (member == Member::sampler) map.rules.push_back({stored, canonical + ".downsamplers.0"});
        if (member == Member::width_change) add_width_change(stored, canonical + ".conv_out", map);
    }
}

/// Adds the decoder's names. The first residual blocks are the mid block; a level ends with residual blocks.
void add_decoder(const TensorCatalog& tensors, const std::string& prefix, KeyMap& map) {
    const std::string row = "decoder.up_blocks.";
    const auto count = tensors.count(prefix + row);
    std::int64_t level = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto stored = row + std::to_string(i);
        const auto canonical = level < 0 ? "decoder.mid_block" : row + std::to_string(level);
        const auto member = member_at(tensors, prefix + stored);
        if (member == Member::sampler) map.rules.push_back({stored, canonical + ".upsamplers.0"});
        if (member == Member::width_change) add_width_change(stored, canonical + ".conv_in", map);
        if (member != Member::residual_blocks) continue;
        add_residual_blocks(stored, canonical, map);
        ++level;
    }
}

}  // namespace

const KeyMap& transformer_keys() {
    static const KeyMap map = make_transformer_keys();
    return map;
}

KeyMap vae_keys(const TensorCatalog& tensors, const std::string& prefix) {
    KeyMap map{.naming = kNaming,
               .prefix = prefix,
               .rules = {{"per_channel_statistics.mean-of-means", "latents_mean"},
                         {"per_channel_statistics.std-of-means", "latents_std"},
                         {"per_channel_statistics", ""},
                         {"decoder.last_time_embedder", "decoder.time_embedder"},
                         {"decoder.last_scale_shift_table", "decoder.scale_shift_table"}}};
    add_encoder(tensors, prefix, map);
    add_decoder(tensors, prefix, map);
    return map;
}

}  // namespace kinescope::ltx
