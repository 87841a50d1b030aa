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

namespace {

/// Returns random numbers that are the same on every CPU: LibTorch's float32 numbers depend on its vector instructions.
Tensor normal(at::IntArrayRef shape) {
    return at::randn(shape, at::kDouble).to(at::kFloat);
}

/// Returns offset + a b, adding one product after the other with one rounding each.
Tensor in_order(const Tensor& a, const Tensor& b, const Tensor& offset) {
    Tensor c = offset.expand({a.size(0), b.size(1)}).clone();
    const auto of_a = a.accessor<float, 2>(), of_b = b.accessor<float, 2>();
    auto of_c = c.accessor<float, 2>();
    for (std::int64_t i = 0; i < c.size(0); ++i)
        for (std::int64_t j = 0; j < c.size(1); ++j)
            for (std::int64_t k = 0; k < b.size(0); ++k) of_c[i][j] = std::fma(of_a[i][k], of_b[k][j], of_c[i][j]);
    return c;
}

}  // namespace

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
        const auto a = normal({rows + fetched, depth + 5}), b = normal({depth, kPanelColumns}),
                   offset = normal({kPanelColumns});
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
        // Therefore the bits are the same at every level.
        QVERIFY(c[0].slice(1, 0, kPanelColumns).equal(in_order(a.slice(0, 0, rows), b, offset)));
        const auto twice = multiply(Sum::accumulate, a[rows].const_data_ptr<float>(), c[1].mutable_data_ptr<float>());
        QVERIFY(twice.equal(in_order(a.slice(0, 0, rows), b, once.to(at::kFloat)).to(at::kDouble)));
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
