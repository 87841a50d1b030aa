#include <ATen/Parallel.h>

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>

#include "core/device/cpu_level.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/linear_product.h"
#include "tests/support/golden.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

struct Case {
    Tensor x, weight, bias;
};

Case random_case(std::int64_t rows, std::int64_t in, std::int64_t out, Dtype dtype = at::kFloat) {
    at::manual_seed(5);
    return {at::randn({rows, in}), at::randn({out, in}).to(dtype), at::randn({out})};
}

/// Returns the tolerance for a sum of `in` products. Sums are sequential, so rounding errors grow with the square root
/// of the length.
double tolerance(std::int64_t in) {
    return 2e-7 * std::sqrt(static_cast<double>(in)) + 2e-7;
}

/// Returns the reference in float64, from the stored weight.
Tensor exact(const Tensor& x, const Tensor& weight) {
    return at::matmul(x.to(at::kDouble), weight.to(at::kDouble).t());
}

Tensor product_with(int threads, const Case& of) {
    return with_threads(threads, [&] { return linear_product(of.x, of.weight, of.bias); });
}

}  // namespace

class TestLinearProduct : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// at::parallel_for is a template: if this program were compiled without OpenMP, the loops in it would use one
    /// thread.
    void own_loops_use_every_thread() {
        const auto threads = with_threads(3, [] {
            std::array<int, 3> of_share{-1, -1, -1};
            at::parallel_for(0, 3, 1, [&](std::int64_t begin, std::int64_t end) {
                for (auto i = begin; i < end; ++i) of_share[static_cast<std::size_t>(i)] = at::get_thread_num();
            });
            return of_share;
        });
        QCOMPARE(threads, (std::array{0, 1, 2}));
    }

    void products_equal_float64_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::newRow("one row") << 1 << 512 << 37;
        QTest::newRow("one row, partial vector") << 1 << 7 << 3;
        QTest::newRow("few rows") << 5 << 40 << 24;
        QTest::newRow("largest small number of rows") << 31 << 100 << 1030;
        QTest::newRow("smallest large number of rows") << 32 << 64 << 32;
        QTest::newRow("one input") << 40 << 1 << 32;
        QTest::newRow("partial vector of inputs") << 57 << 37 << 64;
        QTest::newRow("less than a panel") << 70 << 48 << 5;
        QTest::newRow("partial panels") << 113 << 96 << 75;
        QTest::newRow("several depths") << 64 << 1700 << 96;
        QTest::newRow("several panels") << 60 << 33 << 1300;
        QTest::newRow("partial panels and several depths") << 130 << 801 << 601;
    }

    void products_equal_float64() {
        QFETCH(int, rows);
        QFETCH(int, in);
        QFETCH(int, out);
        for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
            const auto [x, weight, bias] = random_case(rows, in, out, dtype);
            QVERIFY(relative_error(linear_product(x, weight, bias), exact(x, weight) + bias) < tolerance(in));
            QVERIFY(relative_error(linear_product(x, weight, {}), exact(x, weight)) < tolerance(in));
            const auto y = at::ones({rows, out});
            add_linear_product(y, x, weight);
            QVERIFY(relative_error(y, exact(x, weight) + 1) < tolerance(in));
        }
    }

    void small_and_large_halves_are_widened_exactly() {
        const auto weight = at::tensor({6e-8f, 65504.0f, -6.1e-5f, 0.0f}).to(at::kHalf).repeat({32, 1});
        for (const std::int64_t rows : {32, 80})
            for (std::int64_t column = 0; column < 4; ++column) {
                const auto x = at::zeros({rows, 4});
                x.select(1, column).fill_(1);
                QVERIFY(linear_product(x, weight, {}).equal(exact(x, weight).to(at::kFloat)));
            }
    }

    /// With AMX, each operand is the sum of bfloat16 values, the smallest of which may be 2^-24 of it.
    void tiny_and_huge_operands_keep_their_digits() {
        const auto [x, weight, bias] = random_case(80, 96, 40);
        const auto odd = at::full({80, 96}, 1 + std::ldexp(1.0, -23));  // the last digit matters
        for (const double scale : {std::ldexp(1.0, -102), 1e-20, 1e20, 1e34})
            for (const auto& wide : {x * scale, odd * scale}) {
                const auto product = exact(wide, weight), error = linear_product(wide, weight, {}) - product;
                QVERIFY(error.abs().max().item<double>() < 1e-5 * product.abs().max().item<double>());
                QVERIFY(relative_error(linear_product(weight, wide, {}), exact(weight, wide)) < tolerance(96));
            }
    }

    /// Sums of positive numbers show rounding errors that always have the same sign.
    void positive_products_have_no_bias() {
        const auto x = at::rand({80, 4096}), weight = at::rand({64, 4096}) + 0.5;
        const auto wanted = exact(x, weight);
        const auto error = (linear_product(x, weight, {}).to(at::kDouble) - wanted).div(wanted);
        QVERIFY(std::abs(error.mean().item<double>()) < 1e-7);
    }

    void nan_and_inf_stay_in_their_row() {
        for (const std::int64_t rows : {10, 48, 80}) {
            auto [x, weight, bias] = random_case(rows, 20, 40);
            const auto clean = linear_product(x, weight, bias);
            x[7][3] = std::numeric_limits<float>::infinity();
            x[8][0] = std::numeric_limits<float>::quiet_NaN();
            const auto y = linear_product(x, weight, bias);
            QVERIFY(!y[7].isfinite().any().item<bool>());
            QVERIFY(y[8].isnan().all().item<bool>());
            QVERIFY(y.narrow(0, 0, 7).equal(clean.narrow(0, 0, 7)));
            QVERIFY(y.slice(0, 9).equal(clean.slice(0, 9)));
        }
    }

    void nan_and_inf_in_a_weight_reach_their_column() {
        for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf})
            for (const std::int64_t rows : {1, 6, 40, 80}) {
                auto [x, weight, bias] = random_case(rows, 20, 40, dtype);
                weight[3][19] = std::numeric_limits<float>::quiet_NaN();
                weight[39][0] = std::numeric_limits<float>::infinity();
                const auto y = linear_product(x, weight, bias);
                QVERIFY(y.select(1, 3).isnan().all().item<bool>());
                QVERIFY(!y.select(1, 39).isfinite().any().item<bool>());
                QVERIFY(y.slice(1, 4, 39).isfinite().all().item<bool>());
            }
    }

    void mismatches_are_refused() {
        for (const std::int64_t rows : {2, 40}) {
            const auto [x, weight, bias] = random_case(rows, 20, 40);
            QVERIFY_EXCEPTION_THROWN(linear_product(x.narrow(1, 0, 19), weight, bias), c10::Error);
            QVERIFY_EXCEPTION_THROWN(linear_product(x, weight, bias.narrow(0, 0, 39)), c10::Error);
        }
    }

    void strided_rows_are_read_in_place() {
        if (!gemm_kernel::is_supported()) QSKIP("LibTorch multiplies at this level");
        for (const std::int64_t rows : {6, 50, 80}) {
            const auto [x, weight, bias] = random_case(rows, 90, 64, at::kBFloat16);
            const auto part = x.narrow(1, 30, 40), of_weight = weight.narrow(1, 30, 40);
            QVERIFY(linear_product(part, of_weight, bias)
                        .equal(linear_product(part.contiguous(), of_weight.contiguous(), bias)));
            const auto turned = at::randn({90, rows}).t();
            QVERIFY(linear_product(turned, weight, bias).equal(linear_product(turned.contiguous(), weight, bias)));
        }
    }

    void copied_rows_give_the_same_bits_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::newRow("few columns, which are not copied for") << 40 << 1024 << 32;
        QTest::newRow("one copy") << 70 << 2048 << 300;
        QTest::newRow("two copies, partial panels") << 3101 << 1024 << 260;
    }
    void copied_rows_give_the_same_bits() {
        if (!gemm_kernel::is_supported()) QSKIP("LibTorch multiplies at this level");
        QFETCH(int, rows);
        QFETCH(int, in);
        QFETCH(int, out);
        const auto [x, weight, bias] = random_case(rows, in, out, at::kBFloat16);
        const auto apart = at::empty({rows, in + 16}).narrow(1, 0, in).copy_(x);
        QVERIFY(linear_product(x, weight, bias).equal(linear_product(apart, weight, bias)));
        const auto y = at::ones({rows, out}), of_apart = y.clone();
        add_linear_product(y, x, weight);
        add_linear_product(of_apart, apart, weight);
        QVERIFY(y.equal(of_apart));
    }

    void only_rows_that_evict_each_other_are_copied_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("numbers");
        QTest::newRow("width of Wan 1.3B") << 768 << 1536 << 0;
        QTest::newRow("inner width of Wan 14B") << 768 << 13824 << 0;
        QTest::newRow("width of Wan 14B") << 768 << 5120 << 768 * (5120 + 16);
        QTest::newRow("width of Wan 5B, many rows") << 32760 << 3072 << 1560 * (3072 + 16);
        QTest::newRow("few rows") << 8 << 5120 << 0;
    }
    void only_rows_that_evict_each_other_are_copied() {
        QFETCH(int, rows);
        QFETCH(int, in);
        QFETCH(int, numbers);
        if (cpu_level() != CpuLevel::avx512) QSKIP("Only the kernel for AVX-512 needs copies");
        QCOMPARE(linear_product_bytes(rows, in), numbers * std::int64_t{sizeof(float)});
    }

    void threads_do_not_change_the_bits() {
        if (!gemm_kernel::is_supported()) QSKIP("LibTorch multiplies at this level");
        for (const std::int64_t rows : {3, 300, 900})
            for (const std::int64_t out : {32, 75, 1500}) {
                const auto of = random_case(rows, 800, out);
                const auto alone = product_with(1, of);
                for (const int threads : {2, 3, 7}) QVERIFY(product_with(threads, of).equal(alone));
            }
    }

    void leading_dimensions_stay() {
        const auto [x, weight, bias] = random_case(96, 24, 40);
        const auto y = linear_product(x.view({2, 4, 12, 24}), weight, bias);
        QCOMPARE(y.sizes(), at::IntArrayRef({2, 4, 12, 40}));
        QVERIFY(y.view({96, 40}).equal(linear_product(x, weight, bias)));
    }
};

QTEST_GUILESS_MAIN(TestLinearProduct)
#include "test_linear_product.moc"
