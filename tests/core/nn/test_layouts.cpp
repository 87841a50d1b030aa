#include <QtTest>
#include <functional>
#include <set>

#include "core/nn/attention.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/conv2d.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/winograd.h"
#include "core/nn/linear.h"
#include "core/nn/modulation.h"
#include "core/nn/norm.h"
#include "core/nn/norm_silu.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// The precision of a layer and the reason for it.
struct State {
    const char* name;
    Dtype compute;  ///< planned dtype
    PrecisionLevel level;
    bool has_tiny_values;  ///< too many values underflow in float16
    double tolerance;
};

const std::vector<State> kStates{
    {"float32", at::kFloat, PrecisionLevel::planned, false, 1e-5},
    {"float16 as planned", at::kHalf, PrecisionLevel::planned, false, 4e-3},
    {"bfloat16 as planned", at::kBFloat16, PrecisionLevel::planned, false, 3e-2},
    {"float16 that cannot hold the weight", at::kHalf, PrecisionLevel::planned, true, 1e-5},
    {"float16 scaled", at::kHalf, PrecisionLevel::scaled, false, 4e-3},
    {"float16 scaled that cannot hold the weight", at::kHalf, PrecisionLevel::scaled, true, 1e-5},
    {"float16 raised to float32", at::kHalf, PrecisionLevel::float32, false, 2e-3},  // the weight is stored in float16
    {"bfloat16 raised to float32", at::kBFloat16, PrecisionLevel::float32, false, 1e-2},
};

enum class Layout { contiguous, channels_last, strided, offset };
const std::vector<std::pair<const char*, Layout>> kLayouts{{"contiguous", Layout::contiguous},
                                                           {"channels-last", Layout::channels_last},
                                                           {"every second value", Layout::strided},
                                                           {"part of a larger one", Layout::offset}};

/// Copies the values to another memory layout.
Tensor laid_out(const Tensor& values, Layout layout) {
    if (layout == Layout::channels_last) return values.movedim(1, -1).contiguous().movedim(-1, 1);
    if (layout == Layout::strided) return at::stack({values, values + 1}, -1).select(-1, 0);
    if (layout == Layout::offset) return at::constant_pad_nd(values, {1, 2}, 7).narrow(-1, 1, values.size(-1));
    return values.contiguous();
}

struct Parameters {
    Tensor weight, bias;
};

/// A layer and its reference: plain ATen in float64.
struct Layer {
    const char* name;
    std::vector<std::int64_t> weight, input;
    std::function<Tensor(const Parameters&, const Tensor& x, const Precision&, const OpPrecision&)> run;
    std::function<Tensor(const Parameters&, const Tensor& x)> reference;
};

Tensor picture_conv(const Parameters& of, const Tensor& x, std::int64_t stride) {
    return at::conv2d(x.permute({0, 3, 1, 2}), of.weight, of.bias, stride, of.weight.size(-1) / 2)
        .permute({0, 2, 3, 1});
}

Conv2d make_conv2d(const Parameters& of, const Precision& precision) {
    return Conv2d(of.weight, of.bias, precision);
}

std::shared_ptr<MemoryCheckpoint> checkpoint_of(const Parameters& of) {
    auto checkpoint = std::make_shared<MemoryCheckpoint>();
    checkpoint->add("weight", of.weight);
    checkpoint->add("bias", of.bias);
    return checkpoint;
}

CausalConv3d make_conv3d(const Parameters& of, const Precision& precision) {
    WeightStore store(checkpoint_of(of));
    return CausalConv3d(WeightScope(store),
                        {.in = of.weight.size(1),
                         .out = of.weight.size(0),
                         .kernel_time = of.weight.size(2),
                         .kernel_space = of.weight.size(3)},
                        precision);
}

