#include <QtTest>

#include "core/device/dtype.h"
#include "core/device/fast_paths.h"
#include "core/nn/attention.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/conv2d.h"
#include "core/nn/feed_forward.h"
#include "core/nn/group_norm.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/nn/parameter.h"
#include "core/nn/rotary_embedding.h"
#include "core/nn/shadow.h"
#include "core/nn/timestep_embedding.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

CausalConv3d make_conv(const Tensor& weight, const Tensor& bias, Past past = Past::zeros) {
    auto checkpoint = std::make_shared<MemoryCheckpoint>();
    checkpoint->add("weight", weight);
    checkpoint->add("bias", bias);
    WeightStore store(checkpoint);
    return CausalConv3d(WeightScope(store),
                        {.in = weight.size(1),
                         .out = weight.size(0),
                         .kernel_time = weight.size(2),
                         .kernel_space = weight.size(3),
                         .past = past},
                        {});
}

/// Convolves the whole sequence in one call, with zeros before it. `frames` is [T, H, W, C].
Tensor reference_conv(const Tensor& frames, const Tensor& weight, const Tensor& bias) {
    const auto x = at::constant_pad_nd(frames.permute({3, 0, 1, 2}).unsqueeze(0), {0, 0, 0, 0, weight.size(2) - 1, 0});
    const auto space = weight.size(3) / 2;
    return at::conv3d(x, weight, bias, 1, at::IntArrayRef({0, space, space})).squeeze(0).permute({1, 2, 3, 0});
}

