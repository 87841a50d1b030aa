#pragma once

#include <functional>
#include <vector>

#include "core/finish/network_layout.h"
#include "core/nn/conv2d.h"

namespace kinescope {

/// A transposed convolution 4x4 with stride 2 and padding 1, of channels-last pictures: twice the size.
class DoublingConv {
public:
    DoublingConv() = default;
    DoublingConv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision);
    Tensor operator()(const Tensor& pictures) const;

private:
    Tensor weight_;  ///< float32 [in, out, 4, 4]
    Tensor bias_;
};

/// A flow block: estimates flow, mask and passed features at a reduced size.
class FlowBlock {
public:
    FlowBlock(const WeightScope& scope, const RifeBlock& layout, std::int64_t in, const Precision& precision);
    /// [N, H, W, in] -> [N, H, W, RifeBlock::outputs]; H and W are multiples of 4.
    Tensor operator()(const Tensor& x) const;

private:
    struct Residual {
        Conv2d conv;
        Tensor beta;  ///< float32 [width]
    };

    Conv2d shrink1_;
    Conv2d shrink2_;
    std::vector<Residual> residuals_;
    DoublingConv last_;
};

/// A frame for the network, with its features.
struct EncodedFrame {
    Tensor picture;   ///< float32 [1, 3, H, W], 0..1, H and W are multiples of RifeNetwork::multiple
    Tensor features;  ///< float32 [1, features, H, W]
};

/// The state after a block, for tests and previews.
struct FlowState {
    Tensor flow;  ///< float32 [1, 4, H, W] in pixels: from the result to the first frame (x, y) and to the second
    Tensor mask;  ///< float32 [1, 1, H, W], before the sigmoid: the share of the first frame
};

/// Called after each block. May throw to stop.
using AfterBlock = std::function<void(int block, const FlowState& state)>;

/// Sides must be multiples of this at a scale factor: 64 at 1, 128 at 0.5 for four and five blocks.
int rife_multiple(const RifeLayout& layout, double scale_factor);

/// RIFE 4.7 to 4.26 (Huang et al. 2022, arXiv:2011.06294, and Practical-RIFE): the frame between two frames at any
/// time.
class RifeNetwork {
public:
    RifeNetwork(const WeightScope& scope, const RifeLayout& layout, const Precision& precision);

    int multiple(double scale_factor) const { return rife_multiple(layout_, scale_factor); }
    EncodedFrame encode(const Tensor& picture) const;
    /// The frame at `time`, 0..1 between `a` and `b`: float32 [1, 3, H, W], 0..1. `scale_factor`: 1, or 0.5 for frames
    /// above about 2000 px, where flow is estimated at half the size.
    Tensor between(const EncodedFrame& a, const EncodedFrame& b, double time, double scale_factor,
                   const AfterBlock& after_block) const;

private:
    Tensor run(std::size_t block, const Tensor& x, const Tensor& flow, double reduction) const;

    RifeLayout layout_;
    std::vector<Conv2d> encoder_;
    DoublingConv encoder_end_;
    std::vector<FlowBlock> blocks_;
};

}  // namespace kinescope
