#pragma once

#include <array>
#include <vector>

#include "core/finish/upscale_network.h"
#include "core/nn/conv2d.h"

namespace kinescope {

/// ESRGAN (Wang et al. 2018, arXiv:1809.00219) and Real-ESRGAN: residual-in-residual dense blocks, then convolutions
/// after nearest-neighbor doublings.
class RrdbNetwork final : public UpscaleNetwork {
public:
    RrdbNetwork(const WeightScope& scope, const RrdbLayout& layout, const Precision& precision);
    int scale() const override { return layout_.scale(); }
    Tensor enlarge(const Tensor& pictures) const override;

private:
    static constexpr int kDense = 5;
    static constexpr int kParts = 3;
    using DensePart = std::array<Conv2d, kDense>;
    using Block = std::array<DensePart, kParts>;

    Tensor features(const Tensor& folded) const;
    static Tensor run(const DensePart& part, const Tensor& x);
    static Tensor run(const Block& block, const Tensor& x);

    RrdbLayout layout_;
    Conv2d first_;
    std::vector<Block> blocks_;
    Conv2d body_;
    std::vector<Conv2d> doublings_;
    Conv2d full_;
    Conv2d last_;
};

}  // namespace kinescope
