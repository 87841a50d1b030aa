#include <ATen/ATen.h>

#include <QTest>
#include <cmath>
#include <limits>

#include "core/numerics/guard_record.h"
#include "core/numerics/numerics_guard.h"
#include "core/numerics/numerics_monitor.h"
#include "core/numerics/stop_error.h"
#include "core/numerics/tensor_stats.h"

using namespace kinescope;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

void observe(NumericsMonitor& monitor, std::string_view site, const Tensor& value) {
    monitor.observe({.component = "transformer", .site = site, .value = value, .op = {.compute = value.scalar_type()}});
}

}  // namespace

class TestTensorStats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statistics_of_known_values() {
        const TensorStats stats = compute_stats(at::tensor({-3.0f, 1.0f, 2.0f, 4.0f}));
        QCOMPARE(stats.count, 4);
        QCOMPARE(stats.min, -3.0);
        QCOMPARE(stats.max, 4.0);
        QCOMPARE(stats.max_abs, 4.0);
        QCOMPARE(stats.mean, 1.0);
        QVERIFY(std::abs(stats.std - std::sqrt(6.5)) < 1e-6);
        QCOMPARE(stats.nan + stats.inf, 0);
    }

    /// Compares the one-pass kernel with ATen. The lengths are close to the sizes of its blocks and thread parts.
    void one_pass_statistics_equal_atens_data() {
        QTest::addColumn<int>("length");
        for (const int length : {1, 15, 16, 1023, 1024, 1025, 40'000, 100'001}) QTest::addRow("%d", length) << length;
    }
    void one_pass_statistics_equal_atens() {
        QFETCH(int, length);
        const Tensor x = at::randn({length}) * 3 + 100;
        const TensorStats stats = compute_stats(x);
        const Tensor exact = x.to(at::kDouble);
        QCOMPARE(stats.min, x.min().item<double>());
        QCOMPARE(stats.max, x.max().item<double>());
        QVERIFY(std::abs(stats.mean - exact.mean().item<double>()) < 1e-4);
        QVERIFY(std::abs(stats.std - exact.std(0, false).item<double>()) < 1e-4);
    }

    void non_finite_values_are_counted_and_excluded() {
        const TensorStats stats = compute_stats(at::tensor({kNan, 1.0f, kInf, -kInf, 3.0f}));
        QCOMPARE(stats.nan, 1);
        QCOMPARE(stats.inf, 2);
        QCOMPARE(stats.max, 3.0);
        QCOMPARE(stats.mean, 2.0);
    }

    void all_nan_and_empty_tensors_have_statistics_too() {
        QCOMPARE(compute_stats(at::tensor({kNan, kNan})).nan, 2);
        QCOMPARE(compute_stats(at::empty({0})).count, 0);
    }

    void headroom_counts_doublings_below_the_limit() {
        TensorStats stats;
        stats.max_abs = 65504.0 / 8;
        QCOMPARE(headroom_stops(stats, at::kHalf), 3.0);
        stats.max_abs = 0;
        QCOMPARE(headroom_stops(stats, at::kHalf), 200.0);
        stats.inf = 1;
        QCOMPARE(headroom_stops(stats, at::kHalf), 0.0);
    }

    void rows_agree_with_the_direct_statistics_data() {
        QTest::addColumn<int>("dtype");
        QTest::newRow("float32") << static_cast<int>(at::kFloat);
        QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
        QTest::newRow("float16") << static_cast<int>(at::kHalf);
    }
    /// Runs the reduction that accelerators use, on the CPU.
    void rows_agree_with_the_direct_statistics() {
        QFETCH(int, dtype);
        const Tensor x = (at::randn({70, 330}) * 300 + 5).to(static_cast<Dtype>(dtype));
        const TensorStats direct = compute_stats(x);
        for (const auto non_finite : {NonFinite::presence, NonFinite::counts}) {
            const Tensor row = stat_row(x, non_finite);
            QVERIFY(row.scalar_type() == at::kFloat);
            const TensorStats stats = stats_of_row(row.const_data_ptr<float>(), x.numel());
            QCOMPARE(stats.min, direct.min);
            QCOMPARE(stats.max_abs, direct.max_abs);
            QVERIFY(std::abs(stats.mean - direct.mean) < 1e-3);
            QVERIFY(std::abs(stats.std - direct.std) < 1e-2);
            QCOMPARE(stats.nan + stats.inf, std::int64_t{0});
        }
    }

    void rows_report_non_finite_values() {
        const Tensor x = at::tensor({1.0f, kInf, kNan, kNan, -3.0f});
        const TensorStats seen = stats_of_row(stat_row(x, NonFinite::presence).const_data_ptr<float>(), 5);
        QCOMPARE(seen.nan, std::int64_t{1});
        const TensorStats counted = stats_of_row(stat_row(x, NonFinite::counts).const_data_ptr<float>(), 5);
        QCOMPARE(counted.nan, std::int64_t{2});
        QCOMPARE(counted.inf, std::int64_t{1});
        QCOMPARE(counted.min, -3.0);
        const Tensor y = at::tensor({1.0f, -kInf});
        QCOMPARE(stats_of_row(stat_row(y, NonFinite::presence).const_data_ptr<float>(), 2).inf, std::int64_t{1});
    }

    void invalid_values_are_stated_with_a_number_only_if_they_were_counted_data() {
        QTest::addColumn<float>("invalid");
        QTest::addColumn<bool>("is_counted");
        QTest::addColumn<QString>("words");
        QTest::newRow("counted NaN") << kNan << true << "2 NaN and 0 Inf of 3 values";
        QTest::newRow("counted Inf") << -kInf << true << "0 NaN and 2 Inf of 3 values";
        QTest::newRow("NaN") << kNan << false << "NaN in 3 values";
        QTest::newRow("Inf") << kInf << false << "Inf in 3 values";
        QTest::newRow("-Inf") << -kInf << false << "Inf in 3 values";
    }
    void invalid_values_are_stated_with_a_number_only_if_they_were_counted() {
        QFETCH(float, invalid);
        QFETCH(bool, is_counted);
        const Tensor x = at::tensor({invalid, 1.0f, invalid});
        const Tensor row = stat_row(x, is_counted ? NonFinite::counts : NonFinite::presence);
        const LocalizableMessage found = found_in(stats_of_row(row.const_data_ptr<float>(), x.numel()));
        QTEST(QString::fromStdString(found.text), "words");
        QCOMPARE(found.values.contains("count"), is_counted);
    }

    void histogram_counts_every_finite_value_once() {
        const auto bins = histogram(at::tensor({-9.0f, -1.0f, 0.5f, 0.6f, 9.0f, kNan}), 4, -4, 4);
        QCOMPARE(bins, (std::vector<std::int64_t>{1, 1, 2, 1}));
    }

    void monitor_agrees_with_the_direct_statistics_data() {
        QTest::addColumn<int>("dtype");
        QTest::newRow("float32") << static_cast<int>(at::kFloat);
        QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
        QTest::newRow("float16") << static_cast<int>(at::kHalf);
    }
    void monitor_agrees_with_the_direct_statistics() {
        QFETCH(int, dtype);
        const Tensor x = at::randn({7, 33}).to(static_cast<Dtype>(dtype));
        NumericsMonitor monitor;
        monitor.enter({.phase = Phase::denoise, .step = 3, .attempt = 0, .branch = "cond"});
        observe(monitor, "blocks.0", x);
        const auto samples = monitor.collect();
        QCOMPARE(samples.size(), std::size_t{1});
        const TensorStats direct = compute_stats(x);
        QCOMPARE(samples[0].stats.min, direct.min);
        QCOMPARE(samples[0].stats.max, direct.max);
        QVERIFY(std::abs(samples[0].stats.std - direct.std) < 1e-6);
        QCOMPARE(samples[0].step, 3);
        QVERIFY(monitor.collect().empty());
    }

    void the_guard_names_the_first_non_finite_site() {
        NumericsMonitor monitor;
        monitor.enter({.phase = Phase::denoise, .step = 4, .attempt = 0, .branch = "uncond"});
        observe(monitor, "blocks.0.attn1", at::ones({4}));
        observe(monitor, "blocks.0.ffn", at::tensor({1.0f, kInf}));
        observe(monitor, "blocks.0", at::tensor({kNan, kNan}));
        const auto samples = monitor.collect();
        const NumericSample* broken = first_not_finite(samples);
        QVERIFY(broken != nullptr);
        QCOMPARE(broken->site, std::string("blocks.0.ffn"));
        QCOMPARE(guard_acted(decide({.samples = samples, .overrides = {}})).detector, Detector::block);
        const Error error =
            not_finite_error({.offender = *broken, .samples = samples, .tried = {}, .device = "cpu", .libraries = {}});
        QCOMPARE(error.code(), ErrorCode::not_finite);
        QVERIFY(error.message().find("step 5") != std::string::npos);
        QVERIFY(error.message().find("blocks.0.ffn") != std::string::npos);
    }

    void finite_samples_give_no_alarm() {
        NumericsMonitor monitor;
        observe(monitor, "latents", at::zeros({4}));
        QVERIFY(first_not_finite(monitor.collect()) == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestTensorStats)
#include "test_tensor_stats.moc"
