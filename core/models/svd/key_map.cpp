#include "core/models/svd/key_map.h"

namespace kinescope::svd {

namespace {

std::string numbered(const std::string& name, std::int64_t index) {
    return name + "." + std::to_string(index);
}

void add_half_resnet(KeyMap& map, const std::string& stored, const std::string& canonical) {
    map.rules.push_back({stored + ".in_layers.0", canonical + ".norm1"});
    map.rules.push_back({stored + ".in_layers.2", canonical + ".conv1"});
    map.rules.push_back({stored + ".emb_layers.1", canonical + ".time_emb_proj"});
    map.rules.push_back({stored + ".out_layers.0", canonical + ".norm2"});
    map.rules.push_back({stored + ".out_layers.3", canonical + ".conv2"});
    map.rules.push_back({stored + ".skip_connection", canonical + ".conv_shortcut"});
}

void add_resnet(KeyMap& map, const std::string& stored, const std::string& canonical) {
    add_half_resnet(map, stored + ".time_stack", canonical + ".temporal_res_block");
    add_half_resnet(map, stored, canonical + ".spatial_res_block");
    map.rules.push_back({stored + ".time_mixer", canonical + ".time_mixer"});
}

void add_attention(KeyMap& map, const std::string& stored, const std::string& canonical) {
    map.rules.push_back({stored + ".time_stack", canonical + ".temporal_transformer_blocks"});
    map.rules.push_back({stored + ".time_pos_embed.0", canonical + ".time_pos_embed.linear_1"});
    map.rules.push_back({stored + ".time_pos_embed.2", canonical + ".time_pos_embed.linear_2"});
    for (const char* part : {"norm", "proj_in", "proj_out", "time_mixer", "transformer_blocks"})
        map.rules.push_back({stored + "." + part, canonical + "." + part});
}

void add_down(KeyMap& map, const UNetLevels& levels) {
    std::int64_t index = 1;
    for (std::int64_t level = 0; level < levels.count; ++level) {
        const std::string block = numbered("down_blocks", level);
        for (std::int64_t layer = 0; layer < levels.layers; ++layer, ++index) {
            const std::string stored = numbered("input_blocks", index);
            add_resnet(map, stored + ".0", numbered(block + ".resnets", layer));
            add_attention(map, stored + ".1", numbered(block + ".attentions", layer));
        }
        map.rules.push_back({numbered("input_blocks", index++) + ".0.op", block + ".downsamplers.0.conv"});
    }
}

/// Adds the up path. In the file, the upsampler has the index after that of the attention or, in a level without
/// attention, the index of the attention.
void add_up(KeyMap& map, const UNetLevels& levels) {
    std::int64_t index = 0;
    for (std::int64_t level = 0; level < levels.count; ++level) {
        const std::string block = numbered("up_blocks", level);
        for (std::int64_t layer = 0; layer <= levels.layers; ++layer, ++index) {
            const std::string stored = numbered("output_blocks", index);
            add_resnet(map, stored + ".0", numbered(block + ".resnets", layer));
            map.rules.push_back({stored + ".1.conv", block + ".upsamplers.0.conv"});
            map.rules.push_back({stored + ".2.conv", block + ".upsamplers.0.conv"});
            add_attention(map, stored + ".1", numbered(block + ".attentions", layer));
        }
    }
}

/// Adds the names of a spatial residual block of the VAE.
void add_spatial(KeyMap& map, const std::string& stored, const std::string& canonical) {
    map.rules.push_back({stored + ".nin_shortcut", canonical + ".conv_shortcut"});
    for (const char* part : {"norm1", "conv1", "norm2", "conv2"})
        map.rules.push_back({stored + "." + part, canonical + "." + part});
}

/// Adds the names of a spatio-temporal residual block of the decoder.
void add_spatio_temporal(KeyMap& map, const std::string& stored, const std::string& canonical) {
    add_half_resnet(map, stored + ".time_stack", canonical + ".temporal_res_block");
    add_spatial(map, stored, canonical + ".spatial_res_block");
    map.rules.push_back({stored + ".mix_factor", canonical + ".time_mixer.mix_factor"});
}

/// Adds the names of the middle attention, whose projections the original stores as 1x1 convolutions.
void add_mid_attention(KeyMap& map, const std::string& stored, const std::string& canonical) {
    const TensorPiece squeezed{.form = TensorForm::squeezed};
    map.rules.push_back({stored + ".norm", canonical + ".group_norm"});
    map.rules.push_back({stored + ".q", canonical + ".to_q", squeezed});
    map.rules.push_back({stored + ".k", canonical + ".to_k", squeezed});
    map.rules.push_back({stored + ".v", canonical + ".to_v", squeezed});
    map.rules.push_back({stored + ".proj_out", canonical + ".to_out.0", squeezed});
}

void add_encoder(KeyMap& map, const std::string& stored) {
    add_spatial(map, stored + ".down.*.block.*", "encoder.down_blocks.*.resnets.*");
    map.rules.push_back({stored + ".down.*.downsample", "encoder.down_blocks.*.downsamplers.0"});
    add_spatial(map, stored + ".mid.block_1", "encoder.mid_block.resnets.0");
    add_spatial(map, stored + ".mid.block_2", "encoder.mid_block.resnets.1");
    add_mid_attention(map, stored + ".mid.attn_1", "encoder.mid_block.attentions.0");
    map.rules.push_back({stored + ".norm_out", "encoder.conv_norm_out"});
    map.rules.push_back({stored, "encoder"});
}

void add_decoder(KeyMap& map, const std::string& stored, std::int64_t levels) {
    for (std::int64_t level = 0; level < levels; ++level) {
        const std::string block = numbered("decoder.up_blocks", levels - 1 - level);
        add_spatio_temporal(map, numbered(stored + ".up", level) + ".block.*", block + ".resnets.*");
        map.rules.push_back({numbered(stored + ".up", level) + ".upsample", block + ".upsamplers.0"});
    }
    add_spatio_temporal(map, stored + ".mid.block_1", "decoder.mid_block.resnets.0");
    add_spatio_temporal(map, stored + ".mid.block_2", "decoder.mid_block.resnets.1");
    add_mid_attention(map, stored + ".mid.attn_1", "decoder.mid_block.attentions.0");
    map.rules.push_back({stored + ".conv_out.time_mix_conv", "decoder.time_conv_out"});
    map.rules.push_back({stored + ".time_mix_conv", "decoder.time_conv_out"});
    map.rules.push_back({stored + ".norm_out", "decoder.conv_norm_out"});
    map.rules.push_back({stored, "decoder"});
}

constexpr auto kNaming = "the original (sgm) names";

}  // namespace

KeyMap unet_keys(const UNetLevels& levels) {
    KeyMap map{.naming = kNaming, .prefix = {}, .rules = {}};
    map.rules = {{"time_embed.0", "time_embedding.linear_1"},
                 {"time_embed.2", "time_embedding.linear_2"},
                 {"label_emb.0.0", "add_embedding.linear_1"},
                 {"label_emb.0.2", "add_embedding.linear_2"},
                 {"input_blocks.0.0", "conv_in"},
                 {"out.0", "conv_norm_out"},
                 {"out.2", "conv_out"}};
    add_down(map, levels);
    add_resnet(map, "middle_block.0", "mid_block.resnets.0");
    add_attention(map, "middle_block.1", "mid_block.attentions.0");
    add_resnet(map, "middle_block.2", "mid_block.resnets.1");
    add_up(map, levels);
    return map;
}

KeyMap vae_keys(std::int64_t levels) {
    KeyMap map{.naming = kNaming, .prefix = {}, .rules = {}, .unmatched = Unmatched::dropped};
    add_encoder(map, "first_stage_model.encoder");
    add_decoder(map, "first_stage_model.decoder", levels);
    map.rules.push_back({"first_stage_model.quant_conv", "quant_conv"});
    map.rules.push_back({"conditioner.embedders.3.encoder.quant_conv", "quant_conv"});
    return map;
}

}  // namespace kinescope::svd
