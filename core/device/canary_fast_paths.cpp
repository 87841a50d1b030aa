// The probes of the fast paths: each is compared with what it replaces, on the same device.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "core/device/canary.h"
#include "core/device/cuda/fused_kernels.h"
#include "core/device/device_clock.h"
#include "core/device/fast_paths.h"

namespace kinescope {

namespace {

constexpr double kEps = 1e-6, kShortest = 1e-12;

/// Returns normally distributed random numbers on a device. Draws few of them on the CPU and repeats these, because the
/// tensors are large.
Tensor numbers(const std::vector<std::int64_t>& shape, Dtype dtype, const Device& device, std::uint64_t seed) {
    constexpr std::int64_t kDrawn = 1'000'003;  // a prime, so that rows differ
    std::int64_t count = 1;
    for (const auto side : shape) count *= side;
    auto generator = at::detail::createCPUGenerator(seed);
    const Tensor drawn = at::randn({std::min(count, kDrawn)}, generator, at::TensorOptions().dtype(at::kFloat));
    const Tensor there = drawn.to(device, dtype);
    return there.repeat({(count + kDrawn - 1) / kDrawn}).narrow(0, 0, count).view(shape);
}

/// Returns the largest error relative to the largest value. An undefined value, which a kernel returns that is off,
/// counts as infinitely wrong.
double error_on_device(const Tensor& value, const Tensor& reference) {
    if (!value.defined()) return std::numeric_limits<double>::infinity();
    const Tensor wide = reference.to(at::kFloat);
    const double largest = wide.abs().max().item<double>();
    return at::sub(value, wide).abs_().max().item<double>() / std::max(largest, 1e-12);
}

template <class Work>
double seconds_of(const Device& device, const Work& work) {
    constexpr int kRuns = 3;
    const DeviceMoment begin = DeviceMoment::now(device);
    for (int i = 0; i < kRuns; ++i) work();
    return DeviceMoment::now(device).seconds_since(begin) / kRuns;
}

/// Returns a measurement with the times of a fast path and of the fastest form of what it replaces: the shortest of
/// several, taken in turns, because other programs may use the device.
template <class Fast, class... Plain>
ProbeMeasurement measured(const Device& device, double error, const Fast& fast, const Plain&... plain) {
    constexpr int kTurns = 5;
    constexpr double kLongest = std::numeric_limits<double>::max();
    ProbeMeasurement found{.error = error, .fast_seconds = kLongest, .plain_seconds = kLongest};
    for (int turn = 0; turn < kTurns; ++turn) {
        found.fast_seconds = std::min(found.fast_seconds, seconds_of(device, fast));
        found.plain_seconds = std::min({found.plain_seconds, seconds_of(device, plain)...});
    }
    return found;
}

/// Returns the largest of several errors, or NaN if one of them is NaN.
double largest_of(std::initializer_list<double> errors) {
    double largest = 0;
    for (const double error : errors) {
        if (std::isnan(error)) return error;
        largest = std::max(largest, error);
    }
    return largest;
}

/// The operands of the probes of norms: a row of each kind of vector.
struct NormVectors {
    Tensor rows;

    NormVectors(std::int64_t dim, const Device& device) : rows(numbers({6, dim}, at::kFloat, device, 2)) {}

