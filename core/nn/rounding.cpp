#include "core/nn/rounding.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/nn/cpu/linear_product.h"

namespace kinescope {

namespace {

constexpr std::int64_t kMeasuredRows = 16;
constexpr std::int64_t kMeasuredQueries = 8;
constexpr std::int64_t kMeasuredSide = 8;
constexpr std::int64_t kMeasuredPixels = 4096;
constexpr std::int64_t kMeasuredChannels = 64;  ///< of a weight, where a sample of them is enough
/// Maximum number of values of a weight, or of keys, to convert to float32 at a time.
constexpr std::int64_t kMeasuredAtOnce = std::int64_t{1} << 22;
/// The same for weights on the CPU, where the converted values should stay in the second-level cache.
constexpr std::int64_t kMeasuredInCache = std::int64_t{1} << 18;

/// A channel counts as lost if its squared error exceeds this share of its squared size (40 dB) and rounding does not
/// explain it.
constexpr double kLostSquared = 1e-4;
/// Multiple of a single rounding error. It accounts for rounding of both operands and of the result, and for the order
/// of summation.
constexpr double kRoundings = 4;

bool is_measured(const OpPrecision& op) {
    return op.listener != nullptr && op.compute != at::kFloat;
}

/// Tells the listener how long a measurement takes on a device.
class Timing {
public:
    Timing(RoundingListener& listener, const Device& device)
        : listener_(listener), device_(device), begin_(DeviceMoment::now(device)) {}
    /// Call this at the end. The destructor must not, because a device that fails cannot record the moment.
    void end() { listener_.on_measured(std::move(begin_), DeviceMoment::now(device_)); }

private:
    RoundingListener& listener_;
    Device device_;
    DeviceMoment begin_;
};

/// Returns the largest relative rounding error of a 16-bit dtype.
double unit_of(Dtype dtype) {
    return dtype == at::kHalf ? std::exp2(-11.0) : std::exp2(-8.0);
}

/// Actual and expected (float32) results [rows, channels] of a product, and the same product with the magnitudes of all
/// operands, summed over the rows: [channels]. A rounding error is at most a small multiple of that product, because it
/// is relative; an error from underflow can be larger.
struct Measured {
    Tensor actual;
    Tensor expected;
    Tensor magnitudes;
};

/// Returns a row for RoundingListener: squared error, squared size, number of lost channels, number of channels, and no
/// inherited error.
Tensor row_of(const Measured& of, Dtype dtype) {
    const double unit = unit_of(dtype) * kRoundings;
    const auto error = of.actual.to(at::kFloat) - of.expected;
    const auto noise = error.square().sum({0}), signal = of.expected.square().sum({0});
    const auto is_exact = noise <= signal * kLostSquared;
    const auto is_rounded = error.abs().sum({0}) <= of.magnitudes * unit;
    const auto lost = at::logical_not(at::logical_or(is_exact, is_rounded)).sum().to(at::kFloat);
    const auto channels = at::full({}, static_cast<double>(noise.numel()), lost.options());
    return at::stack({noise.sum(), signal.sum(), lost, channels, at::zeros_like(lost)});
}

/// Returns the mean square of the relative error of values that were rounded to `dtype`.
double rounding_of(Dtype dtype) {
    const bool is_rounded = dtype == at::kHalf || dtype == at::kBFloat16;
    return is_rounded ? unit_of(dtype) * unit_of(dtype) / 6 : 0.0;
}

/// Returns a row for RoundingListener that only adds `error`, an expected squared error from rounding before the op.
Tensor inherited_row(const Tensor& error) {
    const auto none = at::zeros({}, error.options());
    return at::stack({error, none, none, none, error});
}

/// Calls `work(first, count)` for parts of `size` channels with `values` elements each. The parts have at most `most`
/// elements, if one channel does not have more.
template <class Work>
void each_part(std::int64_t size, std::int64_t values, std::int64_t most, const Work& work) {
    const auto step = std::max<std::int64_t>(most / std::max<std::int64_t>(values, 1), 1);
    for (std::int64_t first = 0; first < size; first += step) work(first, std::min(step, size - first));
}

/// Adds up the rows for RoundingListener over the parts of one product.
class RowSum {
public:
    void add(const Tensor& row) { sum_ = sum_.defined() ? sum_ + row : row; }
    void tell(RoundingListener& listener) const {
        if (sum_.defined()) listener.on_rounding(sum_);
    }

private:
    Tensor sum_;
};

/// Returns at most `count` rows of x [rows, ...], at regular intervals.
Tensor some_rows(const Tensor& x, std::int64_t count) {
    return x.slice(0, 0, {}, std::max<std::int64_t>(x.size(0) / count, 1)).slice(0, 0, count);
}

Tensor in_rows(const Tensor& x) {
    return x.reshape({-1, x.size(-1)});
}

Tensor part_of(const Tensor& x, std::int64_t dim, std::int64_t first, std::int64_t count) {
    return x.defined() && x.size(dim) > 1 ? x.narrow(dim, first, count) : x;
}

Tensor magnitude(const Tensor& x) {
    return x.defined() ? x.abs() : x;
}

/// Converts parts of a weight's rows to float32.
class WideRows {
public:
    explicit WideRows(const StoredWeight& weight) : weight_(weight) {
        if (!weight.additions.empty()) whole_ = weight.dequantize(at::kFloat);
    }
    Tensor rows(std::int64_t first, std::int64_t count) const {
        if (whole_.defined()) return whole_.narrow(0, first, count);
        if (!weight_.is_quantized()) return weight_.data.narrow(0, first, count).to(at::kFloat);
        const auto ids = at::arange(first, first + count, at::TensorOptions(at::kLong).device(weight_.data.device()));
        return weight_.rows(ids, at::kFloat);
    }

private:
    const StoredWeight& weight_;
    Tensor whole_;
};

/// The mean square of the relative error of each product's factors before the op. It is large relative to the result if
/// products cancel. The input may be float32 and still be a sum of values that were rounded.
double rounding_of_factors(const OpPrecision& op, const LinearPart& part) {
    const bool is_rounded = part.weight.digits == WeightDigits::fewer;
    return rounding_of(op.compute) + (is_rounded ? rounding_of(part.weight.stored.data.scalar_type()) : 0.0);
}

/// Samples of the operands of y = x W^T + b in float32, and the results: [rows, channels].
struct LinearSample {
    Tensor inputs;                                 ///< [rows, in]
    Tensor outputs;                                ///< [rows, out]
    Tensor magnitude_of_inputs, square_of_inputs;  ///< [in], summed over the rows
    Tensor expected;                               ///< [rows, out]
    Tensor magnitudes;                             ///< [out]
    Tensor inherited;                              ///< scalar
};

LinearSample sample_of(const LinearPart& part, const Tensor& y) {
    const auto inputs = some_rows(in_rows(part.x), kMeasuredRows).to(at::kFloat);
    const auto outputs = some_rows(in_rows(y), kMeasuredRows);
    return {.inputs = inputs,
            .outputs = outputs,
            .magnitude_of_inputs = inputs.abs().sum({0}),
            .square_of_inputs = inputs.square().sum({0}),
            .expected = at::empty({inputs.size(0), outputs.size(1)}, inputs.options()),
            .magnitudes = at::zeros({outputs.size(1)}, inputs.options()),
            .inherited = at::zeros({}, inputs.options())};
}

/// Reads a plain weight of the CPU where it is stored. Returns false for other weights, and if a channel is not within
/// 40 dB, so that its magnitude is needed. A GPU could tell only by waiting.
bool measure_in_place(const LinearPart& part, LinearSample& of) {
    const StoredWeight& stored = part.weight.stored;
    if (!of.inputs.is_cpu() || stored.is_quantized() || !stored.additions.empty()) return false;
    const auto expected = linear_product(of.inputs, stored.data, {});
    const auto wanted = part.bias.defined() ? expected + part.bias : expected;
    const auto noise = (of.outputs.to(at::kFloat) - wanted).square().sum({0});
    if (!(noise <= wanted.square().sum({0}) * kLostSquared).all().item<bool>()) return false;
    of.expected = expected;
    // The inherited error is a sum over all channels.
    const auto channels = stored.data.size(0);
    const auto some = some_rows(stored.data, kMeasuredChannels);
    of.inherited = at::dot(some.to(at::kFloat).square().sum({0}), of.square_of_inputs) *
                   (static_cast<double>(channels) / static_cast<double>(some.size(0)));
    return true;
}

/// Measures channels [first, first + count). `weights` has their rows.
void measure_channels(const Tensor& weights, std::int64_t first, LinearSample& of) {
    auto results = of.expected.narrow(1, first, weights.size(0));
    auto sums = of.magnitudes.narrow(0, first, weights.size(0));
    at::mm_out(results, of.inputs, weights.t());
    at::mv_out(sums, weights.abs(), of.magnitude_of_inputs);
    of.inherited += at::dot(weights.square().sum({0}), of.square_of_inputs);
}

}  // namespace

void measure_linear(const OpPrecision& op, const LinearPart& part, const Tensor& y) {
    if (!is_measured(op) || part.x.numel() == 0) return;
    Timing timing(*op.listener, y.device());
    LinearSample sample = sample_of(part, y);
    if (!measure_in_place(part, sample)) {
        const WideRows weights(part.weight.stored);
        each_part(sample.outputs.size(1), sample.inputs.size(1), y.is_cpu() ? kMeasuredInCache : kMeasuredAtOnce,
                  [&](std::int64_t first, std::int64_t count) {
                      measure_channels(weights.rows(first, count), first, sample);
                  });
    }
    if (part.bias.defined()) {
        sample.expected += part.bias;
        sample.magnitudes += part.bias.abs() * sample.inputs.size(0);
    }
    op.listener->on_rounding(row_of({sample.outputs, sample.expected, sample.magnitudes}, op.compute) +
                             inherited_row(sample.inherited * rounding_of_factors(op, part)));
    timing.end();
}

namespace {

/// Returns x W^T + b of some rows in float32, from operands that are rounded to `dtype`.
Tensor product_of_rounded(const Tensor& rows, const LinearPart& part, Dtype dtype) {
    const auto rounded = [&](const Tensor& of) { return of.to(dtype).to(at::kFloat); };
    const auto inputs = rounded(rows),
               product = at::empty({rows.size(0), part.weight.stored.shape.at(0)}, inputs.options());
    const WideRows weights(part.weight.stored);
    each_part(product.size(1), inputs.size(1), kMeasuredAtOnce, [&](std::int64_t first, std::int64_t count) {
        auto results = product.narrow(1, first, count);
        at::mm_out(results, inputs, rounded(weights.rows(first, count)).t());
    });
    return part.bias.defined() ? product + rounded(part.bias) : product;
}

}  // namespace

void measure_unrounded_linear(const OpPrecision& op, const LinearPart& part) {
    if (!is_measured(op) || part.x.numel() == 0) return;
    Timing timing(*op.listener, part.x.device());
    const auto rows = some_rows(in_rows(part.x), kMeasuredRows);
    const auto product = product_of_rounded(rows, part, op.compute);
    timing.end();
    measure_linear(op, {rows, part.weight, part.bias}, product);
}

namespace {

/// The range of results in the middle of one side of an image, with the range of inputs that they depend on.
struct MiddleSpan {
    std::int64_t first, count;