Tensor video_conv(const Parameters& of, const Tensor& x, std::int64_t before, std::int64_t behind) {
    const auto video = at::constant_pad_nd(x.permute({3, 0, 1, 2}).unsqueeze(0), {0, 0, 0, 0, before, behind});
    const auto space = of.weight.size(3) / 2;
    return at::conv3d(video, of.weight, of.bias, 1, at::IntArrayRef({0, space, space}))
        .squeeze(0)
        .permute({1, 2, 3, 0});
}

/// Processes the frames in two chunks and returns the joined result.
Tensor run_chunks(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    const auto conv = make_conv3d(of, precision);
    Tensor history;
    const auto first = conv(x.narrow(0, 0, 1), history, op);
    return at::cat({first, conv(x.narrow(0, 1, x.size(0) - 1), history, op)});
}

Tensor run_linear(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    return Linear(of.weight, of.bias, precision)(x, op);
}

Tensor run_conv2d(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    return make_conv2d(of, precision)(x, op);
}

Tensor run_enlarged(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    return make_conv2d(of, precision).enlarged(x, op);
}

Tensor run_downsampling(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    WeightStore store(checkpoint_of(of));
    return Conv2d(WeightScope(store), {.in = of.weight.size(1), .out = of.weight.size(0), .stride = 2}, precision)(x,
                                                                                                                   op);
}

Tensor run_centered(const Parameters& of, const Tensor& x, const Precision& precision, const OpPrecision& op) {
    return make_conv3d(of, precision).centered(x, op);
}

Tensor reference_linear(const Parameters& of, const Tensor& x) {
    return at::linear(x, of.weight, of.bias);
}

Tensor reference_conv2d(const Parameters& of, const Tensor& x) {
    return picture_conv(of, x, 1);
}

Tensor reference_enlarged(const Parameters& of, const Tensor& x) {
    return picture_conv(of, x.repeat_interleave(2, 1).repeat_interleave(2, 2), 1);
}

Tensor reference_downsampling(const Parameters& of, const Tensor& x) {
    return picture_conv(of, x, 2);
}

Tensor reference_causal(const Parameters& of, const Tensor& x) {
    return video_conv(of, x, of.weight.size(2) - 1, 0);
}

Tensor reference_centered(const Parameters& of, const Tensor& x) {
    return video_conv(of, x, 1, 1);
}

const std::vector<Layer> kLayers{
    {"linear, few rows", {48, 40}, {5, 40}, run_linear, reference_linear},
    {"linear, many rows", {40, 72}, {2, 33, 72}, run_linear, reference_linear},
    {"convolution, few channels", {12, 10, 3, 3}, {2, 9, 7, 10}, run_conv2d, reference_conv2d},
    {"convolution, many channels", {48, 64, 3, 3}, {2, 9, 7, 64}, run_conv2d, reference_conv2d},
    {"convolution of one place", {48, 64, 1, 1}, {1, 6, 5, 64}, run_conv2d, reference_conv2d},
    {"enlarging convolution, few channels", {12, 10, 3, 3}, {1, 5, 6, 10}, run_enlarged, reference_enlarged},
    {"enlarging convolution, many channels", {48, 64, 3, 3}, {1, 5, 6, 64}, run_enlarged, reference_enlarged},
    {"downsampling convolution", {48, 64, 3, 3}, {1, 8, 6, 64}, run_downsampling, reference_downsampling},
    {"causal convolution, few channels", {12, 10, 3, 3, 3}, {4, 5, 6, 10}, run_chunks, reference_causal},
    {"causal convolution, taps side by side", {24, 24, 3, 3, 3}, {4, 5, 6, 24}, run_chunks, reference_causal},
    {"causal convolution, many channels", {48, 40, 3, 3, 3}, {4, 5, 6, 40}, run_chunks, reference_causal},
    {"causal convolution in time", {32, 40, 3, 1, 1}, {4, 5, 6, 40}, run_chunks, reference_causal},
    {"centered convolution in time", {32, 40, 3, 1, 1}, {4, 5, 6, 40}, run_centered, reference_centered},
};

