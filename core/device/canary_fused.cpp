// The probes of the fused kernels: each is compared with the ops of LibTorch that it replaces, on the same device.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device/canary.h"
#include "core/device/device_clock.h"

namespace kinescope {

namespace {

constexpr double kEps = 1e-6;

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
    return (value.to(at::kFloat) - wide).abs().max().item<double>() / std::max(largest, 1e-12);
}

template <class Work>
double seconds_of(const Device& device, const Work& work) {
    constexpr int kRuns = 5;
    work();
    const DeviceMoment begin = DeviceMoment::now(device);
    for (int i = 0; i < kRuns; ++i) work();
    return DeviceMoment::now(device).seconds_since(begin) / kRuns;
}

/// Compares the results and the times of a kernel and of the ops that it replaces.
template <class Fused, class Plain>
ProbeMeasurement compare(const Device& device, const Fused& fused, const Plain& plain) {
    return {.error = error_on_device(fused(), plain()),
            .fused_seconds = seconds_of(device, fused),
            .plain_seconds = seconds_of(device, plain)};
}

/// Modulated layer norm of a float32 stream, in the probe's dtype. The first rows have a modulation of their own.
ProbeMeasurement layer_norm(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1], stride = probe.shape[2];
    const Tensor x = numbers({1, rows, stride}, at::kFloat, device, 1).narrow(2, 0, dim) * 3 + 100;
    const Tensor strided = numbers({1, rows, stride}, at::kFloat, device, 1).narrow(2, 0, dim);
    const Tensor vectors = numbers({6, dim}, at::kFloat, device, 2);
    const auto first = rows / 5;
    const auto of = [&](const Tensor& value) {
        return FusedNormInput{.x = value,
                              .eps = kEps,
                              .weight = vectors[0],
                              .bias = vectors[1],
                              .scale = vectors[2],
                              .shift = vectors[3],
                              .first_scale = vectors[4],
                              .first_shift = vectors[5],
                              .first_rows = first};
    };
    const auto plain = [&](const Tensor& value) {
        Tensor y = at::layer_norm(value, {dim}, vectors[0], vectors[1], kEps);
        const auto modulate = [&](std::int64_t begin, std::int64_t end, int scale) {
            y.slice(1, begin, end).mul_(vectors[scale] + 1.0).add_(vectors[scale + 1]);
        };
        modulate(0, first, 4);
        modulate(first, rows, 2);
        return y.to(probe.dtype);
    };
    ProbeMeasurement found = compare(
        device, [&] { return fused_norm(of(strided), probe.dtype); }, [&] { return plain(strided); });
    found.error = std::max(found.error, error_on_device(fused_norm(of(x), probe.dtype), plain(x)));
    return found;
}

/// RMS norm from the probe's dtype to itself, as of the queries of an attention.
double rms_norm_error(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1], stride = probe.shape[2];
    const Tensor x = numbers({1, rows, stride}, probe.dtype, device, 3).narrow(2, 0, dim);
    const Tensor weight = numbers({dim}, at::kFloat, device, 4);
    const FusedNormInput input{.x = x, .kind = NormKind::rms, .eps = kEps, .weight = weight};
    return error_on_device(fused_norm(input, probe.dtype),
                    at::rms_norm(x.to(at::kFloat), {dim}, weight, kEps).to(probe.dtype));
}

ProbeMeasurement norm(const CanaryProbe& probe, const Device& device) {
    ProbeMeasurement found = layer_norm(probe, device);
    found.error = std::max(found.error, rms_norm_error(probe, device));
    return found;
}

ProbeMeasurement normed_rotary(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], heads = probe.shape[1], head_dim = probe.shape[2], dim = heads * head_dim;
    const Tensor x = numbers({1, rows, dim}, probe.dtype, device, 1);
    const Tensor weight = numbers({dim}, at::kFloat, device, 2);
    const Tensor angles = numbers({rows, head_dim / 2}, at::kFloat, device, 3);
    const Tensor table = at::complex(angles.cos(), angles.sin());
    return compare(
        device,
        [&] { return fused_normed_rotary({.x = x, .weight = weight, .eps = kEps, .table = table}, probe.dtype); },
        [&] {
            const Tensor normed = at::rms_norm(x.to(at::kFloat), {dim}, weight, kEps);
            const Tensor pairs = at::view_as_complex(normed.view({1, rows, heads, head_dim / 2, 2}));
            return at::view_as_real(pairs * table.unsqueeze(1)).flatten(-2).to(probe.dtype);
        });
}

