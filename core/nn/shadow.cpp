#include "core/nn/shadow.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace kinescope {

namespace {

constexpr std::int64_t kRows = 64;
constexpr std::int64_t kColumns = 256;

/// Returns at most `count` positions in [0, size), at regular intervals. They are the same in every run.
Tensor spread(std::int64_t size, std::int64_t count, const Device& device) {
    const std::int64_t stride = std::max<std::int64_t>(1, size / std::min(size, count));
    const auto options = at::TensorOptions().dtype(at::kLong).device(device);
    return at::arange(0, size, stride, options).narrow(0, 0, std::min(size, count));
}

Tensor on_cpu(const Tensor& value) {
    return value.defined() ? value.to(at::kCPU, at::kFloat) : value;
}

}  // namespace

ShadowPart shadow_of(const Linear& linear, const Tensor& x, const Tensor& y, const OpPrecision& op) {
    const auto inputs = x.flatten(0, -2);
    const auto outputs = y.flatten(0, -2);
    const auto rows = spread(inputs.size(0), kRows, x.device());
    const auto columns = spread(outputs.size(1), kColumns, x.device());
    const auto part = inputs.index_select(0, rows);
    const auto weight = linear.weight(op).index_select(0, columns);
    const auto bias = linear.bias().defined() ? linear.bias().index_select(0, columns) : Tensor();
    return {outputs.index_select(0, rows).index_select(1, columns),
            [=] { return at::linear(on_cpu(part), on_cpu(weight), on_cpu(bias)); }, linear.rounds_to()};
}

ShadowPart shadow_of(const AttentionInput& input, const Tensor& y) {
    const auto head = [](const Tensor& value) { return value.narrow(0, 0, 1).narrow(1, 0, 1); };
    const auto rows = spread(y.size(2), kRows, y.device());
    const auto query = head(input.query).index_select(2, rows);
    const AttentionInput part{.query = query,
                              .key = head(input.key).clone(),
                              .value = head(input.value).clone(),
                              .bias = input.bias,
                              .scale = input.scale};
    // Copying a bias per head or query would cost too much, so such attention is not checked.
    const bool is_simple = !input.bias.defined() || (input.bias.size(1) == 1 && input.bias.size(2) == 1);
    if (!is_simple) return {};
    return {head(y).index_select(2, rows), [=] {
                return scaled_dot_product_attention({.query = on_cpu(part.query),
                                                     .key = on_cpu(part.key),
                                                     .value = on_cpu(part.value),
                                                     .bias = on_cpu(part.bias),
                                                     .scale = part.scale},
                                                    {});
            }};
}

namespace {

/// A part of one side of an image.
struct Span {
    std::int64_t first;
    std::int64_t length;

    std::int64_t end() const { return first + length; }
};

Span middle(std::int64_t size) {
    constexpr std::int64_t kPatch = 8;
    const std::int64_t length = std::min(size, kPatch);
    return {(size - length) / 2, length};
}

/// The pixels that a kernel reads for a part of its result, and the number of zeros on both sides of them.
struct Reach {
    Span inside;
    std::int64_t before;
    std::int64_t behind;
};

Reach reach_of(const Span& part, std::int64_t radius, std::int64_t size) {
    const std::int64_t first = std::max<std::int64_t>(part.first - radius, 0);
    const std::int64_t end = std::min(part.end() + radius, size);
    return {
        .inside = {first, end - first}, .before = first - (part.first - radius), .behind = part.end() + radius - end};
}

}  // namespace

Tensor input_of_middle(const Conv2d& conv, const Tensor& pictures) {
    const std::int64_t radius = conv.kernel() / 2, height = pictures.size(1), width = pictures.size(2);
    const Reach rows = reach_of(middle(height), radius, height), columns = reach_of(middle(width), radius, width);
    const auto part = pictures.narrow(1, rows.inside.first, rows.inside.length)
                          .narrow(2, columns.inside.first, columns.inside.length);
    return at::constant_pad_nd(part, {0, 0, columns.before, columns.behind, rows.before, rows.behind});
}

ShadowPart shadow_of_middle(const Conv2d& conv, const Tensor& input, const Tensor& y, const OpPrecision& op) {
    constexpr std::int64_t kOutputs = 64;
    const Span rows = middle(y.size(1)), columns = middle(y.size(2));
    const auto outputs = spread(y.size(3), kOutputs, y.device());
    const auto actual = y.narrow(0, 0, 1)
                            .narrow(1, rows.first, rows.length)
                            .narrow(2, columns.first, columns.length)
                            .index_select(3, outputs);
    // Copies of these channels, so that the whole weight of a streamed block does not stay in memory.
    const auto weight = conv.weight_of(outputs), bias = conv.bias().index_select(0, outputs);
    return {
        actual,
        [=] {
            return at::conv2d(on_cpu(input).permute({0, 3, 1, 2}), on_cpu(weight), on_cpu(bias)).permute({0, 2, 3, 1});
        },
        conv.rounds_to(op, y.device())};
}

ShadowPart shadow_of(const Conv2d& conv, const Tensor& pictures, const Tensor& y, const OpPrecision& op) {
    return shadow_of_middle(conv, input_of_middle(conv, pictures.narrow(0, 0, 1)), y, op);
}

}  // namespace kinescope
