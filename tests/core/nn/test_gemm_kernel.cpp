#include <ATen/ATen.h>

#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/lane_exp.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;
using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

class TestGemmKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!gemm_kernel::is_supported()) QSKIP("this CPU does not support the vector instructions");
    }

    void products_equal_float64_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("depth");
        for (const int rows : {1, 6, 7, 13, 14, 15, 56, 57})
            for (const int depth : {1, 15, 16, 17, 33, 160})
                QTest::addRow("%d rows, %d deep", rows, depth) << rows << depth;
    }
    void products_equal_float64() {
        QFETCH(int, rows);
        QFETCH(int, depth);
        at::manual_seed(3);
        // The kernel must not change the memory next to the rows of a and c.
        const auto fetched = gemm_kernel::fetched_rows(rows);
        const auto a = at::randn({rows + fetched, depth + 5}), b = at::randn({depth, kPanelColumns}),
                   offset = at::randn({kPanelColumns});
        auto c = at::zeros({2, rows, kPanelColumns + 3});
        const auto multiply = [&](Sum sum, const float* next_a, float* next_c) {
            gemm_kernel::multiply({.a = a.const_data_ptr<float>(),
                                   .a_stride = a.stride(0),
                                   .rows = rows,
                                   .b = b.const_data_ptr<float>(),
                                   .depth = depth,
                                   .c = c.mutable_data_ptr<float>(),
                                   .c_stride = c.stride(1),
                                   .sum = sum,
                                   .offset = offset.const_data_ptr<float>(),
                                   .next_c = next_c,
                                   .next_a = next_a});
            return c[0].slice(1, 0, kPanelColumns).to(at::kDouble);
        };
        const auto product = at::matmul(a.slice(0, 0, rows).slice(1, 0, depth).to(at::kDouble), b.to(at::kDouble));
        const auto once = multiply(Sum::overwrite, nullptr, nullptr);
        QVERIFY(at::allclose(once, product + offset, 1e-5, 1e-5));
        const auto twice = multiply(Sum::accumulate, a[rows].const_data_ptr<float>(), c[1].mutable_data_ptr<float>());
        QVERIFY(at::allclose(twice, 2 * product + offset, 1e-5, 1e-5));
        QVERIFY(c[0].slice(1, kPanelColumns).eq(0).all().item<bool>() && c[1].eq(0).all().item<bool>());
    }

    void powers_of_two() {
        for (float x = -125; x <= 0; x += 0.0173F) {
            FloatLanes power;
            power_of_two(FloatLanes{} + x, power);
            QVERIFY2(std::abs(power[0] / std::exp2(static_cast<double>(x)) - 1) < 1.3e-7,
                     qPrintable(QString::number(x)));
        }
        FloatLanes power;
        power_of_two(FloatLanes{} - std::numeric_limits<float>::infinity(), power);
        QCOMPARE(power[3], std::exp2(-125.0F));
        for (const auto bits : {0x7fc00000U, 0x7fffffffU, 0xffffffffU, 0xff800001U}) {
            power_of_two(FloatLanes{} + std::bit_cast<float>(bits), power);
            QVERIFY(std::isnan(power[5]));
        }
    }
};

QTEST_GUILESS_MAIN(TestGemmKernel)
#include "test_gemm_kernel.moc"