    /// The norm of the residual stream before attention: modulation only, and another one for the first rows.
    FusedNormInput modulated(const Tensor& x, std::int64_t first_rows) const {
        return {.x = x,
                .eps = kEps,
                .scale = rows[2],
                .shift = rows[3],
                .first_scale = rows[4],
                .first_shift = rows[5],
                .first_rows = first_rows};
    }
    FusedNormInput affine(const Tensor& x) const { return {.x = x, .eps = kEps, .weight = rows[0], .bias = rows[1]}; }
    /// Weight, bias and modulation.
    FusedNormInput whole(const Tensor& x) const {
        return {.x = x, .eps = kEps, .weight = rows[0], .bias = rows[1], .scale = rows[2], .shift = rows[3]};
    }
    FusedNormInput rms(const Tensor& x) const {
        return {.x = x, .kind = NormKind::rms, .eps = kEps, .weight = rows[0]};
    }
};

/// Computes fused_norm with LibTorch's ops.
Tensor plain_norm(const FusedNormInput& in, Dtype result) {
    const Tensor x = in.x.to(at::kFloat);
    const std::int64_t dim = x.size(-1), rows = x.size(1);
    Tensor y = in.kind == NormKind::rms ? at::rms_norm(x, {dim}, in.weight, in.eps)
                                        : at::layer_norm(x, {dim}, in.weight, in.bias, in.eps);
    const auto modulate = [&](std::int64_t begin, std::int64_t end, const Tensor& scale, const Tensor& shift) {
        if (scale.defined() && end > begin) y.slice(1, begin, end).mul_(scale + 1.0).add_(shift);
    };
    modulate(0, in.first_rows, in.first_scale, in.first_shift);
    modulate(in.first_rows, rows, in.scale, in.shift);
    return y.to(result);
}

/// Puts a NaN and two infinities into a tensor, which kernels must keep or count.
Tensor with_faults(Tensor x) {
    const Tensor flat = x.view({-1});
    flat.narrow(0, 3, 1).fill_(std::numeric_limits<double>::quiet_NaN());
    flat.narrow(0, flat.numel() - 1, 1).fill_(std::numeric_limits<double>::infinity());
    flat.narrow(0, flat.numel() / 2, 1).fill_(-std::numeric_limits<double>::infinity());
    return x;
}

/// The same as error_on_device for values with faults, which must be in the same places.
double error_with_faults(const Tensor& value, const Tensor& reference) {
    if (!value.defined()) return std::numeric_limits<double>::infinity();
    const Tensor is_finite = at::isfinite(reference);
    if (is_finite.all().item<bool>()) return error_on_device(value, reference);  // NaN if the value has one
    if (!at::equal(at::isfinite(value), is_finite)) return 1;
    const auto finite = [](const Tensor& y) { return at::nan_to_num(y, 0.0, 0.0, 0.0); };
    return error_on_device(finite(value), finite(reference));
}

double norm_error(const FusedNormInput& input, Dtype result) {
    return error_with_faults(fused_norm(input, result), plain_norm(input, result));
}

/// Compares all forms of norms that models use, for results; the norm of the residual stream also for time.
ProbeMeasurement norm(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1], stride = probe.shape[2];
    const auto part = [&](Dtype dtype, std::uint64_t seed) {
        return numbers({1, rows, stride}, dtype, device, seed).narrow(2, 0, dim);
    };
    const NormVectors vectors(dim, device);
    const Tensor stream = part(at::kFloat, 1), narrow = part(probe.dtype, 3);
    const Tensor faulty = with_faults(numbers({1, rows, dim}, at::kFloat, device, 1));
    const auto error = [&](const FusedNormInput& input) { return norm_error(input, probe.dtype); };
    const FusedNormInput timed = vectors.modulated(stream, 0);
    return measured(
        device,
        largest_of({error(timed), error(vectors.modulated(stream, rows / 5)), error(vectors.affine(stream)),
                    error(vectors.whole(stream)), error(vectors.rms(stream)), error(vectors.affine(stream * 3 + 100)),
                    error(vectors.rms(narrow)), error(vectors.affine(faulty)), error(vectors.rms(faulty)),
                    norm_error(vectors.rms(narrow), at::kFloat), norm_error(vectors.affine(narrow), at::kFloat)}),
        [&] { fused_norm(timed, probe.dtype); }, [&] { plain_norm(timed, probe.dtype); });
}

ProbeMeasurement normed_rotary(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], heads = probe.shape[1], head_dim = probe.shape[2], dim = heads * head_dim;
    const Tensor x = numbers({1, rows, dim}, probe.dtype, device, 1);
    const Tensor weight = numbers({dim}, at::kFloat, device, 2);
    const Tensor angles = numbers({rows, head_dim / 2}, at::kFloat, device, 3);
    const Tensor table = at::complex(angles.cos(), angles.sin());
    const auto fused = [&](const Tensor& of, Dtype result) {
        return fused_normed_rotary({.x = of, .weight = weight, .eps = kEps, .table = table}, result);
    };
    const auto plain = [&](const Tensor& of, Dtype result) {
        const Tensor normed = at::rms_norm(of.to(at::kFloat), {dim}, weight, kEps);
        const Tensor pairs = at::view_as_complex(normed.view({1, rows, heads, head_dim / 2, 2}));
        return at::view_as_real(pairs * table.unsqueeze(1)).flatten(-2).to(result);
    };
    const auto error = [&](const Tensor& of, Dtype result) {
        return error_on_device(fused(of, result), plain(of, result));
    };
    const Tensor wide = x.to(at::kFloat);
    return measured(
        device, largest_of({error(x, probe.dtype), error(x, at::kFloat), error(wide, probe.dtype)}),
        [&] { fused(x, probe.dtype); }, [&] { plain(x, probe.dtype); });
}

