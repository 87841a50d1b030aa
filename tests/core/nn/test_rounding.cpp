#include <QtTest>
#include <vector>

#include "core/device/dtype.h"
#include "core/device/fast_paths.h"
#include "core/nn/attention.h"
#include "core/nn/causal_conv3d.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"
#include "core/nn/rounding.h"
#include "core/numerics/detectors.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

class HeardRows final : public RoundingListener {
public:
    explicit HeardRows(Dtype compute = at::kHalf) : compute_(compute) {}
    void on_rounding(const Tensor& row) override {
        const auto values = row.to(at::kDouble);
        rows.push_back({.sample = {.precision = {.dtype = element_type(compute_)}},
                        .error = values[0].item<double>(),
                        .size = values[1].item<double>(),
                        .lost = values[2].item<double>(),
                        .channels = values[3].item<double>(),
                        .inherited = values[4].item<double>()});
    }
    /// Returns the code of the first finding, or an empty string.
    QString found() const {
        for (const RoundingFacts& row : rows)
            if (const auto findings = find_rounding(row); !findings.empty())
                return QString::fromStdString(findings.front().found.code);
        return {};
    }
    std::vector<RoundingFacts> rows;

private:
    Dtype compute_;
};

OpPrecision planned(Dtype compute, HeardRows& heard) {
    return {.compute = compute, .level = PrecisionLevel::planned, .listener = &heard};
}

Precision in(Dtype dtype) {
    return {.storage = dtype, .compute = dtype};
}

const std::vector<std::pair<const char*, Dtype>> kDtypes{{"float16", at::kHalf}, {"bfloat16", at::kBFloat16}};

}  // namespace

/// Tests the rounding statistics of running ops and the findings that detector S11 derives from them.
class TestRounding : public QObject {
    Q_OBJECT

    static void add_dtypes() {
        QTest::addColumn<int>("dtype");
        for (const auto& [name, dtype] : kDtypes) QTest::newRow(name) << static_cast<int>(dtype);
    }

private Q_SLOTS:
    void initTestCase() { at::manual_seed(31); }