    static MiddleSpan middle(std::int64_t size) {
        const auto count = std::min(size, kMeasuredSide);
        return {(size - count) / 2, count};
    }
};

/// Returns the inputs for `results` along dimension `dim` of `x`, with zeros outside the image.
Tensor inputs_of(const Tensor& x, std::int64_t dim, const MiddleSpan& results, const ConvolutionPart& part) {
    const auto begin = results.first * part.stride - part.before;
    const auto end = begin + (results.count - 1) * part.stride + part.weight.size(-1);
    const auto from = std::max<std::int64_t>(begin, 0), to = std::min(end, x.size(dim));
    std::vector<std::int64_t> zeros(static_cast<std::size_t>(2 * (x.dim() - dim)), 0);
    zeros[zeros.size() - 2] = from - begin;
    zeros[zeros.size() - 1] = end - to;
    return at::constant_pad_nd(x.narrow(dim, from, to - from), zeros);
}

}  // namespace

void measure_convolution(const OpPrecision& op, const ConvolutionPart& part, const Tensor& y) {
    if (!is_measured(op) || y.numel() == 0) return;
    Timing timing(*op.listener, y.device());
    const auto rows = MiddleSpan::middle(y.size(1)), columns = MiddleSpan::middle(y.size(2));
    const auto picture = part.pictures.narrow(0, 0, 1).to(at::kFloat).permute({0, 3, 1, 2});
    const auto inputs = inputs_of(inputs_of(picture, 2, rows, part), 3, columns, part).contiguous();
    const auto outputs =
        in_rows(y.narrow(0, 0, 1).narrow(1, rows.first, rows.count).narrow(2, columns.first, columns.count));
    const auto convolve = [&](const Tensor& x, const Tensor& weight, const Tensor& bias) {
        return in_rows(at::conv2d(x, weight, bias, part.stride).permute({0, 2, 3, 1}));
    };
    const auto& offsets = part.bias;
    RowSum sum;
    each_part(
        part.weight.size(0), part.weight[0].numel(), kMeasuredAtOnce, [&](std::int64_t first, std::int64_t count) {
            const auto weight = part.weight.narrow(0, first, count).to(at::kFloat).contiguous();
            const auto offset = offsets.defined() ? offsets.narrow(0, first, count) : offsets;
            sum.add(row_of({outputs.narrow(1, first, count), convolve(inputs, weight, offset),
                            convolve(inputs.abs(), weight.abs(), magnitude(offset)).sum({0})},
                           op.compute));
            sum.add(inherited_row(convolve(inputs.square(), weight.square(), {}).sum() * rounding_of(op.compute)));
        });
    sum.tell(*op.listener);
    timing.end();
}

namespace {

/// The attention of some queries [heads, queries, channels], in float32.
struct WideAttention {
    Tensor query, key, value;
    Tensor scores, share;  ///< before and after softmax
    Tensor result;         ///< share times value
    double scale = 1;
};

/// Returns the expected squared error from queries for which rounding changes the key that softmax selects: the chance
/// of such a change times the squared distance of the two values. The chance is averaged over the queries of a head,
/// because a small difference of scores is rare among the few queries that are measured. `variance` is that of the
/// scores.
Tensor exchange_error(const WideAttention& of, const Tensor& variance) {
    if (of.scores.size(-1) < 2) return at::zeros({}, variance.options());
    constexpr double kHalfMeanAbs = 0.4;  // of a normal variable of deviation 1
    constexpr double kTiny = 1e-30;
    const auto [largest, index] = of.scores.topk(2, -1);
    const auto first = index.narrow(-1, 0, 1), second = index.narrow(-1, 1, 1);
    const auto difference = (largest.narrow(-1, 0, 1) - largest.narrow(-1, 1, 1)).mean({-2}, true);
    const auto of_pair = variance.gather(-1, first) + variance.gather(-1, second);
    const auto error = of_pair.sqrt().mean({-2}, true) * kHalfMeanAbs;
    const auto chance = error / (difference + error + kTiny);
    const auto moved = of.share.gather(-1, first).square() * (of_pair / (1 + of_pair)) * chance;
    const auto pair = at::zeros_like(of.scores).scatter(-1, first, 1).scatter(-1, second, -1);
    return (at::matmul(pair, of.value).square() * moved).sum();
}

/// The expected square of the error if queries and keys were rounded to `dtype` before. A small error of a score moves
/// the result by it, times its share, times the distance of its value from the result. Raising the op does not help:
/// the queries and keys come from values that other ops rounded.
Tensor error_of_scores(const WideAttention& of, Dtype dtype) {
    const auto variance =
        at::matmul(of.query.square(), of.key.square().transpose(1, 2)) * (2 * of.scale * of.scale * rounding_of(dtype));
    const auto moved = of.share.square() * (variance / (1 + variance));
    const auto values = of.value.square();
    const auto distance = at::matmul(moved, values) - at::matmul(moved, of.value) * of.result * 2 +
                          moved.sum({-1}, true) * of.result.square();
    return distance.clamp_min(0).sum() + exchange_error(of, variance);
}

/// The same for values.
Tensor error_of_values(const WideAttention& of, Dtype dtype) {
    return at::matmul(of.share.square(), of.value.square()).sum() * rounding_of(dtype);
}

/// A row for RoundingListener about the expected effect of rounding before an op, relative to `result`.
Tensor sensitivity_row(const Tensor& error, const Tensor& result) {
    const auto none = at::zeros({}, error.options());
    return at::stack({error, result.square().sum(), none, none, none});
}

}  // namespace

void measure_attention(const OpPrecision& op, const AttentionInput& input, const Tensor& y) {
    if (!is_measured(op) || op.level == PrecisionLevel::scaled || y.numel() == 0) return;
    Timing timing(*op.listener, y.device());
    const auto batch = y.size(0) / 2, stride = std::max<std::int64_t>(y.size(2) / kMeasuredQueries, 1);
    const double scale = input.scale.value_or(1 / std::sqrt(static_cast<double>(y.size(3))));
    const auto bias =
        input.bias.defined() ? input.bias.expand({y.size(0), y.size(1), y.size(2), input.key.size(2)}) : input.bias;
    const auto queries = [&](const Tensor& x) { return x.slice(-2, 0, {}, stride).slice(-2, 0, kMeasuredQueries); };
    RowSum sum, sensitivity;
    each_part(y.size(1), input.key.size(2) * y.size(3), kMeasuredAtOnce, [&](std::int64_t first, std::int64_t count) {
        const auto heads = [&](const Tensor& x) { return part_of(part_of(x, 0, batch, 1)[0], 0, first, count); };
        WideAttention wide{.query = queries(heads(input.query)).to(at::kFloat),
                           .key = heads(input.key).to(at::kFloat),
                           .value = heads(input.value).to(at::kFloat),
                           .scores = {},
                           .share = {},
                           .result = {},
                           .scale = scale};
        wide.scores = at::matmul(wide.query, wide.key.transpose(1, 2)) * scale;
        if (bias.defined()) wide.scores = wide.scores + queries(heads(bias)).to(at::kFloat);
        wide.share = at::softmax(wide.scores, -1);
        wide.result = at::matmul(wide.share, wide.value);
        const auto in_channels = [](const Tensor& x) { return x.transpose(0, 1).flatten(1); };
        sum.add(row_of({in_channels(queries(heads(y))), in_channels(wide.result),
                        in_channels(at::matmul(wide.share, wide.value.abs())).sum({0})},
                       op.compute));
        sum.add(inherited_row(error_of_values(wide, op.compute)));
        sensitivity.add(sensitivity_row(error_of_scores(wide, op.compute), wide.result));
    });
    sum.tell(*op.listener);
    sensitivity.tell(*op.listener);
    timing.end();
}

void measure_group_norm(const OpPrecision& op, const Tensor& x, const GroupNormParameters& norm) {
    if (!is_measured(op) || op.level == PrecisionLevel::scaled || x.numel() == 0) return;
    Timing timing(*op.listener, x.device());
    const auto in_groups = [&](const Tensor& of) { return of.view({-1, norm.groups, of.size(-1) / norm.groups}); };
    const auto pixels = in_rows(x[0]);
    const auto step = (pixels.size(0) + kMeasuredPixels - 1) / kMeasuredPixels;  // the sample covers the whole frame
    const auto values = in_groups(pixels.slice(0, 0, {}, step).to(at::kFloat).contiguous());
    const auto [variance, mean] = at::var_mean(values, at::IntArrayRef({0, 2}), /*correction=*/0, /*keepdim=*/true);
    const auto factor = (variance + norm.eps).rsqrt() * in_groups(norm.weight);
    const auto error = (values * factor).square().sum() * rounding_of(op.compute);
    op.listener->on_rounding(sensitivity_row(error, (values - mean) * factor + in_groups(norm.bias)));
    timing.end();
}

Dtype operand_dtype(const OpPrecision& op) {
    return op.level == PrecisionLevel::planned && op.listener == nullptr ? op.compute : at::ScalarType(at::kFloat);
}

Tensor narrowed(const Tensor& x, const OpPrecision& op) {
    const auto y = x.to(op.level == PrecisionLevel::scaled ? at::kFloat : op.compute);
    if (!is_measured(op) || y.scalar_type() == x.scalar_type() || x.numel() == 0) return y;
    Timing timing(*op.listener, y.device());
    const auto before = some_rows(in_rows(x), kMeasuredRows).to(at::kFloat);
    op.listener->on_rounding(row_of({some_rows(in_rows(y), kMeasuredRows), before, before.abs().sum({0})}, op.compute));
    timing.end();
    return y;
}

}  // namespace kinescope
