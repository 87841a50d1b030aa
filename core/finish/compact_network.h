#pragma once

#include <vector>

#include "core/finish/upscale_network.h"
#include "core/nn/conv2d.h"

namespace kinescope {

/// SRVGGNetCompact of Real-ESRGAN: convolutions with PReLU, a pixel shuffle, and the enlarged picture added.
class CompactNetwork final : public UpscaleNetwork {
public:
    CompactNetwork(const WeightScope& scope, const CompactLayout& layout, const Precision& precision);
    int scale() const override { return layout_.scale; }
    Tensor enlarge(const Tensor& pictures) const override;

private:
    CompactLayout layout_;
    std::vector<Conv2d> convolutions_;
    std::vector<Tensor> slopes_;  ///< one for each channel, after every convolution but the last
};

}  // namespace kinescope