/// Returns the six statistics of stat_row with NonFinite::counts, in float64 for float64 values.
Tensor plain_statistics(const Tensor& x) {
    const Dtype wide = x.scalar_type() == at::kDouble ? x.scalar_type() : at::ScalarType(at::kFloat);
    const Tensor nan = at::isnan(x), infinite = at::isinf(x);
    const Tensor finite = x.masked_fill(at::logical_or(nan, infinite), 0);
    const auto [low, high] = at::aminmax(finite);
    return at::stack({low.to(wide), high.to(wide), at::sum(finite, wide),
                      at::linalg_vector_norm(finite, 2, at::OptionalIntArrayRef(), /*keepdim=*/false, wide),
                      at::sum(nan, wide), at::sum(infinite, wide)});
}

/// Returns the error of a row. Extremes and counts must be exact; sums are compared with the Euclidean norm, because
/// their parts cancel.
double row_error(const Tensor& row, const Tensor& values) {
    if (!row.defined()) return std::numeric_limits<double>::infinity();
    const Tensor actual = row.to(at::kCPU), expected = plain_statistics(values.to(at::kDouble)).to(at::kCPU);
    const auto difference = [&](int i) { return std::abs(actual[i].item<double>() - expected[i].item<double>()); };
    const double norm = std::max(expected[3].item<double>(), 1e-12);
    for (const int exact : {0, 1, 4, 5})
        if (!(difference(exact) == 0)) return 1;
    return std::max(difference(2) / std::max(std::abs(expected[2].item<double>()), norm), difference(3) / norm);
}

/// Puts a NaN and two infinities into a tensor, which kernels must count.
Tensor with_faults(Tensor x) {
    const Tensor flat = x.view({-1});
    flat.narrow(0, 3, 1).fill_(std::numeric_limits<double>::quiet_NaN());
    flat.narrow(0, flat.numel() - 1, 1).fill_(std::numeric_limits<double>::infinity());
    flat.narrow(0, flat.numel() / 2, 1).fill_(-std::numeric_limits<double>::infinity());
    return x;
}

ProbeMeasurement gated_sum(const CanaryProbe& probe, const Device& device) {
    const auto rows = probe.shape[0], dim = probe.shape[1], first = rows / 5;
    const Tensor x = numbers({1, rows, dim}, at::kFloat, device, 1);
    const Tensor update = with_faults(numbers({1, rows, dim}, probe.dtype, device, 2));
    const Tensor gates = numbers({2, dim}, at::kFloat, device, 3);
    const FusedSumInput input{.x = x,
                              .update = update,
                              .gate = gates[0],
                              .first_gate = gates[1],
                              .first_rows = first,
                              .statistics = SumStatistics::both};
    const auto plain = [&] {
        Tensor y = at::empty_like(x);
        const auto add = [&](std::int64_t begin, std::int64_t count, int gate) {
            Tensor part = y.narrow(1, begin, count);
            at::addcmul_out(part, x.narrow(1, begin, count), update.narrow(1, begin, count).to(at::kFloat),
                            gates[gate]);
        };
        add(0, first, 1);
        add(first, rows - first, 0);
        plain_statistics(update);
        plain_statistics(y);
        return y;
    };
    const FusedSum sum = fused_gated_sum(input);
    const Tensor expected = plain();
    if (!sum.sum.defined()) return {.error = std::numeric_limits<double>::infinity()};
    const auto finite = [](const Tensor& y) { return at::nan_to_num(y, 0.0, 0.0, 0.0); };
    return {.error = std::max({error_on_device(finite(sum.sum), finite(expected)), row_error(sum.update_row, update),
                               row_error(sum.sum_row, sum.sum)}),
            .fused_seconds = seconds_of(device, [&] { fused_gated_sum(input); }),
            .plain_seconds = seconds_of(device, plain)};
}

ProbeMeasurement statistics(const CanaryProbe& probe, const Device& device) {
    const Tensor x = with_faults(numbers({probe.shape[0], probe.shape[1]}, probe.dtype, device, 1) * 30 + 5);
    const Tensor row = fused_statistics(x);
    return {.error = std::max(row_error(row, x),
                              row_error(fused_statistics(x.view({-1}).slice(0, 1)), x.view({-1}).slice(0, 1))),
            .fused_seconds = seconds_of(device, [&] { fused_statistics(x); }),
            .plain_seconds = seconds_of(device, [&] { plain_statistics(x); })};
}

}  // namespace

ProbeMeasurement run_fused_probe(const CanaryProbe& probe, const Device& device) {
    load_fused_kernels(device);
    if (!probe.fused_kernel()) return {};
    allow_fused_kernels(device, {*probe.fused_kernel()});
    switch (*probe.fused_kernel()) {
        case FusedKernel::norm:
            return norm(probe, device);
        case FusedKernel::normed_rotary:
            return normed_rotary(probe, device);
        case FusedKernel::gated_sum:
            return gated_sum(probe, device);
        case FusedKernel::statistics:
            return statistics(probe, device);
    }
    return {.error = std::numeric_limits<double>::infinity()};
}

}  // namespace kinescope
