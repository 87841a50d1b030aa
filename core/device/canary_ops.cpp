#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device/canary.h"

namespace kinescope {

namespace {

/// Returns normally distributed random numbers that are the same on every device: drawn on the CPU with a fixed seed
/// and rounded to `dtype`.
Tensor numbers(const std::vector<std::int64_t>& shape, Dtype dtype, std::uint64_t seed = 7) {
    auto generator = at::detail::createCPUGenerator(seed);
    return at::randn(shape, generator, at::TensorOptions().dtype(at::kFloat)).to(dtype);
}

/// Returns the largest error relative to the largest value of `reference` (float32 on the CPU).
double error_of(const Tensor& value, const Tensor& reference) {
    const double largest = reference.abs().max().item<double>();
    const double error = (value.to(at::kCPU, at::kFloat) - reference).abs().max().item<double>();
    return error / std::max(largest, 1e-12);
}

/// Computes the error like error_of, for a result whose last dimension repeats the reference. Compares on the device,
/// so that checking a large result needs only a small reference.
double error_of_repeated(const Tensor& value, const Tensor& reference) {
    const Tensor there = reference.to(value.device());
    const Tensor blocks = value.to(at::kFloat).unflatten(-1, {-1, reference.size(-1)});
    const double error = (blocks - there.unsqueeze(-2)).abs().max().item<double>();
    return error / std::max(reference.abs().max().item<double>(), 1e-12);
}

double linear_error(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], in = probe.shape[1], out = probe.shape[2];
    const std::int64_t block = out % 128 == 0 ? 128 : out;
    const Tensor x = numbers({rows, in}, probe.dtype, 1);
    const Tensor weight = numbers({block, in}, probe.dtype, 2);
    const Tensor bias = numbers({block}, probe.dtype, 3);
    const Tensor value =
        at::linear(x.to(device), weight.to(device).repeat({out / block, 1}), bias.to(device).repeat({out / block}));
    return error_of_repeated(value, at::linear(x.to(at::kFloat), weight.to(at::kFloat), bias.to(at::kFloat)));
}

/// Returns the error of sums along K. The exact result is known and the same for every element.
double sum_error(const CanaryProbe& probe, const Device& device, const Tensor& addends, double truth) {
    const auto rows = probe.shape[0], columns = probe.shape[2];
    const Tensor x = addends.to(probe.dtype).expand({rows, addends.size(0)}).contiguous().to(device);
    const Tensor ones = at::ones({columns, addends.size(0)}, x.options());
    const Tensor value = at::linear(x, ones).to(at::kCPU, at::kFloat);
    return (value - truth).abs().max().item<double>() / std::max(std::abs(truth), 1.0);
}

double cancelling_error(const CanaryProbe& probe, const Device& device) {
    Tensor addends = at::full({probe.shape[1]}, 8.0);
    addends.narrow(0, probe.shape[1] / 2, probe.shape[1] / 2).fill_(-8.0);
    return sum_error(probe, device, addends, 0.0);
}

double small_addends_error(const CanaryProbe& probe, const Device& device) {
    constexpr std::int64_t kSmall = 16384;
    Tensor addends = at::zeros({probe.shape[1]});
    addends[0] = 2048.0;
    addends.narrow(0, 1, kSmall).fill_(1.0 / 32);
    return sum_error(probe, device, addends, 2560.0);
}

enum class AttentionMask { none, causal };

struct Qkv {
    Tensor query;
    Tensor key;
    Tensor value;
    Tensor attend(AttentionMask mask) const {
        return at::scaled_dot_product_attention(query, key, value, {}, /*dropout_p=*/0.0,
                                                /*is_causal=*/mask == AttentionMask::causal);
    }
    Qkv to(const Device& device, Dtype dtype) const {
        return {query.to(device, dtype), key.to(device, dtype), value.to(device, dtype)};
    }
};

Qkv random_qkv(const CanaryProbe& probe) {
    const auto heads = probe.shape[0], queries = probe.shape[1], keys = probe.shape[2], width = probe.shape[3];
    return {numbers({1, heads, queries, width}, probe.dtype, 1), numbers({1, heads, keys, width}, probe.dtype, 2),
            numbers({1, heads, keys, width}, probe.dtype, 3)};
}

double attention_error(const CanaryProbe& probe, const Device& device, AttentionMask mask) {
    const Qkv inputs = random_qkv(probe);
    const Tensor value = inputs.to(device, probe.dtype).attend(mask);
    return error_of(value, inputs.to(at::kCPU, at::kFloat).attend(mask));
}

/// Returns the error of attention with equal scores, whose exact result is the mean of the values.
double mean_error(const CanaryProbe& probe, const Device& device, double side, const Tensor& values) {
    Qkv inputs = random_qkv(probe);
    inputs.query = at::full_like(inputs.query, side);
    inputs.key = at::full_like(inputs.key, side);
    inputs.value = values.to(probe.dtype);
    const Tensor mean = inputs.value.to(at::kFloat).mean(2, /*keepdim=*/true).expand(inputs.query.sizes());
    return error_of(inputs.to(device, probe.dtype).attend(AttentionMask::none), mean);
}

std::vector<std::int64_t> value_shape(const CanaryProbe& probe) {
    return {1, probe.shape[0], probe.shape[2], probe.shape[3]};
}

/// Converts an image [1, C, H, W] to channels-last memory order, as Conv2d uses it.
Tensor channels_last(const Tensor& picture) {
    return picture.contiguous(at::MemoryFormat::ChannelsLast);
}

/// Returns the error of a convolution. The input repeats every 16 px, and so does the result, so that one small
/// reference is enough to check all of a large result.
double conv_error(const CanaryProbe& probe, const Device& device) {
    constexpr std::int64_t kPeriod = 16;
    const auto in = probe.shape[0], out = probe.shape[1], height = probe.shape[2], width = probe.shape[3];
    const Tensor tile = numbers({1, in, kPeriod, kPeriod}, probe.dtype, 1);
    const Tensor weight = numbers({out, in, 3, 3}, probe.dtype, 2);
    const Tensor bias = numbers({out}, probe.dtype, 3);
    const Tensor x = channels_last(tile.to(device).repeat({1, 1, height / kPeriod, width / kPeriod}));
    const Tensor whole = at::conv2d(x, channels_last(weight.to(device)), bias.to(device), 1, /*padding=*/1);
    // Exclude the border that the padding affects.
    const Tensor value = whole.narrow(2, kPeriod, height - 2 * kPeriod).narrow(3, kPeriod, width - 2 * kPeriod);
    const Tensor reference = at::conv2d(tile.repeat({1, 1, 3, 3}).to(at::kFloat), weight.to(at::kFloat),
                                        bias.to(at::kFloat), 1, /*padding=*/1)
                                 .narrow(2, kPeriod, kPeriod)
                                 .narrow(3, kPeriod, kPeriod);
    const Tensor rows = value.to(at::kFloat).unflatten(3, {-1, kPeriod}).unflatten(2, {-1, kPeriod});
    const Tensor there = reference.to(device).unsqueeze(2).unsqueeze(4);
    return (rows - there).abs().max().item<double>() / reference.abs().max().item<double>();
}

double rsqrt_error(const CanaryProbe& probe, const Device& device) {
    const Tensor x = numbers(probe.shape, probe.dtype).abs() + 0.01;
    return error_of(x.to(device).rsqrt(), x.to(at::kFloat).rsqrt());
}

/// Returns the error of baddbmm with beta 0, for which PyTorch guarantees not to read the input. On MPS it was read
/// (ComfyUI #15804).
double stale_bias_error(const CanaryProbe& probe, const Device& device) {
    const Tensor a = numbers({1, probe.shape[0], probe.shape[1]}, probe.dtype, 1);
    const Tensor b = numbers({1, probe.shape[1], probe.shape[2]}, probe.dtype, 2);
    const auto stale =
        at::full({1, probe.shape[0], probe.shape[2]}, std::numeric_limits<double>::quiet_NaN(), a.to(device).options());
    return error_of(at::baddbmm(stale, a.to(device), b.to(device), /*beta=*/0),
                    at::bmm(a.to(at::kFloat), b.to(at::kFloat)));
}

/// Returns the error of a cast to float8. Values above 448 must become NaN or 448, depending on LibTorch's version.
double float8_cast_error(const CanaryProbe& probe, const Device& device) {
    const Tensor values = at::linspace(-1000.0, 1000.0, probe.shape[0]).to(device);
    const Tensor cast = values.to(at::kFloat8_e4m3fn).to(at::kFloat);
    const Tensor is_beyond = values.abs() > 480;
    const Tensor is_right = cast.isnan().logical_or(cast.abs() == 448);
    const Tensor rest = (cast - values).abs().masked_fill(is_beyond, 0.0) > 32;
    const bool is_wrong = is_beyond.logical_and(is_right.logical_not()).any().item<bool>() || rest.any().item<bool>();
    return is_wrong ? 1.0 : 0.0;
}

/// Computes the attention scores of a long sequence in one product. Compares the last rows with the same rows computed
/// in parts.
double many_scores_error(const CanaryProbe& probe, const Device& device) {
    constexpr std::int64_t kPart = 256, kWidth = 16;
    const Tensor q = numbers({probe.shape[0], probe.shape[1], kWidth}, probe.dtype, 1).to(device);
    const Tensor k = numbers({probe.shape[0], kWidth, probe.shape[1]}, probe.dtype, 2).to(device);
    const Tensor last = at::bmm(q, k).narrow(1, probe.shape[1] - kPart, kPart).contiguous();
    return error_of(last,
                    at::bmm(q.narrow(1, probe.shape[1] - kPart, kPart).cpu().to(at::kFloat), k.cpu().to(at::kFloat)));
}

double error_of_probe(const CanaryProbe& probe, const Device& device) {
    constexpr double kLargeSide = 27.95;  // 64 * 27.95^2 is about 5e4
    switch (probe.op) {
        case CanaryOp::linear:
            return linear_error(probe, device);
        case CanaryOp::cancelling_sum:
            return cancelling_error(probe, device);
        case CanaryOp::small_addends:
            return small_addends_error(probe, device);
        case CanaryOp::attention:
            return attention_error(probe, device, AttentionMask::none);
        case CanaryOp::causal_attention:
            return attention_error(probe, device, AttentionMask::causal);
        case CanaryOp::long_keys:
            return mean_error(probe, device, 0.0, at::ones(value_shape(probe)));
        case CanaryOp::large_scores:
            return mean_error(probe, device, kLargeSide, numbers(value_shape(probe), probe.dtype, 3));
        case CanaryOp::conv2d:
            return conv_error(probe, device);
        case CanaryOp::rsqrt:
            return rsqrt_error(probe, device);
        case CanaryOp::stale_bias:
            return stale_bias_error(probe, device);
        case CanaryOp::float8_cast:
            return float8_cast_error(probe, device);
        case CanaryOp::many_scores:
            return many_scores_error(probe, device);
        case CanaryOp::cudnn_attention:
        case CanaryOp::tf32_conv2d:
        case CanaryOp::gelu_product:
        case CanaryOp::fused_load:
        case CanaryOp::fused_norm:
        case CanaryOp::fused_rotary:
        case CanaryOp::fused_sum:
        case CanaryOp::fused_sum_norm:
        case CanaryOp::fused_statistics:
        case CanaryOp::fused_silu:
            break;  // see run_optional_probe
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace

ProbeMeasurement run_probe(const CanaryProbe& probe, const Device& device) {
    if (probe.is_optional()) return run_optional_probe(probe, device);
    return {.error = error_of_probe(probe, device)};
}

}  // namespace kinescope