/// Computes the sums of stat_row: the extremes, the sum and the Euclidean norm, in float64 for float64 values. These
/// are all that most steps compute.
std::array<Tensor, 4> plain_sums(const Tensor& x) {
    const Dtype wide = x.scalar_type() == at::kDouble ? x.scalar_type() : at::ScalarType(at::kFloat);
    const auto [low, high] = at::aminmax(x);
    return {low, high, at::sum(x, wide),
            at::linalg_vector_norm(x, 2, at::OptionalIntArrayRef(), /*keepdim=*/false, wide)};
}

/// Returns the error of a row of statistics. Extremes and counts must be exact; sums are compared with the Euclidean
/// norm, because their parts cancel.
double row_error(const Tensor& row, const Tensor& values) {
    if (!row.defined()) return std::numeric_limits<double>::infinity();
    const Tensor x = values.to(at::kDouble), nan = at::isnan(x), infinite = at::isinf(x);
    const auto [low, high, sum, norm] = plain_sums(x.masked_fill(at::logical_or(nan, infinite), 0));
    const Tensor actual = row.to(at::kCPU);
    const auto difference = [&](int i, const Tensor& expected) {
        return std::abs(actual[i].item<double>() - expected.item<double>());
    };
    const bool is_exact = difference(0, low) == 0 && difference(1, high) == 0 && difference(4, nan.sum()) == 0 &&
                          difference(5, infinite.sum()) == 0;
    if (!is_exact) return 1;
    const double size = std::max(norm.item<double>(), 1e-12);
    return largest_of({difference(2, sum) / std::max(std::abs(sum.item<double>()), size), difference(3, norm) / size});
}

/// Computes fused_gated_sum with LibTorch's ops.
Tensor plain_sum(const FusedSumInput& in) {
    const Tensor wide = in.update.to(at::kFloat);
    if (!in.gate.defined()) return in.x + wide;
    Tensor y = at::empty_like(in.x);
    const auto add = [&](std::int64_t begin, std::int64_t count, const Tensor& gate) {
        Tensor part = y.narrow(1, begin, count);
        if (count > 0) at::addcmul_out(part, in.x.narrow(1, begin, count), wide.narrow(1, begin, count), gate);
    };
    add(0, in.first_rows, in.first_gate);
    add(in.first_rows, in.x.size(1) - in.first_rows, in.gate);
    return y;
}

double sum_error(const FusedSumInput& input) {
    const FusedSum fused = fused_gated_sum(input);
    const double error = error_with_faults(fused.sum, plain_sum(input));
    if (input.statistics == SumStatistics::none) return error;
    return largest_of({error, row_error(fused.update_row, input.update), row_error(fused.sum_row, fused.sum)});
}

ProbeMeasurement gated_sum(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1];
    const Tensor x = numbers({1, rows, dim}, at::kFloat, device, 1);
    const Tensor update = numbers({1, rows, dim}, probe.dtype, device, 2);
    const Tensor faulty = with_faults(update.clone());
    const Tensor gates = numbers({2, dim}, at::kFloat, device, 3);
    const FusedSumInput usual{.x = x, .update = update, .gate = gates[0], .statistics = SumStatistics::both};
    const FusedSumInput parted{.x = x,
                               .update = faulty,
                               .gate = gates[0],
                               .first_gate = gates[1],
                               .first_rows = rows / 5,
                               .statistics = SumStatistics::both};
    const auto plain = [&] {
        plain_sums(update);
        plain_sums(plain_sum(usual));
    };
    return measured(
        device, largest_of({sum_error(usual), sum_error(parted), sum_error({.x = x, .update = update})}),
        [&] { fused_gated_sum(usual); }, plain);
}

