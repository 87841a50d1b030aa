#include "tests/faults/families.h"

#include <algorithm>

#include "tests/support/float16_safe.h"

namespace kinescope::faults {

namespace {

std::vector<Scaling> wan_denoiser(const std::string& component, const std::string& blocks = "blocks.*.") {
    return {
        {component, blocks + "attn1.to_v", blocks + "attn1.to_out.0"},
        {component, blocks + "attn2.to_v", blocks + "attn2.to_out.0"},
        {component, blocks + "attn1.to_q", ""},
        {component, blocks + "attn1.to_k", ""},
        {component, blocks + "ffn.net.0.proj", blocks + "ffn.net.2"},
    };
}

std::vector<Scaling> joined(std::vector<Scaling> all, const std::vector<Scaling>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<Scaling> wan_scalings() {
    const std::string umt5 = "encoder.block.*.layer.";
    return joined(wan_denoiser("transformer"),
                  {
                      {"vae", "decoder.up_blocks.*.resnets.*.conv1", ""},
                      {"vae", "decoder.mid_block.resnets.*.conv1", ""},
                      {"text_encoder", umt5 + "0.SelfAttention.v", umt5 + "0.SelfAttention.o"},
                      {"text_encoder", umt5 + "1.DenseReluDense.wi_1", umt5 + "1.DenseReluDense.wo"},
                  });
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

std::vector<Scaling> ltx_scalings() {
    const std::string t5 = "encoder.block.*.layer.";
    return {
        {"transformer", "transformer_blocks.*.attn1.to_v", "transformer_blocks.*.attn1.to_out.0"},
        {"transformer", "transformer_blocks.*.attn2.to_v", "transformer_blocks.*.attn2.to_out.0"},
        {"transformer", "transformer_blocks.*.ff.net.0.proj", "transformer_blocks.*.ff.net.2"},
        {"vae", "decoder.up_blocks.*.resnets.*.conv1.conv", ""},
        {"vae", "decoder.mid_block.resnets.*.conv1.conv", ""},
        {"text_encoder", t5 + "0.SelfAttention.v", t5 + "0.SelfAttention.o"},
        {"text_encoder", t5 + "1.DenseReluDense.wi_1", t5 + "1.DenseReluDense.wo"},
    };
}

/// Returns weights before a norm that removes any factor, so that the whole weight can be enlarged.
std::vector<Scaling> wan_whole_weights() {
    return {{"transformer", "blocks.*.attn1.to_q", ""}, {"transformer", "blocks.*.attn1.to_k", ""}};
}

std::vector<Scaling> stepvideo_scalings() {
    return {
        {"transformer", "transformer_blocks.*.ff.net.0.proj", "transformer_blocks.*.ff.net.2"},
        {"transformer", "transformer_blocks.*.attn2.wq", ""},
        {"vae", "decoder.up.*.block.*.conv1.conv", ""},
        {"vae", "decoder.up.*.upsample.conv3d.conv1.conv", ""},
        {"vae", "decoder.mid.block_*.conv1.conv", ""},
    };
}

}  // namespace

bool has_component(const Family& family, const std::string& component) {
    return std::any_of(family.scalings.begin(), family.scalings.end(),
                       [&](const Scaling& scaling) { return scaling.component == component; });
}

std::vector<std::string> denoisers(const Family& family) {
    std::vector<std::string> found;
    for (const Scaling& scaling : family.scalings) {
        const bool is_denoiser = scaling.component.starts_with("transformer") || scaling.component == "unet";
        if (is_denoiser && std::ranges::count(found, scaling.component) == 0) found.push_back(scaling.component);
    }
    return found;
}

std::vector<std::string> encoders(const Family& family) {
    std::vector<std::string> found;
    for (const char* name : {"text_encoder", "text_encoder_2", "image_encoder"})
        if (std::filesystem::is_directory(family.model / name)) found.emplace_back(name);
    return found;
}

std::vector<Family> families(const std::filesystem::path& folder) {
    const std::filesystem::path data = KINESCOPE_TEST_DATA;
    const auto variant = [&](const char* name) { return data / "wan_variants" / name; };
    const auto wan = wan_denoiser("transformer");
    const auto wan_vae = data / "wan_t2v/model/vae";
    const Scaling wan_growth{"transformer", "patch_embedding", "proj_out"};
    std::vector<Family> all = {
        {.name = "wan",
         .case_dir = data / "wan_t2v",
         .scalings = wan_scalings(),
         .growth = wan_growth,
         .last_conv = "decoder.conv_out"},
        {.name = "cogvideox",
         .case_dir = data / "cogvideox/t2v",
         .scalings = cogvideox_scalings(),
         .last_conv = "decoder.conv_out.conv"},
        {.name = "svd", .case_dir = data / "svd", .scalings = svd_scalings(), .last_conv = "decoder.time_conv_out"},
        {.name = "stepvideo",
         .case_dir = data / "stepvideo_t2v",
         .scalings = stepvideo_scalings(),
         .last_conv = "decoder.conv_out"},
        {.name = "ltx", .case_dir = data / "ltx/t2v", .scalings = ltx_scalings(), .last_conv = "decoder.conv_out.conv"},
        {.name = "wan i2v", .case_dir = variant("i2v"), .scalings = wan, .growth = wan_growth, .vae = wan_vae},
        {.name = "wan two experts",
         .case_dir = variant("a14b_t2v"),
         .scalings = joined(wan, wan_denoiser("transformer_2")),
         .vae = wan_vae},
        {.name = "wan vace",
         .case_dir = data / "wan_video/vace",
         .scalings = joined(wan, wan_denoiser("transformer", "vace_blocks.*."))},
        {.name = "wan 5B", .case_dir = variant("ti2v_t2v"), .scalings = wan, .growth = wan_growth},
        {.name = "wan in float8",
         .case_dir = data / "wan_t2v",
         .scalings = wan,
         .growth = wan_growth,
         .keeping = Keeping::float8},
        {.name = "wan in gguf",
         .case_dir = data / "wan_t2v",
         .scalings = wan_whole_weights(),
         .keeping = Keeping::gguf,
         .gguf = data / "weights/wan_t2v_q8_0.gguf"},
    };
    std::erase_if(all, [](const Family& family) { return !std::filesystem::exists(family.case_dir / "request.json"); });
    for (Family& family : all)
        family.model = testing::float16_safe_model(family.case_dir / "model", folder / "float16_safe" / family.name);
    return all;
}

}  // namespace kinescope::faults
