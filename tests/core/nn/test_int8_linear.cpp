#include <QtTest>

#include <limits>

#include "core/nn/cpu/int8_linear.h"
#include "core/nn/cpu/int8_product.h"
#include "core/nn/linear.h"
#include "core/nn/shadow.h"
#include "core/weights/int8_weight.h"
#include "core/weights/quantizable.h"
#include "tests/support/golden.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor random_normal(at::IntArrayRef shape, std::uint64_t seed) {
    at::manual_seed(seed);
    return at::randn(shape);
}

/// Returns the root mean square of the error relative to that of the exact result.
double rms_error(const Tensor& actual, const Tensor& exact) {
    return ((actual - exact).square().mean().sqrt() / exact.square().mean().sqrt()).item<double>();
}

}  // namespace

class TestInt8Linear : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linear_layers_of_blocks_are_quantizable_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("takes");
        QTest::newRow("Wan") << "blocks.12.attn1.to_q.weight" << true;
        QTest::newRow("Wan, feed-forward") << "blocks.0.ffn.net.2.weight" << true;
        QTest::newRow("CogVideoX") << "transformer_blocks.3.attn1.to_out.0.weight" << true;
        QTest::newRow("SVD") << "down_blocks.1.attentions.0.transformer_blocks.0.ff.net.2.weight" << true;
        QTest::newRow("modulation") << "transformer_blocks.3.norm1.linear.weight" << false;
        QTest::newRow("timestep projection") << "down_blocks.0.resnets.1.time_emb_proj.weight" << false;
        QTest::newRow("embedder") << "condition_embedder.time_embedder.linear_1.weight" << false;
        QTest::newRow("input projection") << "patch_embedding.weight" << false;
        QTest::newRow("output projection") << "proj_out.weight" << false;
        QTest::newRow("empty name") << "" << false;
    }
    void linear_layers_of_blocks_are_quantizable() {
        QFETCH(QString, path);
        QTEST(is_quantizable(path.toStdString()), "takes");
    }

    void whole_numbers_are_multiplied_exactly_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::newRow("one") << 1 << 1 << 1;
        QTest::newRow("odd") << 3 << 37 << 19;
        QTest::newRow("vectors") << 64 << 256 << 48;
        QTest::newRow("long rows") << 2 << 8960 << 33;
        QTest::newRow("padded rows") << 20 << 2048 << 33;
    }
    void whole_numbers_are_multiplied_exactly() {
        QFETCH(int, rows);
        QFETCH(int, in);
        QFETCH(int, out);
        at::manual_seed(1);
        const auto whole = [](at::IntArrayRef shape) {
            auto numbers = at::randint(-126, 127, shape).to(at::kFloat);
            numbers.select(-1, 0).fill_(127);  // makes the scale 1
            return numbers;
        };
        const Tensor x = whole({2, rows, in}), weight = whole({out, in}), bias = at::randn({out});
        const Tensor exact = at::linear(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble));
        const Tensor y = int8_linear(x, quantize_int8(weight), bias);
        QCOMPARE(y.sizes(), exact.sizes());
        QVERIFY(relative_error(y, exact.to(at::kFloat)) < 2e-7);
    }

    void padded_rows_are_an_odd_number_of_cache_lines() {
        constexpr std::int64_t kLine = 32;
        for (const std::int64_t in : {1, 31, 32, 33, 64, 2016, 2048, 12288}) {
            const auto size = padded_int8_row(in);
            QVERIFY(size >= in && size <= in + 2 * kLine);
            QCOMPARE(size % (2 * kLine), kLine);
        }
    }

    void int8_rounding_error_is_small() {
        const Tensor x = random_normal({40, 640}, 2), weight = random_normal({96, 640}, 3);
        const double error = rms_error(int8_linear(x, quantize_int8(weight), {}), at::linear(x, weight));
        QVERIFY2(error > 1e-3 && error < 2e-2, qPrintable(QString::number(error)));
    }

    void input_rows_with_outliers_stay_exact() {
        Tensor x = random_normal({6, 4096}, 4);
        const Tensor weight = random_normal({32, 4096}, 5);
        x[2][7] = 5000;
        const StoredWeight stored = quantize_int8(weight);
        const Tensor y = int8_linear(x, stored, {});
        QVERIFY(relative_error(y[2], at::linear(x[2], stored.dequantize(at::kFloat))) < 1e-5);
        QVERIFY(rms_error(y, at::linear(x, weight)) < 2e-2);
    }

    void weight_rows_with_outliers_stay_exact() {
        Tensor weight = random_normal({32, 4096}, 6);
        weight[5][9] = -3000;
        const Tensor x = random_normal({6, 4096}, 7);
        const StoredWeight stored = quantize_int8(weight);
        QVERIFY(relative_error(int8_linear(x, stored, {}).select(1, 5), at::linear(x, weight).select(1, 5)) < 1e-5);
        QVERIFY(stored.dequantize(at::kFloat)[5].equal(weight[5]));
    }

    void non_finite_weights_and_outlier_weights_are_not_quantized() {
        Tensor weight = random_normal({4, 4096}, 8);
        QVERIFY(quantize_int8(weight).is_quantized());
        weight[1][3] = kNan;
        QVERIFY(!quantize_int8(weight).is_quantized());
        Tensor spikes = random_normal({4, 4096}, 9);
        spikes.select(1, 0).fill_(1e4);
        QVERIFY(!quantize_int8(spikes).is_quantized());
    }

    void only_the_row_with_nan_or_inf_becomes_nan() {
        Tensor x = random_normal({4, 100}, 10);
        x[1][99] = kNan;
        x[2][3] = -kInf;
        x[3].zero_();
        const Tensor bias = random_normal({8}, 11);
        const Tensor y = int8_linear(x, quantize_int8(random_normal({8, 100}, 12)), bias);
        QVERIFY(testing::all_finite(y[0]));
        QVERIFY(at::isnan(y[1]).all().item<bool>());
        QVERIFY(at::isnan(y[2]).all().item<bool>());
        QVERIFY(y[3].equal(bias));
    }

    void a_lora_is_added_exactly() {
        const Tensor x = random_normal({5, 64}, 13);
        const Tensor down = random_normal({4, 64}, 14), up = random_normal({16, 4}, 15);
        StoredWeight stored = quantize_int8(random_normal({16, 64}, 16));
        const Tensor before = int8_linear(x, stored, {});
        stored.additions.push_back({.scale = 0.5, .down = down, .up = up});
        const Tensor change = at::linear(at::linear(x, down), up) * 0.5;
        QVERIFY(relative_error(int8_linear(x, stored, {}), before + change) < 1e-5);
    }

    void the_number_of_threads_does_not_change_the_bits() {
        const Tensor x = random_normal({300, 512}, 17);
        const StoredWeight stored = quantize_int8(random_normal({512, 512}, 18));
        const auto with = [&](int threads) {
            return with_threads(threads, [&] { return int8_linear(x, stored, {}); });
        };
        QVERIFY(with(1).equal(with(2)));
    }

    void the_guard_can_raise_int8_layers() {
        const Tensor x = random_normal({5, 64}, 19);
        const Linear linear(random_normal({16, 64}, 20), {}, {.storage = at::kChar}, "blocks.0.ffn.net.2");
        const Tensor raised_y = linear(x, raised(at::kFloat, PrecisionLevel::float32));
        QVERIFY(relative_error(raised_y, at::linear(x, linear.weight())) < 1e-6);
        QVERIFY(relative_error(linear(x), raised_y) > 1e-4);
        QVERIFY(relative_error(linear(x), raised_y) < 5e-2);
    }

    void shadow_parts_include_the_rounding() {
        const Tensor x = random_normal({5, 64}, 21);
        const Linear rounded(random_normal({16, 64}, 22), {}, {.storage = at::kChar}, "blocks.0.ffn.net.2");
        const Linear plain(random_normal({16, 64}, 22), {}, {.storage = at::kChar}, "proj_out");
        QVERIFY(shadow_of(rounded, x, rounded(x)).rounded_to == at::kChar);
        QVERIFY(!shadow_of(plain, x, plain(x)).rounded_to);
    }
};

QTEST_GUILESS_MAIN(TestInt8Linear)
#include "test_int8_linear.moc"
