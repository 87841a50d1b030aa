#include <ATen/ATen.h>

#include <QTest>
#include <cmath>
#include <limits>

#include "core/weights/weight_scan.h"

using namespace kinescope;

class TestWeightScan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_scan_agrees_with_aten_data() {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("length");
        for (const auto dtype : {at::kFloat, at::kHalf, at::kBFloat16, at::kDouble})
            for (const int length : {1, 511, 1024, 3001, 600'001})
                QTest::addRow("%s %d", at::toString(dtype), length) << static_cast<int>(dtype) << length;
    }
    void a_scan_agrees_with_aten() {
        QFETCH(int, dtype);
        QFETCH(int, length);
        Tensor x = (at::randn({length}) * 1e-3).to(static_cast<Dtype>(dtype));
        const WeightScan clean = scan_weight(x);
        QCOMPARE(clean.count, std::int64_t{length});
        QCOMPARE(clean.nan + clean.inf, std::int64_t{0});
        QCOMPARE(clean.max_abs, x.to(at::kDouble).abs().max().item<double>());
        x[length - 1] = std::numeric_limits<double>::quiet_NaN();
        x[length / 2] = -std::numeric_limits<double>::infinity();
        const WeightScan damaged = scan_weight(x);
        QCOMPARE(damaged.inf, std::int64_t{1});
        QCOMPARE(damaged.nan, std::int64_t{length == 1 ? 0 : 1});
        QVERIFY(std::isinf(damaged.max_abs));
    }

    void weights_that_fit_float16_are_detected_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<bool>("fits");
        QTest::newRow("ordinary") << 0.02 << true;
        QTest::newRow("too large") << 9000.0 << false;
        QTest::newRow("too small") << 1e-7 << false;
    }
    void weights_that_fit_float16_are_detected() {
        QFETCH(double, factor);
        QFETCH(bool, fits);
        for (const auto dtype : {at::kFloat, at::kBFloat16})
            QCOMPARE(fits_float16(scan_weight((at::randn({64, 64}) * factor).to(dtype))), fits);
        QVERIFY(fits_float16(scan_weight(at::zeros({64, 64}))));
    }

    void channels_that_lose_precision_in_float16_are_counted_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("lost");
        QTest::newRow("ordinary") << 1.0 << 0;
        QTest::newRow("small, with enough digits") << 1e-3 << 0;
        QTest::newRow("subnormal") << 1e-5 << 3;
        QTest::newRow("zero") << 1e-9 << 3;
    }
    void channels_that_lose_precision_in_float16_are_counted() {
        QFETCH(double, factor);
        QFETCH(int, lost);
        for (const auto dtype : {at::kFloat, at::kBFloat16})
            for (const std::int64_t dim : {0, 1}) {
                const Tensor pictures = at::randn({70, 50, 3, 3}) * 0.02, rows = at::randn({70, 50}) * 0.02;
                for (const Tensor& weight : {pictures, rows}) {
                    weight.narrow(dim, 7, 3).mul_(factor);
                    const Tensor stored = weight.to(dtype);
                    QCOMPARE(channels_lost_in_float16(stored, scan_weight(stored)), std::int64_t{lost});
                }
            }
        const Tensor bias = at::full({9}, 1e-9);
        QCOMPARE(channels_lost_in_float16(bias, scan_weight(bias)), std::int64_t{0});
    }

    void float8_bytes_are_read() {
        Tensor bytes = at::zeros({4, 300}, at::kByte);
        bytes[0][0] = 0x7f, bytes[1][1] = 0xff, bytes[2][2] = 0x7e, bytes[3][3] = 0xfe;
        const WeightScan e4m3 = scan_weight(bytes.view(at::kFloat8_e4m3fn));
        QCOMPARE(e4m3.nan, std::int64_t{2});
        QCOMPARE(e4m3.inf, std::int64_t{0});
        QCOMPARE(e4m3.saturated, std::int64_t{2});
        bytes[0][0] = 0x7c, bytes[1][1] = 0xfd, bytes[2][2] = 0x7b, bytes[3][3] = 0x01;
        const WeightScan e5m2 = scan_weight(bytes.view(at::kFloat8_e5m2));
        QCOMPARE(e5m2.nan, std::int64_t{1});
        QCOMPARE(e5m2.inf, std::int64_t{1});
        QCOMPARE(e5m2.saturated, std::int64_t{1});
    }
};

QTEST_GUILESS_MAIN(TestWeightScan)
#include "test_weight_scan.moc"
