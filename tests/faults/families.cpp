#include "tests/faults/families.h"

#include <algorithm>

namespace kinescope::faults {

namespace {

std::vector<Scaling> wan_scalings() {
    const std::string umt5 = "encoder.block.*.layer.";
    return {
        {"transformer", "blocks.*.attn1.to_v", "blocks.*.attn1.to_out.0"},
        {"transformer", "blocks.*.attn2.to_v", "blocks.*.attn2.to_out.0"},
        {"transformer", "blocks.*.attn1.to_q", ""},
        {"transformer", "blocks.*.attn1.to_k", ""},
        {"transformer", "blocks.*.ffn.net.0.proj", "blocks.*.ffn.net.2"},
        {"vae", "decoder.up_blocks.*.resnets.*.conv1", ""},
        {"vae", "decoder.mid_block.resnets.*.conv1", ""},
        {"text_encoder", umt5 + "0.SelfAttention.v", umt5 + "0.SelfAttention.o"},
        {"text_encoder", umt5 + "1.DenseReluDense.wi_1", umt5 + "1.DenseReluDense.wo"},
    };
}

std::vector<Scaling> cogvideox_scalings() {
    const std::string t5 = "encoder.block.*.layer.";
    return {
        {"transformer", "transformer_blocks.*.attn1.to_v", "transformer_blocks.*.attn1.to_out.0"},
        {"transformer", "transformer_blocks.*.attn1.to_q", ""},
        {"transformer", "transformer_blocks.*.attn1.to_k", ""},
        {"transformer", "transformer_blocks.*.ff.net.0.proj", "transformer_blocks.*.ff.net.2"},
        {"vae", "decoder.up_blocks.*.resnets.*.conv1.conv", ""},
        {"vae", "decoder.mid_block.resnets.*.conv1.conv", ""},
        {"text_encoder", t5 + "0.SelfAttention.v", t5 + "0.SelfAttention.o"},
        {"text_encoder", t5 + "1.DenseReluDense.wi_1", t5 + "1.DenseReluDense.wo"},
    };
}

std::vector<Scaling> svd_scalings() {
    const std::string down = "down_blocks.*.attentions.*.";
    const std::string up = "decoder.up_blocks.*.resnets.*.";
    return {
        {"unet", down + "transformer_blocks.*.attn1.to_v", down + "transformer_blocks.*.attn1.to_out.0"},
        {"unet", down + "temporal_transformer_blocks.*.attn1.to_v",
         down + "temporal_transformer_blocks.*.attn1.to_out.0"},
        {"vae", up + "spatial_res_block.conv1", ""},
        {"vae", up + "temporal_res_block.conv1", ""},
    };
}

}  // namespace

bool has_component(const Family& family, const std::string& component) {
    return std::any_of(family.scalings.begin(), family.scalings.end(),
                       [&](const Scaling& scaling) { return scaling.component == component; });
}

std::vector<Family> families() {
    const std::filesystem::path data = KINESCOPE_TEST_DATA;
    const Scaling wan_growth{"transformer", "patch_embedding", "proj_out"};
    const Scaling none{"transformer", "", ""};
    const Scaling none_of_unet{"unet", "", ""};
    std::vector<Family> all = {
        {"wan", data / "wan_t2v", wan_scalings(), wan_growth, "decoder.conv_out"},
        {"cogvideox", data / "cogvideox/t2v", cogvideox_scalings(), none, "decoder.conv_out.conv"},
        {"svd", data / "svd", svd_scalings(), none_of_unet, "decoder.time_conv_out"},
    };
    std::erase_if(all, [](const Family& family) { return !std::filesystem::exists(family.case_dir / "request.json"); });
    return all;
}

}  // namespace kinescope::faults