/// Records the sites of all ops.
class SeenSites final : public Probe {
public:
    void observe(const Observation& seen) override { sites << QString::fromStdString(std::string(seen.site)); }
    Watch watch() const override { return Watch::ops; }
    QStringList sites;
};

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_weight_of_the_right_dtype_is_not_copied() {
        const auto stored = at::ones({3, 2}, at::kFloat);
        QVERIFY(to_storage(stored, {}).is_same(stored));
        QCOMPARE(to_storage(stored, {.storage = at::kBFloat16}).scalar_type(), at::kBFloat16);
    }

    /// An op that the guard raises uses the weights of the file again, not the rounded 16-bit weights.
    void a_raised_linear_reads_its_weight_again_data() {
        QTest::addColumn<int>("stored");
        QTest::addColumn<int>("compute");
        QTest::newRow("float32 in float16") << static_cast<int>(at::kFloat) << static_cast<int>(at::kHalf);
        QTest::newRow("float32 in bfloat16") << static_cast<int>(at::kFloat) << static_cast<int>(at::kBFloat16);
        QTest::newRow("float16 in bfloat16") << static_cast<int>(at::kHalf) << static_cast<int>(at::kBFloat16);
        QTest::newRow("bfloat16 in float16") << static_cast<int>(at::kBFloat16) << static_cast<int>(at::kHalf);
    }
    void a_raised_linear_reads_its_weight_again() {
        QFETCH(int, stored);
        QFETCH(int, compute);
        const auto weight = at::randn({6, 40}).to(static_cast<Dtype>(stored));
        const auto bias = at::randn({6}).to(static_cast<Dtype>(stored)), x = at::randn({5, 40});
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", weight);
        checkpoint->add("bias", bias);
        WeightStore store(checkpoint);
        const Precision precision{.storage = static_cast<Dtype>(compute), .compute = static_cast<Dtype>(compute)};
        const Linear linear(WeightScope(store), {.in = 40, .out = 6}, precision);
        const auto op = raised(precision.compute, PrecisionLevel::float32);
        const auto y = linear(x, op);
        QVERIFY(relative_error(y, at::linear(x, weight.to(at::kFloat), bias.to(at::kFloat))) < 1e-6);
        QVERIFY(linear.bias().equal(bias.to(at::kFloat)));
        // The shadow check computes with the same weight.
        const ShadowPart part = shadow_of(linear, x, y, op);
        QVERIFY(relative_error(part.actual, part.reference()) < 1e-6);
    }

    /// The shadow check computes with the weight of the op as it is: a raised op does not round a quantized weight to
    /// 16 bits.
    void shadows_of_raised_quantized_layers_use_their_weight_data() {
        QTest::addColumn<int>("storage");
        QTest::addColumn<int>("compute");
        for (const Dtype storage : {at::kFloat8_e4m3fn, at::kChar})
            for (const Dtype compute : {at::kHalf, at::kBFloat16})
                QTest::addRow("%s in %s", dtype_name(storage).c_str(), dtype_name(compute).c_str())
                    << static_cast<int>(storage) << static_cast<int>(compute);
    }
    void shadows_of_raised_quantized_layers_use_their_weight() {
        QFETCH(int, storage);
        QFETCH(int, compute);
        at::manual_seed(5);
        const auto x = at::randn({5, 64});
        const Linear linear(at::randn({16, 64}), at::randn({16}),
                            {.storage = static_cast<Dtype>(storage), .compute = static_cast<Dtype>(compute)},
                            "blocks.0.ffn.net.2");
        const auto op = raised(static_cast<Dtype>(compute), PrecisionLevel::float32);
        const ShadowPart part = shadow_of(linear, x, linear(x, op), op);
        QVERIFY(relative_error(part.actual, part.reference()) < 1e-6);
    }

    void linear_returns_its_compute_dtype() {
        const Linear linear(at::ones({3, 2}, at::kHalf), at::ones({3}, at::kBFloat16),
                            {.storage = at::kHalf, .compute = at::kBFloat16});
        const auto y = linear(at::full({4, 2}, 2.0, at::kFloat));
        QCOMPARE(y.scalar_type(), at::kBFloat16);
        QVERIFY(y.to(at::kFloat).equal(at::full({4, 3}, 5.0f, at::kFloat)));
    }

    void a_raised_linear_layer_handles_values_that_overflow_float16() {
        at::manual_seed(3);
        const auto weight = at::randn({16, 64}), x = at::randn({5, 64}) * 9000;
        const Linear linear(weight, at::ones({16}), {.storage = at::kHalf, .compute = at::kHalf});
        const auto exact = at::linear(x, weight.to(at::kHalf).to(at::kFloat), at::ones({16}));
        QVERIFY(!testing::all_finite(linear(x)));
        for (const PrecisionLevel level : {PrecisionLevel::scaled, PrecisionLevel::float32}) {
            const auto y = linear(x, raised(at::kHalf, level));
            QCOMPARE(y.scalar_type(), at::kFloat);
            QVERIFY(relative_error(y, exact) < (level == PrecisionLevel::scaled ? 2e-3 : 1e-6));
        }
    }

    void a_feed_forward_layer_reports_only_values_that_it_uses_data() {
        QTest::addColumn<bool>("is_fused");
        QTest::addColumn<QStringList>("sites");
        QTest::newRow("product, then GELU") << false << QStringList{"ffn.net.0.proj", "ffn.net.2"};
        QTest::newRow("GELU in the product") << true << QStringList{"ffn.net.0", "ffn.net.2"};
    }
    void a_feed_forward_layer_reports_only_values_that_it_uses() {
        QFETCH(bool, is_fused);
        QFETCH(QStringList, sites);
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("net.0.proj.weight", at::randn({16, 8}));
        checkpoint->add("net.0.proj.bias", at::randn({16}));
        checkpoint->add("net.2.weight", at::randn({8, 16}));
        checkpoint->add("net.2.bias", at::randn({8}));
        WeightStore store(checkpoint);
        const FeedForward layer(WeightScope(store), {.dim = 8, .inner_dim = 16},
                                {.storage = at::kHalf, .compute = at::kHalf});
        const OpPrecision op{.compute = at::kHalf};
        const auto x = at::randn({1, 5, 8});
        SeenSites probe;
        CancellationToken cancellation;
        const ForwardContext context{probe, cancellation, "transformer"};
        allow_fast_paths(at::kCPU, is_fused ? FastPaths{FastPath::gelu_product} : FastPaths());
        const auto unwatched = layer(x, op), watched = layer(x, OpScope{context, "ffn", op});
        allow_fast_paths(at::kCPU, {});
        QCOMPARE(probe.sites, sites);
        QVERIFY(at::equal(watched, unwatched));
    }

    /// One channel is 2^20 times larger than the others and its weights are smaller by the same factor, so that all
    /// channels contribute equally.
    void small_values_next_to_large_ones_keep_their_precision() {
        at::manual_seed(4);
        const auto weight = at::randn({16, 64}), x = at::randn({5, 64});
        x.select(1, 7).mul_(1 << 20);
        weight.select(1, 7).div_(1 << 20);
        const Linear linear(weight.to(at::kHalf), {}, {.storage = at::kHalf, .compute = at::kHalf});
        const auto exact = at::linear(x, weight.to(at::kHalf).to(at::kFloat));
        QVERIFY(relative_error(linear(x, raised(at::kHalf, PrecisionLevel::scaled)), exact) < 2e-3);
    }

    void a_part_of_a_convolution_can_be_recomputed() {
        at::manual_seed(5);
        const Conv2d conv(at::randn({6, 4, 3, 3}), at::randn({6}), {.storage = at::kHalf, .compute = at::kHalf});
        for (const std::int64_t side : {20, 5}) {
            const auto x = at::randn({2, side, side + 3, 4});
            const auto y = conv(x, {.compute = at::kHalf});
            const auto part = shadow_of(conv, x, y);
            QVERIFY(relative_error(part.actual.to(at::kFloat), part.reference()) < 2e-3);
            QVERIFY(relative_error(shadow_of(conv, x, y * 1.1).actual.to(at::kFloat), part.reference()) > 5e-2);
        }
    }

    /// TF32 rounds factors as float16 does. An op that the guard has raised does not use it.
    void a_part_of_a_convolution_in_tf32_is_rounded() {
        at::manual_seed(5);
        const auto x = at::randn({1, 9, 9, 4});
        const auto rounded_to = [&](Float32Convolutions convolutions, const OpPrecision& op) {
            const Conv2d conv(at::randn({6, 4, 3, 3}), at::randn({6}), {.convolutions = convolutions});
            return shadow_of(conv, x, conv(x, op), op).rounded_to;
        };
        const auto forbidden = rounded_to(Float32Convolutions::tf32, {});
        allow_fast_paths(x.device(), {FastPath::tf32_convolution});
        const auto planned = rounded_to(Float32Convolutions::tf32, {});
        const auto exact = rounded_to(Float32Convolutions::exact, {});
        const auto healed = rounded_to(Float32Convolutions::tf32, raised(at::kFloat, PrecisionLevel::float32));
        allow_fast_paths(x.device(), {});
        QVERIFY(planned == at::kHalf);
        QVERIFY(!forbidden && !exact && !healed);
    }

    void parts_of_causal_convolutions_can_be_recomputed_data() {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("side");
        QTest::addColumn<bool>("repeats_first");
        QTest::addColumn<bool>("has_zero_tap");
        QTest::newRow("zeros before the video") << 4 << 6 << 11 << false << false;
        QTest::newRow("first frame before the video") << 4 << 6 << 11 << true << false;
        QTest::newRow("small images") << 4 << 6 << 3 << true << false;
        QTest::newRow("two taps") << 4 << 6 << 9 << false << true;
        QTest::newRow("Winograd, more channels than a part has") << 32 << 80 << 11 << false << false;
    }
    void parts_of_causal_convolutions_can_be_recomputed() {
        QFETCH(int, in);
        QFETCH(int, out);
        QFETCH(int, side);
        QFETCH(bool, repeats_first);
        QFETCH(bool, has_zero_tap);
        at::manual_seed(6);
        const auto weight = at::randn({out, in, 3, 3, 3});
        if (has_zero_tap) weight.select(2, 0).zero_();
        const auto conv = make_conv(weight, at::randn({out}), repeats_first ? Past::first_frame : Past::zeros);
        const auto frames = at::randn({6, side, side + 2, in});
        ShadowingProbe probe;
        const CancellationToken token;
        const ForwardContext context{probe, token, "vae"};
        const OpScope scope{context, "blocks.0", {}};
        Tensor history, other;
        for (const auto& chunk : frames.split_with_sizes({1, 1, 4})) {
            const auto y = conv.shadowed("conv1", chunk, history, scope);
            QVERIFY(y.equal(conv(chunk, other, {})));
        }
        const auto& errors = probe.errors["vae.blocks.0.conv1"];
        QCOMPARE(errors.size(), std::size_t{3});
        for (const double error : errors) QVERIFY(error < 1e-5);
    }

    void the_first_frame_may_replace_the_past() {
        const auto weight = at::tensor({1.0f, 10.0f, 100.0f}).view({1, 1, 3, 1, 1});
        const auto frames = at::tensor({1.0f, 2.0f}).view({2, 1, 1, 1});
        Tensor history;
        const auto conv = make_conv(weight, at::zeros({1}), Past::first_frame);
        QVERIFY(conv(frames, history, {}).flatten().equal(at::tensor({111.0f, 211.0f})));
        QVERIFY(conv(frames, history, {}).flatten().equal(at::tensor({121.0f, 212.0f})));
        Tensor zeros;
        const auto plain = make_conv(weight, at::zeros({1}));
        QVERIFY(plain(frames, zeros, {}).flatten().equal(at::tensor({100.0f, 210.0f})));
    }

    void chunks_of_a_causal_convolution_equal_the_whole() {
        at::manual_seed(1);
        for (const std::int64_t kernel : {1, 3}) {
            const auto weight = at::randn({5, 4, 3, kernel, kernel});
            const auto bias = at::randn({5});
            const auto frames = at::randn({7, 6, 8, 4});
            const auto conv = make_conv(weight, bias);
            Tensor history;
            const std::vector<Tensor> parts{
                conv(frames.narrow(0, 0, 1), history, {}), conv(frames.narrow(0, 1, 1), history, {}),
                conv(frames.narrow(0, 2, 4), history, {}), conv(frames.narrow(0, 6, 1), history, {})};
            QVERIFY(relative_error(at::cat(parts), reference_conv(frames, weight, bias)) < 1e-5);
            QCOMPARE(history.size(0), std::int64_t{2});
        }
    }

    void a_convolution_may_look_ahead() {
        const auto weight = at::randn({6, 5, 3, 1, 1}), bias = at::randn({6});
        const auto conv = make_conv(weight, bias);
        for (const std::int64_t count : {1, 2, 7}) {
            const auto frames = at::randn({count, 3, 4, 5});
            const auto wide = [](const Tensor& x) { return x.to(at::kDouble); };
            const auto expected = at::conv3d(wide(frames.permute({3, 0, 1, 2})).unsqueeze(0), wide(weight), wide(bias),
                                             1, at::IntArrayRef({1, 0, 0}))
                                      .squeeze(0)
                                      .permute({1, 2, 3, 0});
            QVERIFY(relative_error(conv.centered(frames, {}), expected) < 1e-6);
            const auto turned = frames.transpose(1, 2).contiguous().transpose(1, 2);
            QVERIFY(relative_error(conv.centered(turned, {}), expected) < 1e-6);
        }
    }

    void zero_taps_are_skipped() {
        const auto bias = at::randn({5});
        const auto frames = at::randn({4, 6, 8, 4});
        for (const std::vector<int>& zeros :
             {std::vector{0}, std::vector{1}, std::vector{0, 1}, std::vector{0, 1, 2}}) {
            const auto weight = at::randn({5, 4, 3, 3, 3});
            for (const auto tap : zeros) weight.select(2, tap).zero_();
            const auto conv = make_conv(weight, bias);
            Tensor history;
            QVERIFY(relative_error(conv(frames, history, {}), reference_conv(frames, weight, bias)) < 1e-5);
            if (zeros.size() >= 2) QVERIFY(!history.defined());
        }
    }

    void a_convolution_downsamples_with_either_padding() {
        at::manual_seed(4);
        const auto weight = at::randn({5, 4, 3, 3}), bias = at::randn({5});
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", weight);
        checkpoint->add("bias", bias);
        const auto pictures = at::randn({2, 6, 8, 4});
        const auto planes = pictures.permute({0, 3, 1, 2});
        for (const auto padding : {ConvPadding::around, ConvPadding::behind}) {
            WeightStore store(checkpoint);
            const Conv2d conv(WeightScope(store), {.in = 4, .out = 5, .stride = 2, .padding = padding}, {});
            const auto expected =
                padding == ConvPadding::around
                    ? at::conv2d(planes, weight, bias, at::IntArrayRef({2, 2}), at::IntArrayRef({1, 1}))
                    : at::conv2d(at::constant_pad_nd(planes, {0, 1, 0, 1}), weight, bias, at::IntArrayRef({2, 2}));
            QVERIFY(relative_error(conv(pictures), expected.permute({0, 2, 3, 1})) < 1e-5);
        }
    }

    void group_norm_takes_a_frame_or_all_of_them() {
        at::manual_seed(5);
        const auto weight = at::randn({8}), bias = at::randn({8});
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", weight);
        checkpoint->add("bias", bias);
        WeightStore store(checkpoint);
        const GroupNorm norm(WeightScope(store), {.channels = 8, .groups = 4, .eps = 1e-5}, {});
        const auto frames = at::randn({3, 6, 5, 8}) * 40;
        const auto each = at::group_norm(frames.permute({0, 3, 1, 2}).contiguous(), 4, weight, bias, 1e-5);
        QVERIFY(relative_error(norm.over_frame(frames, {}), each.permute({0, 2, 3, 1})) < 1e-5);
        const auto video = frames.permute({3, 0, 1, 2}).unsqueeze(0).contiguous();
        const auto all = at::silu(at::group_norm(video, 4, weight, bias, 1e-5)).squeeze(0).permute({1, 2, 3, 0});
        QVERIFY(relative_error(norm.over_video_silu(frames.to(at::kHalf), {}), all) < 1e-2);
        QVERIFY(relative_error(norm.over_video_silu(frames, {}), all) < 1e-5);
    }

    void rotation_applies_to_neighboring_pairs() {
        const auto table = at::complex(at::zeros({1, 1}), at::ones({1, 1}));  // rotation by 90 degrees
        const auto x = at::tensor({3.0f, 4.0f}).view({1, 1, 1, 2});
        QVERIFY(apply_rotary(x, table).flatten().allclose(at::tensor({-4.0f, 3.0f})));
    }

    void sinusoids_match_the_reference() {
        const auto e = sinusoidal_embedding(999, 256)[0];
        const std::map<int, double> golden{{0, 0.99964982},    {1, 0.96378529},    {2, -0.39902055},
                                           {127, 0.99424314},  {128, -0.02646075}, {129, -0.26667938},
                                           {130, -0.91694200}, {255, 0.10714722}};
        for (const auto& [i, value] : golden) QVERIFY(std::abs(e[i].item<double>() - value) < 1e-4);
    }

    void half_precision_norms_do_not_overflow() {
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", at::ones({8}, at::kHalf));
        WeightStore store(checkpoint);
        const RMSNorm norm(WeightScope(store), 8, 1e-6, {.storage = at::kHalf, .compute = at::kHalf});
        const auto y = norm(at::full({1, 8}, 60000.0, at::kHalf));
        QCOMPARE(y.scalar_type(), at::kFloat);
        QVERIFY(y.allclose(at::ones({1, 8})));
    }

    void norms_equal_float64_data() {
        QTest::addColumn<int>("dim");
        for (const int dim : {1, 8, 64, 100, 1536}) QTest::addRow("%d", dim) << dim;
    }

    void norms_equal_float64() {
        QFETCH(int, dim);
        at::manual_seed(4);
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        const auto weight = at::randn({dim}), bias = at::randn({dim});
        checkpoint->add("weight", weight);
        checkpoint->add("bias", bias);
        WeightStore store(checkpoint);
        const LayerNorm layer_norm(WeightScope(store), dim, 1e-6, {});
        const RMSNorm rms_norm(weight, 1e-6, {});
        const auto x = at::randn({3, 50, dim}) * 3 + 5, turned = x.transpose(0, 1).contiguous().transpose(0, 1);
        const auto wide = x.to(at::kDouble);
        const auto layer = at::layer_norm(wide, {dim}, weight.to(at::kDouble), bias.to(at::kDouble), 1e-6);
        const auto rms = wide * (wide.square().mean(-1, true) + 1e-6).rsqrt() * weight.to(at::kDouble);
        for (const auto& rows : {x, turned}) {
            QVERIFY(relative_error(layer_norm(rows), layer) < 2e-6);
            QVERIFY(relative_error(rms_norm(rows), rms) < 2e-6);
        }
    }

    void norms_leave_nan_and_inf_in_their_row() {
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", at::ones({64}));
        checkpoint->add("bias", at::zeros({64}));
        WeightStore store(checkpoint);
        const LayerNorm layer_norm(WeightScope(store), 64, 1e-6, {});
        const RMSNorm rms_norm(at::ones({64}), 1e-6, {});
        for (const float spoilt : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            auto x = at::randn({4, 64});
            x[2][63] = spoilt;
            for (const auto& y : {layer_norm(x), rms_norm(x)}) {
                QVERIFY(y[2][63].isnan().item<bool>());
                QVERIFY(y.slice(0, 0, 2).isfinite().all().item<bool>() && y[3].isfinite().all().item<bool>());
            }
        }
    }

    void blocks_of_queries_do_not_change_attention_data() {
        QTest::addColumn<int>("rows");
        for (const int rows : {1, 3, 7, 10, 0}) QTest::addRow("%d rows", rows) << rows;
    }
    void blocks_of_queries_do_not_change_attention() {
        QFETCH(int, rows);
        at::manual_seed(3);
        const auto q = at::randn({2, 3, 10, 8}), k = at::randn({2, 3, 6, 8}), v = at::randn({2, 3, 6, 8});
        for (const auto& bias : {Tensor(), at::randn({2, 1, 10, 6}), at::randn({1, 1, 1, 6})}) {
            const AttentionInput input{q, k, v, bias, 0.5};
            QVERIFY(relative_error(attention_in_blocks(input, rows), attention_in_blocks(input, 0)) < 1e-6);
        }
    }

    void attention_adds_its_bias_to_the_scores() {
        at::manual_seed(2);
        const auto q = at::randn({1, 2, 5, 8}), k = at::randn({1, 2, 4, 8}), v = at::randn({1, 2, 4, 8});
        const auto bias = at::randn({1, 1, 1, 4});
        const auto expected =
            at::matmul(at::softmax(at::matmul(q, k.transpose(-1, -2)) / std::sqrt(8.0) + bias, -1), v);
        QVERIFY(relative_error(scaled_dot_product_attention({q, k, v, bias, {}}, {}), expected) < 1e-5);
    }
};

QTEST_GUILESS_MAIN(TestLayers)
#include "test_layers.moc"