/// Replaces every hundredth value by one that underflows in float16.
void make_tiny_values(const Tensor& weight) {
    const auto values = weight.view({-1});
    values.slice(0, 0, values.numel(), 100).fill_(1e-9);
}

}  // namespace

/// Every layer agrees with plain ATen for any memory layout of its input and weight, and at any precision level.
class TestLayouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(21); }

    void layers_equal_plain_operators_data() {
        QTest::addColumn<int>("layer");
        QTest::addColumn<int>("state");
        for (int layer = 0; layer < static_cast<int>(kLayers.size()); ++layer)
            for (int state = 0; state < static_cast<int>(kStates.size()); ++state)
                QTest::addRow("%s, %s", kLayers[layer].name, kStates[state].name) << layer << state;
    }
    void layers_equal_plain_operators() {
        QFETCH(int, layer);
        QFETCH(int, state);
        const Layer& of = kLayers[layer];
        const State& as = kStates[state];
        const auto fan_in = static_cast<double>(at::zeros(of.weight).select(0, 0).numel());
        const auto weight = at::randn(of.weight) / std::sqrt(fan_in), bias = at::randn({of.weight[0]});
        if (as.has_tiny_values) make_tiny_values(weight);
        const auto x = at::randn(of.input);
        const auto expected = of.reference({weight.to(at::kDouble), bias.to(at::kDouble)}, x.to(at::kDouble));
        const Precision precision{.storage = as.compute, .compute = as.compute};
        for (const auto& [weight_name, weight_layout] : kLayouts)
            for (const auto& [input_name, input_layout] : kLayouts) {
                const Parameters stored{laid_out(weight, weight_layout), laid_out(bias.unsqueeze(0), weight_layout)[0]};
                const auto y = of.run(stored, laid_out(x, input_layout), precision, raised(as.compute, as.level));
                const auto error = relative_error(y, expected);
                const auto words = QString("weight %1, input %2: error %3").arg(weight_name, input_name).arg(error);
                QVERIFY2(error < as.tolerance, qPrintable(words));
            }
    }

    /// Tests the kernel directly with memory layouts that it does not read.
    void winograd_reads_any_layout_data() {
        QTest::addColumn<int>("weight");
        QTest::addColumn<int>("input");
        for (int weight = 0; weight < static_cast<int>(kLayouts.size()); ++weight)
            for (int input = 0; input < static_cast<int>(kLayouts.size()); ++input)
                QTest::addRow("weight %s, input %s", kLayouts[weight].first, kLayouts[input].first) << weight << input;
    }
    void winograd_reads_any_layout() {
        if (!gemm_kernel::is_supported()) QSKIP("this CPU has no AVX2");
        QFETCH(int, weight);
        QFETCH(int, input);
        const Parameters of{at::randn({48, 64, 3, 3}), at::randn({48})};
        const auto x = at::randn({3, 9, 7, 64});
        const WinogradFilter filter{.weight = laid_out(of.weight, kLayouts[weight].second).unsqueeze(2),
                                    .bias = of.bias};
        const auto frames = laid_out(x, kLayouts[input].second).unbind(0);
        const auto expected = picture_conv({of.weight.to(at::kDouble), of.bias.to(at::kDouble)}, x.to(at::kDouble), 1);
        QVERIFY(relative_error(winograd_convolution(frames, filter, Enlarge::none), expected) < 1e-5);
        std::vector<Tensor> narrow;
        for (const Tensor& frame : frames) narrow.push_back(frame.to(at::kHalf));
        QVERIFY(relative_error(winograd_convolution(narrow, filter, Enlarge::none), expected) < 2e-3);
    }

    void norms_read_any_layout_data() {
        QTest::addColumn<int>("input");
        for (int input = 0; input < static_cast<int>(kLayouts.size()); ++input)
            QTest::newRow(kLayouts[input].first) << input;
    }
    void norms_read_any_layout() {
        QFETCH(int, input);
        const auto x = at::randn({2, 4, 6, 32}), gain = at::randn({32}), offset = at::randn({32});
        const auto other = [&](const Tensor& value) { return laid_out(value, kLayouts[input].second); };
        const auto wide = x.to(at::kDouble), wide_gain = gain.to(at::kDouble), wide_offset = offset.to(at::kDouble);
        const GroupNormParameters norm{.weight = gain, .bias = offset, .groups = 8};
        const auto normed =
            at::group_norm(wide.movedim(-1, 1).contiguous(), 8, wide_gain, wide_offset, 1e-6).movedim(1, -1);
        QVERIFY(relative_error(group_norm(other(x), norm), normed) < 1e-5);
        QVERIFY(relative_error(group_norm_silu(other(x), norm), at::silu(normed)) < 1e-5);
        const auto length = at::linalg_vector_norm(wide, 2, {-1}, true);
        QVERIFY(relative_error(unit_length_silu(other(x), other(gain.unsqueeze(0))[0]),
                               at::silu(wide / length * wide_gain)) < 1e-5);
        QVERIFY(relative_error(RMSNorm(gain, 1e-6, {})(other(x)), at::rms_norm(wide, {32}, wide_gain, 1e-6)) < 1e-5);
        const PlaceModulation places{at::randn({2, 2, 3, 32}), at::randn({2, 2, 3, 32})};
        const auto each = [](const Tensor& cell) {
            return cell.to(at::kDouble).repeat_interleave(2, 1).repeat_interleave(2, 2);
        };
        const auto video =
            at::group_norm(wide.permute({3, 0, 1, 2}).unsqueeze(0).contiguous(), 8, wide_gain, wide_offset, 1e-6)[0]
                .permute({1, 2, 3, 0});
        QVERIFY(relative_error(modulated_group_norm_silu(other(x), norm, places),
                               at::silu(video * each(places.scale) + each(places.shift))) < 1e-5);
    }

    void modulation_reads_any_layout_data() { norms_read_any_layout_data(); }
    void modulation_reads_any_layout() {
        QFETCH(int, input);
        for (const std::int64_t batch : {1, 2}) {
            const auto x = at::randn({batch, 6, 32}), update = at::randn({batch, 6, 32});
            const TokenRows rows{at::randn({32}), at::randn({32}), 2};
            const auto other = [&](const Tensor& value) { return laid_out(value, kLayouts[input].second); };
            const auto first = at::arange(6).lt(2).view({1, 6, 1});
            const auto factor = at::where(first, rows.first, rows.others).to(at::kDouble);
            const auto gated = x.to(at::kDouble) + update.to(at::kDouble) * factor;
            QVERIFY(relative_error(add_gated(other(x), other(update), rows), gated) < 1e-5);
            const auto normed = at::layer_norm(x.to(at::kDouble), {32}, {}, {}, 1e-6) * (factor + 1) + factor;
            const Tensor none;
            QVERIFY(relative_error(modulated_layer_norm(other(x), {.weight = none, .bias = none}, rows, rows), normed) <
                    1e-5);
        }
    }

    void attention_reads_any_layout_data() { norms_read_any_layout_data(); }
    void attention_reads_any_layout() {
        QFETCH(int, input);
        const auto query = at::randn({2, 3, 130, 32}), key = at::randn({2, 3, 140, 32}),
                   value = at::randn({2, 3, 140, 32});
        const auto other = [&](const Tensor& x) { return laid_out(x, kLayouts[input].second); };
        const auto expected =
            at::scaled_dot_product_attention(query.to(at::kDouble), key.to(at::kDouble), value.to(at::kDouble));
        const AttentionInput of{other(query), other(key), other(value), {}, {}};
        QVERIFY(relative_error(scaled_dot_product_attention(of, {}), expected) < 1e-5);
        QVERIFY(relative_error(scaled_dot_product_attention(of, {.compute = at::kHalf}), expected) < 4e-3);
    }
};

QTEST_GUILESS_MAIN(TestLayouts)
#include "test_layouts.moc"
