#include "core/pipeline/latent_preview.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace kinescope {

namespace {

bool has_projection(const ModelCard& card, std::int64_t channels) {
    return static_cast<std::int64_t>(card.latent_rgb_factors.size()) == channels && card.latent_rgb_bias.size() == 3 &&
           std::all_of(card.latent_rgb_factors.begin(), card.latent_rgb_factors.end(),
                       [](const auto& row) { return row.size() == 3; });
}

/// Returns the factors [C, 3] and the bias [3] of the model card.
std::pair<Tensor, Tensor> projection(const ModelCard& card) {
    std::vector<float> factors;
    for (const auto& row : card.latent_rgb_factors) factors.insert(factors.end(), row.begin(), row.end());
    const std::vector<float> bias(card.latent_rgb_bias.begin(), card.latent_rgb_bias.end());
    const auto rows = static_cast<std::int64_t>(card.latent_rgb_factors.size());
    return {at::tensor(factors).view({rows, 3}), at::tensor(bias)};
}

}  // namespace

std::vector<FramePtr> latent_preview(const Tensor& latents, const ModelCard& card) {
    const Tensor x = latents.detach().to(at::kCPU, at::kFloat)[0].permute({1, 2, 3, 0});  // [F, H, W, C]
    if (has_projection(card, x.size(3))) {
        const auto [factors, bias] = projection(card);
        return to_frames(at::matmul(x, factors) + bias);
    }
    const Tensor gray =
        x.narrow(3, 0, std::min<std::int64_t>(3, x.size(3))).mean(3, /*keepdim=*/true).expand({-1, -1, -1, 3});
    return to_frames(gray * 0.25 + 0.5);
}

std::vector<FramePtr> to_frames(const Tensor& frames) {
    const Tensor bytes = (frames.detach().clamp(0, 1) * 255).round().to(at::kByte).contiguous();
    const auto frame_bytes = static_cast<std::size_t>(bytes.size(1) * bytes.size(2) * 3);
    std::vector<FramePtr> pictures;
    for (std::int64_t i = 0; i < bytes.size(0); ++i) {
        const std::uint8_t* begin = bytes.const_data_ptr<std::uint8_t>() + static_cast<std::size_t>(i) * frame_bytes;
        pictures.push_back(std::make_shared<Frame>(Frame{.width = static_cast<int>(bytes.size(2)),
                                                         .height = static_cast<int>(bytes.size(1)),
                                                         .pixels = {begin, begin + frame_bytes}}));
    }
    return pictures;
}

}  // namespace kinescope