/// Compares with a sum and a norm of LibTorch for results, and with the faster of these and the fused sum and norm for
/// time.
ProbeMeasurement sum_norm(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1];
    const Tensor x = numbers({1, rows, dim}, at::kFloat, device, 1);
    const Tensor update = numbers({1, rows, dim}, probe.dtype, device, 2);
    const Tensor gates = numbers({2, dim}, at::kFloat, device, 3);
    const NormVectors vectors(dim, device);
    const FusedSumInput plain{
        .x = x, .update = update, .gate = gates[0], .first_gate = gates[1], .first_rows = rows / 5};
    FusedSumInput examined = plain;
    examined.statistics = SumStatistics::both;
    const auto modulated = [&](const Tensor& of) { return vectors.modulated(of, rows / 5); };
    const auto affine = [&](const Tensor& of) { return vectors.affine(of); };
    const auto rms = [&](const Tensor& of) { return vectors.rms(of); };
    const auto error = [&](const FusedSumInput& sum, const auto& norm, Dtype result) {
        const FusedSumNorm fused = fused_sum_norm(sum, norm(x), result);
        const Tensor expected = plain_sum(sum);
        const double of_values = largest_of({error_on_device(fused.sum.sum, expected),
                                             error_on_device(fused.normed, plain_norm(norm(expected), result))});
        if (sum.statistics == SumStatistics::none) return of_values;
        return largest_of(
            {of_values, row_error(fused.sum.update_row, update), row_error(fused.sum.sum_row, fused.sum.sum)});
    };
    const double worst = largest_of({error(plain, modulated, probe.dtype), error(plain, affine, at::kFloat),
                                     error(examined, modulated, probe.dtype), error(examined, rms, probe.dtype)});
    allow_fast_paths(device, {FastPath::fused_sum_norm, FastPath::fused_sum, FastPath::fused_norm});
    const auto separate = [&] { fused_norm(modulated(fused_gated_sum(examined).sum), probe.dtype); };
    const auto fused = [&] { fused_sum_norm(examined, modulated(x), probe.dtype); };
    const auto by_library = [&] {
        const Tensor sum = plain_sum(examined);
        plain_sums(update);
        plain_sums(sum);
        plain_norm(modulated(sum), probe.dtype);
    };
    return measured(device, worst, fused, separate, by_library);
}

ProbeMeasurement statistics(const CanaryProbe& probe, const Device& device) {
    const Tensor x = with_faults(numbers({probe.shape[0], probe.shape[1]}, probe.dtype, device, 1) * 30 + 5);
    const Tensor odd = x.view({-1}).slice(0, 1);
    return measured(
        device, largest_of({row_error(fused_statistics(x), x), row_error(fused_statistics(odd), odd)}),
        [&] { fused_statistics(x); }, [&] { plain_sums(x); });
}

/// Returns every step-th row of an attention, computed in float32 with all scores in memory.
Tensor attention_rows(const AttentionOperands& in, std::int64_t step) {
    const auto wide = [](const Tensor& x) { return x.to(at::kFloat); };
    const Tensor query = wide(in.query.slice(2, 0, in.query.size(2), step));
    const Tensor scores = at::matmul(query, wide(in.key).transpose(-2, -1)) / std::sqrt(double(query.size(-1)));
    return at::matmul(at::softmax(scores, -1), wide(in.value));
}

/// Compares with LibTorch's kernel and with float32, also for scores that select single keys. Compares the times for
/// self-attention, which takes most of a run.
ProbeMeasurement attention(const CanaryProbe& probe, const Device& device) {
    constexpr std::int64_t kSampled = 64;
    const auto heads = probe.shape[0], queries = probe.shape[1], keys = probe.shape[2], width = probe.shape[3];
    const auto split = [&](std::int64_t rows, std::uint64_t seed) {
        return numbers({1, rows, heads, width}, probe.dtype, device, seed).transpose(1, 2);
    };
    const Tensor query = split(queries, 1), key = split(keys, 2), value = split(keys, 3), sharp = query * 8;
    const AttentionOperands usual{query, key, value}, selective{sharp, key, value};
    const auto plain = [&] { return at::scaled_dot_product_attention(query, key, value); };
    const std::int64_t step = std::max<std::int64_t>(queries / kSampled, 1);
    const auto error_of_rows = [&](const AttentionOperands& in) {
        return error_on_device(attend_by_cudnn(in).slice(2, 0, queries, step), attention_rows(in, step));
    };
    const double error =
        largest_of({error_on_device(attend_by_cudnn(usual), plain()), error_of_rows(usual), error_of_rows(selective)});
    if (queries != keys) return {.error = error};
    return measured(
        device, error, [&] { attend_by_cudnn(usual); }, plain);
}

