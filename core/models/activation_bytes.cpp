#include "core/models/activation_bytes.h"

#include <algorithm>
#include <map>

#include "core/device/device_capability.h"
#include "core/nn/cpu/flash_attention.h"
#include "core/nn/cpu/linear_product.h"
#include "core/nn/cpu/winograd.h"

namespace kinescope {

namespace {

constexpr std::int64_t kFloatBytes = 4;
/// Maximum number of bytes of frames that a causal convolution stacks in one pass; see core/nn/causal_conv3d.cpp.
constexpr std::int64_t kMaxStackedBytes = std::int64_t{256} << 20;
constexpr std::int64_t kTaps = 3;

std::int64_t size_of(Dtype dtype) {
    return static_cast<std::int64_t>(c10::elementSize(dtype));
}

/// Returns the memory for the rows of [tokens, in] that a product copies.
std::int64_t copied_bytes(const BlockSizes& block, std::int64_t in) {
    const Precision& precision = block.precision;
    const bool is_own = precision.device.is_cpu() && precision.compute == at::kFloat;
    return is_own && precision.level != PrecisionLevel::scaled ? linear_product_bytes(block.tokens, in) : 0;
}

bool is_read_in_place(const DecoderSizes& sizes) {
    return sizes.precision.device.is_cpu() && sizes.precision.compute == at::kFloat &&
           winograd_pays(sizes.in, sizes.out);
}

}  // namespace

int cpu_threads(const ResolvedCompute& compute) {
    // A plan asks for each component, and reading the properties of the processor takes milliseconds.
    static const std::map<Reproducibility, int> by_default{
        {Reproducibility::off, num_cpu_threads(0, Reproducibility::off)},
        {Reproducibility::on, num_cpu_threads(0, Reproducibility::on)}};
    return compute.threads > 0 ? compute.threads : by_default.at(compute.reproducible);
}

std::int64_t transformer_bytes(const BlockSizes& block) {
    const auto states = block.tokens * block.dim;
    const auto compute = block.precision.compute;
    const bool is_scaled = block.precision.level == PrecisionLevel::scaled;
    const auto own = is_scaled ? kFloatBytes : size_of(compute);
    const bool is_narrow = compute != at::kFloat && !is_scaled;
    // On the scaled level, the operands of a product exist twice: divided by the scale in float32, and then narrowed.
    const auto divided = is_scaled ? kFloatBytes + size_of(compute) : 0;
    // The stream and its norm; projected q, k and v; normalized and rotated q and k; q and k as operands; the result.
    const auto packed = block.precision.device.is_cpu() && own == kFloatBytes
                            ? flash_attention_bytes(block.tokens, block.head_dim, block.threads)
                            : 0;
    const auto attention =
        std::max(packed, copied_bytes(block, block.dim)) +
        states * (2 * kFloatBytes + 3 * own + 4 * kFloatBytes + (is_narrow ? 2 * own : 0) + own + divided);
    // The block's input, the stream before and after attention, the attention results and the norm; the inner states;
    // the result.
    const auto feed_forward = states * (6 * kFloatBytes + own) + block.tokens * block.inner_dim * (own + divided) +
                              std::max(copied_bytes(block, block.dim), copied_bytes(block, block.inner_dim));
    return std::max(attention, feed_forward);
}

std::int64_t encoder_bytes(const BlockSizes& block, std::int64_t num_heads) {
    const auto scores = 3 * num_heads * block.tokens * block.tokens * kFloatBytes;
    const auto states = block.tokens * kFloatBytes * (6 * block.dim + 4 * block.inner_dim);
    return scores + states;
}

std::int64_t decoder_bytes(const DecoderSizes& sizes) {
    const auto own = size_of(sizes.precision.compute);
    const auto frame_in = sizes.pixels * sizes.in;
    const auto frame_out = sizes.pixels * sizes.out;
    if (is_read_in_place(sizes))
        return sizes.frames * (2 * frame_in + frame_out) * kFloatBytes + sizes.past_frames * frame_in * kFloatBytes;
    const auto stacked = kTaps * sizes.frames * frame_in * own;
    return sizes.frames * frame_in * 2 * kFloatBytes +                               // stream and norm
           (sizes.frames + 2) * frame_in * own +                                     // input and cached frames
           (stacked <= kMaxStackedBytes ? stacked : kTaps * frame_in * own) +        // frames stacked for a convolution
           2 * sizes.frames * frame_out * own + sizes.past_frames * frame_in * own;  // results, cached frames
}

}  // namespace kinescope
