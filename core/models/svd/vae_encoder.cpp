#include "core/models/svd/vae_encoder.h"

#include <ATen/ATen.h>

#include <utility>

namespace kinescope::svd {

VaeEncoder::VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : precision_(precision),
      conv_in_(scope / "encoder" / "conv_in", "encoder.conv_in",
               {.in = kColors, .out = config.block_out_channels.front()}, precision),
      mid_attention_(scope / "encoder" / "mid_block" / "attentions" / 0, "encoder.mid_block.attentions.0",
                     config.block_out_channels.back(), precision),
      conv_norm_out_(vae_norm(scope / "encoder" / "conv_norm_out", config.block_out_channels.back(), precision)),
      conv_out_(scope / "encoder" / "conv_out", "encoder.conv_out",
                {.in = config.block_out_channels.back(), .out = 2 * config.latent_channels}, precision),
      quant_conv_(scope / "quant_conv", "quant_conv",
                  {.in = 2 * config.latent_channels, .out = 2 * config.latent_channels, .kernel = 1}, precision) {
    add_down_blocks(scope / "encoder" / "down_blocks", config, precision);
    const auto widest = config.block_out_channels.back();
    for (std::int64_t i = 0; i < 2; ++i)
        mid_resnets_.emplace_back(scope / "encoder" / "mid_block" / "resnets" / i,
                                  "encoder.mid_block.resnets." + std::to_string(i),
                                  ResBlockConfig{.in = widest, .out = widest, .eps = kVaeEps}, precision);
}

void VaeEncoder::add_down_blocks(const WeightScope& scope, const VaeConfig& config, const Precision& precision) {
    auto in = config.block_out_channels.front();
    for (std::size_t i = 0; i < config.block_out_channels.size(); ++i) {
        const auto number = std::to_string(i);
        const auto name = "encoder.down_blocks." + number;
        const auto out = config.block_out_channels[i];
        DownBlock block;
        for (std::int64_t j = 0; j < config.layers_per_block; ++j)
            block.resnets.emplace_back(scope / number / "resnets" / j, name + ".resnets." + std::to_string(j),
                                       ResBlockConfig{.in = j == 0 ? in : out, .out = out, .eps = kVaeEps}, precision);
        if (i + 1 < config.block_out_channels.size())
            block.downsampler.emplace(scope / number / "downsamplers" / 0 / "conv", name + ".downsamplers.0",
                                      Conv2dConfig{.in = out, .out = out, .stride = 2, .padding = ConvPadding::behind},
                                      precision);
        down_blocks_.push_back(std::move(block));
        in = out;
    }
}

Tensor VaeEncoder::moments(const Tensor& pixels, const ForwardContext& context) const {
    auto x = conv_in_.forward(pixels.to(precision_.device).permute({0, 2, 3, 1}).contiguous(), context);
    for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
        for (const auto& resnet : down_blocks_[i].resnets) x = resnet.forward(x, {}, context);
        if (down_blocks_[i].downsampler) x = down_blocks_[i].downsampler->forward(x, context);
        context.observe("encoder.down_blocks." + std::to_string(i), x);
    }
    x = mid_attention_.forward(mid_resnets_[0].forward(x, {}, context), context);
    x = mid_resnets_[1].forward(x, {}, context);
    context.observe("encoder.mid_block", x);
    x = quant_conv_.forward(conv_out_.after_norm(conv_norm_out_, x, context), context);
    return x.permute({0, 3, 1, 2});
}

Tensor VaeEncoder::mode(const Tensor& pixels, const ForwardContext& context) const {
    return moments(pixels, context).chunk(2, 1)[0].contiguous();
}

}  // namespace kinescope::svd