/// Compares with float32, also for values that float16 cannot represent.
ProbeMeasurement tf32_convolution(const CanaryProbe& probe, const Device& device) {
    const auto in = probe.shape[0], out = probe.shape[1], height = probe.shape[2], width = probe.shape[3];
    const auto channels_last = [](const Tensor& x) { return x.contiguous(at::MemoryFormat::ChannelsLast); };
    const Tensor x = channels_last(numbers({1, in, height, width}, probe.dtype, device, 1));
    const Tensor weight = channels_last(numbers({out, in, 3, 3}, probe.dtype, device, 2));
    const Tensor bias = numbers({out}, probe.dtype, device, 3);
    const auto plain = [&](const Tensor& of) { return at::conv2d(of, weight, bias, 1, /*padding=*/1); };
    const auto fast = [&](const Tensor& of) {
        const Tf32Convolutions tf32(device);
        return plain(of);
    };
    const auto error = [&](const Tensor& of) { return error_on_device(fast(of), plain(of)); };
    return measured(
        device, largest_of({error(x), error(x * 1e5)}), [&] { fast(x); }, [&] { plain(x); });
}

/// Compares with the ops that it replaces and with float32, in which the GELU of large negative sums is 0. In float16,
/// sums that overflow must become infinite, because the guard finds them by that.
ProbeMeasurement gelu_product(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], in = probe.shape[1], out = probe.shape[2];
    constexpr std::int64_t kSampled = 64;
    const Tensor x = numbers({1, rows, in}, probe.dtype, device, 1);
    const Tensor weight = numbers({out, in}, probe.dtype, device, 2) * (2 / std::sqrt(static_cast<double>(in)));
    const Tensor bias = numbers({out}, probe.dtype, device, 3);
    const auto plain = [&] { return at::gelu(at::linear(x, weight, bias), "tanh"); };
    const auto wide = [](const Tensor& operand) { return operand.to(at::kFloat); };
    const auto sampled = [&](const Tensor& of) {
        return of.slice(1, 0, rows, std::max<std::int64_t>(rows / kSampled, 1));
    };
    const auto error_of_rows = [&](const Tensor& of) {
        return error_on_device(sampled(linear_gelu(of, weight, bias)),
                               at::gelu(at::linear(wide(sampled(of)), wide(weight), wide(bias)), "tanh"));
    };
    const auto hides_overflow = [&] {
        constexpr double kBeyondFloat16 = 66'000;
        const Tensor large = x * 1e4, heavy = weight * 4;
        const Tensor sums = at::linear(wide(sampled(large)), wide(heavy), wide(bias));
        const Tensor is_finite = at::isfinite(sampled(linear_gelu(large, heavy, bias)));
        return at::logical_and(sums > kBeyondFloat16, is_finite).any().item<bool>();
    };
    if (probe.dtype == at::kHalf && hides_overflow()) return {.error = 1};  // finite values instead of infinite ones
    return measured(
        device, largest_of({error_on_device(linear_gelu(x, weight, bias), plain()), error_of_rows(x * 30)}),
        [&] { linear_gelu(x, weight, bias); }, plain);
}

ProbeMeasurement silu(const CanaryProbe& probe, const Device& device) {
    const Tensor x = numbers({probe.shape[0], probe.shape[1]}, probe.dtype, device, 1) * 3 + 1;
    const Tensor gain = numbers({probe.shape[1]}, at::kFloat, device, 2);
    const auto plain = [&](const Tensor& of) {
        const Tensor wide = of.to(at::kFloat);
        return at::silu(at::div(wide, at::linalg_vector_norm(wide, 2, {-1}, true).clamp_min_(kShortest)).mul_(gain));
    };
    const auto fused = [&](const Tensor& of) { return fused_unit_length_silu(of, gain, kShortest); };
    const auto error = [&](const Tensor& of) { return error_on_device(fused(of), plain(of)); };
    return measured(
        device, largest_of({error(x), error(at::zeros_like(x))}), [&] { fused(x); }, [&] { plain(x); });
}

}  // namespace

ProbeMeasurement run_optional_probe(const CanaryProbe& probe, const Device& device) {
    if (probe.is_fused()) load_fused_kernels(device);
    const auto path = probe.fast_path();
    if (!path) return {};
    allow_fast_paths(device, {*path});
    switch (*path) {
        case FastPath::fused_norm:
            return norm(probe, device);
        case FastPath::fused_rotary:
            return normed_rotary(probe, device);
        case FastPath::fused_sum:
            return gated_sum(probe, device);
        case FastPath::fused_sum_norm:
            return sum_norm(probe, device);
        case FastPath::fused_statistics:
            return statistics(probe, device);
        case FastPath::cudnn_attention:
            return attention(probe, device);
        case FastPath::tf32_convolution:
            return tf32_convolution(probe, device);
        case FastPath::gelu_product:
            return gelu_product(probe, device);
        case FastPath::fused_silu:
            return silu(probe, device);
    }
    return {.error = std::numeric_limits<double>::infinity()};
}

}  // namespace kinescope