    void ordinary_products_cause_no_finding_data() { add_dtypes(); }
    void ordinary_products_cause_no_finding() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        HeardRows heard(compute);
        const OpPrecision op = planned(compute, heard);
        Linear(at::randn({70, 300}) / 17, at::randn({70}), in(compute))(at::randn({40, 300}), op);
        Conv2d(at::randn({40, 30, 3, 3}) / 16, at::randn({40}), in(compute))(at::randn({2, 20, 5, 30}), op);
        scaled_dot_product_attention(
            {at::randn({3, 4, 50, 16}), at::randn({3, 4, 60, 16}), at::randn({3, 4, 60, 16}), {}, {}}, op);
        narrowed(at::randn({2, 50, 16}), op);
        QCOMPARE(heard.rows.size(), std::size_t{5});  // two of attention
        for (const RoundingFacts& row : heard.rows) QVERIFY(row.size > 0 && row.error > 0 && row.lost == 0);
        QCOMPARE(heard.found(), QString());
        QCOMPARE(heard.rows[0].channels, 70.0);
        QCOMPARE(heard.rows[1].channels, 40.0);
        QCOMPARE(heard.rows[2].channels, 64.0);
    }

    /// A GPU applies the GELU to the sums before it rounds them to 16 bits: -128000 is below the range of float16, but
    /// its GELU is not.
    void sums_before_a_fused_gelu_may_leave_the_range() {
        allow_fast_paths(at::kCPU, {FastPath::gelu_product});
        HeardRows heard;
        Linear(at::full({8, 64}, -50.0), at::zeros({8}), in(at::kHalf))
            .with_gelu(at::full({20, 64}, 40.0), planned(at::kHalf, heard));
        allow_fast_paths(at::kCPU, {});
        QCOMPARE(heard.rows.size(), std::size_t{1});
        QCOMPARE(heard.rows[0].size, 16 * 8 * 128000.0 * 128000.0);
        QCOMPARE(heard.found(), QString());
    }

    void operands_of_a_fused_gelu_that_underflow_are_found() {
        allow_fast_paths(at::kCPU, {FastPath::gelu_product});
        HeardRows heard;
        Linear(at::randn({64, 64}) / 8, at::zeros({64}), in(at::kHalf))
            .with_gelu(at::randn({20, 64}) * 1e-9, planned(at::kHalf, heard));
        allow_fast_paths(at::kCPU, {});
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
    }

    /// The results are small because larger products cancel. Their errors are below the rounding of these products.
    void small_results_of_large_products_do_not_underflow() {
        const auto weight = at::randn({64, 32}), x = at::randn({20, 32});
        HeardRows heard;
        Linear(at::cat({weight, -weight}, 1) + at::randn({64, 64}) * 1e-2, {}, in(at::kHalf))(
            at::cat({x, x}, 1), planned(at::kHalf, heard));
        QCOMPARE(heard.rows.at(0).lost, 0.0);
    }

    void zeros_are_zeros_in_any_dtype() {
        HeardRows heard;
        Linear(at::zeros({8, 8}), at::zeros({8}), in(at::kHalf))(at::randn({4, 8}), planned(at::kHalf, heard));
        QCOMPARE(heard.found(), QString());
    }

    void products_that_underflow_are_found_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("rows");
        for (const double factor : {1e-6, 1e-7, 1e-9, 1e-20})
            for (const int rows : {2, 64}) QTest::addRow("%g in %d rows", factor, rows) << factor << rows;
    }
    void products_that_underflow_are_found() {
        QFETCH(double, factor);
        QFETCH(int, rows);
        HeardRows heard;
        const OpPrecision op = planned(at::kHalf, heard);
        const auto small = [&](Tensor x, std::int64_t dim) {
            x.narrow(dim, 0, rows).mul_(factor);
            return x;
        };
        // float16 represents the weight itself well, but not its product with small inputs.
        Linear(at::randn({64, 64}) / 8, {}, in(at::kHalf))(at::randn({20, 64}) * factor, op);
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
        heard.rows.clear();
        Conv2d(at::randn({64, 16, 3, 3}) / 12, at::zeros({64}), in(at::kHalf))(at::randn({1, 9, 9, 16}) * factor, op);
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
        heard.rows.clear();
        scaled_dot_product_attention(
            {at::randn({1, 1, 50, 64}), at::randn({1, 1, 60, 64}), small(at::randn({1, 1, 60, 64}), 3), {}, {}}, op);
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
        QCOMPARE(heard.rows[0].lost, static_cast<double>(rows));
        heard.rows.clear();
        narrowed(small(at::randn({5, 64}), 1), op);
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
    }

    void causal_convolutions_measure_their_inputs_before_the_conversion_data() {
        QTest::addColumn<int>("kernel_space");
        QTest::newRow("3 x 3") << 3;
        QTest::newRow("only in time") << 1;
    }
    void causal_convolutions_measure_their_inputs_before_the_conversion() {
        QFETCH(int, kernel_space);
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", at::randn({8, 16, 3, kernel_space, kernel_space}));
        checkpoint->add("bias", at::zeros({8}));
        WeightStore store(checkpoint);
        const CausalConv3d conv(WeightScope(store), {.in = 16, .out = 8, .kernel_space = kernel_space}, in(at::kHalf));
        HeardRows heard;
        Tensor history;
        conv(at::randn({3, 9, 9, 16}) * 1e-9, history, planned(at::kHalf, heard));
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
        const Tensor next = at::randn({2, 9, 9, 16});
        Tensor measured_history = history.clone();
        const Tensor unmeasured = conv(next, history, {.compute = at::kHalf});
        QVERIFY(at::equal(conv(next, measured_history, planned(at::kHalf, heard)), unmeasured));
    }

    void cancelling_offsets_are_found_data() { add_dtypes(); }
    void cancelling_offsets_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        HeardRows heard;
        const auto weight = at::randn({64, 64}) / 8, x = at::randn({20, 64}) + 1000;
        Linear(weight, (weight.to(compute).to(at::kFloat).sum({1}) * -1000).to(at::kFloat), in(compute))(
            x, planned(compute, heard));
        QCOMPARE(heard.found(), QStringLiteral("rounding"));
    }

    /// The rounding error of operands that are already rounded cannot be measured, but its effect can be estimated.
    void cancelling_inputs_are_found_data() { add_dtypes(); }
    void cancelling_inputs_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        const auto weight = (at::randn({64, 64}) / 8).to(compute).to(at::kFloat);
        const Linear difference(at::cat({weight, -weight}, 1), {}, in(compute));
        const auto found_with = [&](double offset) {
            const auto x = at::randn({20, 64}), pair = at::cat({x + offset, at::full_like(x, offset)}, -1);
            HeardRows heard(compute);
            difference(pair.to(compute), planned(compute, heard));
            return heard.found();
        };
        QCOMPARE(found_with(0), QString());
        QCOMPARE(found_with(3000), QStringLiteral("rounding"));
    }

    /// Softmax ignores an offset of all keys, but not the rounding of keys that contain the offset. The product itself
    /// is exact in this test, because its factors are already rounded.
    void rounded_keys_with_an_offset_are_found_data() { add_dtypes(); }
    void rounded_keys_with_an_offset_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        const auto found_with = [&](double offset) {
            const auto rounded = [&](const Tensor& x) { return x.to(compute).to(at::kFloat); };
            const AttentionInput input{rounded(at::ones({2, 3, 40, 16})),
                                       rounded(at::randn({2, 3, 60, 16}) + offset),
                                       rounded(at::randn({2, 3, 60, 16})),
                                       {},
                                       {}};
            HeardRows heard(compute);
            measure_attention(planned(compute, heard), input, scaled_dot_product_attention(input, {}));
            return heard.found();
        };
        QCOMPARE(found_with(0), QString());
        QCOMPARE(found_with(compute == at::kHalf ? 300 : 30), QStringLiteral("sensitive"));
    }

    /// With large scores, softmax selects one key. Rounding can make it select another one, although small errors of
    /// single scores do not change its result.
    void keys_that_rounding_exchanges_are_found_data() { add_dtypes(); }
    void keys_that_rounding_exchanges_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        const auto found_with = [&](double size) {
            const auto rounded = [&](const Tensor& x) { return x.to(compute).to(at::kFloat); };
            const AttentionInput input{rounded(at::randn({2, 4, 40, 16}) * size),
                                       rounded(at::randn({2, 4, 60, 16})),
                                       rounded(at::randn({2, 4, 60, 16})),
                                       {},
                                       {}};
            HeardRows heard(compute);
            measure_attention(planned(compute, heard), input, scaled_dot_product_attention(input, {}));
            return heard.found();
        };
        QCOMPARE(found_with(1), QString());
        QCOMPARE(found_with(10'000), QStringLiteral("sensitive"));
    }

    /// A weight that was rounded when it was loaded contributes its own error.
    void rounded_weights_with_an_offset_are_found_data() { add_dtypes(); }
    void rounded_weights_with_an_offset_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        const auto weight = at::randn({64, 64}) / 8;
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", weight);
        checkpoint->add("bias", weight.sum({1}) * -1024);
        WeightStore store(checkpoint);
        const Linear linear(WeightScope(store), {.in = 64, .out = 64}, in(compute));
        const auto x = at::randn({20, 64}) + 1024;
        HeardRows heard;
        linear(x, planned(compute, heard));
        QCOMPARE(heard.found(), QStringLiteral("rounding"));
        const auto expected = at::linear(x, weight, weight.sum({1}) * -1024);
        const auto raised_y = linear(x, raised(compute, PrecisionLevel::float32));
        QVERIFY(relative_error(raised_y, expected) < 1e-3);
        QVERIFY(relative_error(linear(x), expected) > 1e-1);
    }

    void norms_of_values_with_an_offset_are_found_data() { add_dtypes(); }
    void norms_of_values_with_an_offset_are_found() {
        QFETCH(int, dtype);
        const auto compute = static_cast<Dtype>(dtype);
        constexpr std::int64_t kChannels = 8;
        const auto weight = at::rand({kChannels}) + 0.5, bias = at::randn({kChannels});
        const GroupNormParameters norm{weight, bias, kChannels / 2};
        const auto found = [&](const Tensor& frames) {
            HeardRows heard(compute);
            measure_group_norm(planned(compute, heard), frames, norm);
            return heard.found();
        };
        const auto frames = at::randn({2, 6, 6, kChannels});
        QCOMPARE(found(frames + 1), QString());
        QCOMPARE(found(frames * 1e-3 + 1), QString("sensitive"));
        QCOMPARE(found(frames + 1000), QString("sensitive"));
        // Different offsets of two channels of a group stay apart.
        const auto offsets = at::tensor({1000.0, -1000.0}).repeat(kChannels / 2).to(at::kFloat);
        QCOMPARE(found(frames + offsets), QString());
    }

    /// The sample covers the whole frame: an offset in its lower part makes the groups wide, and one in all of it is
    /// found.
    void large_frames_are_sampled_as_a_whole() {
        constexpr std::int64_t kChannels = 8, kHeight = 64, kWidth = 96;
        const auto weight = at::ones({kChannels}), bias = at::zeros({kChannels});
        const GroupNormParameters norm{weight, bias, kChannels / 2};
        auto frames = at::randn({1, kHeight, kWidth, kChannels}) + 1000;
        frames.narrow(1, kHeight * 3 / 4, kHeight / 4).mul_(-1);
        HeardRows heard;
        measure_group_norm(planned(at::kHalf, heard), frames, norm);
        QCOMPARE(heard.found(), QString());
    }

    /// Raised ops and float32 ops are not measured.
    void float32_is_not_measured() {
        HeardRows heard;
        const Linear linear(at::randn({8, 8}), {}, in(at::kHalf));
        OpPrecision op = raised(at::kHalf, PrecisionLevel::float32);
        op.listener = &heard;
        linear(at::randn({4, 8}) * 1e-9, op);
        const auto tiny = at::randn({8, 8}) * 1e-9;
        Linear(tiny, {}, in(at::kHalf))(at::randn({4, 8}), planned(at::kHalf, heard));
        const auto scale = at::ones({8}), shift = at::zeros({8});
        measure_group_norm(op, at::randn({1, 4, 4, 8}) + 1000, {scale, shift, 4});
        QVERIFY(heard.rows.empty());
    }

    void convolution_samples_have_the_right_positions_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("padding");
        for (const int side : {3, 8, 21})
            for (const int stride : {1, 2})
                for (const auto padding : {ConvPadding::around, ConvPadding::behind})
                    if (stride == 2 || padding == ConvPadding::around)
                        QTest::addRow("%d, stride %d, padding %d", side, stride, static_cast<int>(padding))
                            << side << stride << static_cast<int>(padding);
    }
    void convolution_samples_have_the_right_positions() {
        QFETCH(int, side);
        QFETCH(int, stride);
        QFETCH(int, padding);
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", at::randn({6, 4, 3, 3}));
        checkpoint->add("bias", at::randn({6}));
        WeightStore store(checkpoint);
        const Conv2d conv(WeightScope(store),
                          {.in = 4, .out = 6, .stride = stride, .padding = static_cast<ConvPadding>(padding)},
                          in(at::kHalf));
        for (const PrecisionLevel level : {PrecisionLevel::planned, PrecisionLevel::scaled}) {
            HeardRows heard;
            conv(at::randn({2, side, side + 1, 4}), {.compute = at::kHalf, .level = level, .listener = &heard});
            QCOMPARE(heard.rows.size(), std::size_t{1});
            QVERIFY(heard.rows[0].error < 1e-5 * heard.rows[0].size);
        }
    }

    /// Quantized weights with and without LoRAs.
    void a_quantized_weight_is_measured_in_float32() {
        const auto weight = at::randn({32, 16}) * 1e-8;
        const Linear linear(weight, {}, {.storage = at::kFloat8_e4m3fn, .compute = at::kHalf}, "blocks.0.ffn");
        HeardRows heard;
        linear(at::randn({4, 16}), planned(at::kHalf, heard));
        QCOMPARE(heard.found(), QStringLiteral("underflow"));
    }
};

QTEST_GUILESS_MAIN(TestRounding)
#include "test_rounding.moc"
