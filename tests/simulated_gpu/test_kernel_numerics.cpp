#include <ATen/CPUGeneratorImpl.h>

#include <QTest>
#include <cmath>
#include <limits>

#include "core/device/backend.h"
#include "core/device/cuda/fused_kernels.h"
#include "core/device/dtype.h"
#include "core/device/fast_paths.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr double kEps = 1e-6;
const Device kCard("cuda:0"), kOtherCard("cuda:1");

/// Returns random values whose mean is not 0.
Tensor random(const std::vector<std::int64_t>& shape, Dtype dtype = at::kFloat) {
    return (at::randn(shape) + 0.3).to(dtype);
}

/// Returns a tensor of normally distributed values whose first value is not at an address that wide loads need.
Tensor unaligned(const std::vector<std::int64_t>& shape, Dtype dtype) {
    std::int64_t count = 1;
    for (const auto side : shape) count *= side;
    return random({count + 1}, dtype).to(kCard).slice(0, 1).view(shape);
}

/// Returns the error beyond half a unit in the last place of the result's dtype, relative to the largest value of
/// `scale`. Infinite if there is no result. The reference is float64.
double error_beyond_rounding(const Tensor& value, const Tensor& reference, const Tensor& scale) {
    if (!value.defined() || value.sizes() != reference.sizes()) return INFINITY;
    const double unit = value.scalar_type() == at::kHalf       ? std::exp2(-11)
                        : value.scalar_type() == at::kBFloat16 ? std::exp2(-8)
                                                               : 0;
    const Tensor error = (value.cpu().to(at::kDouble) - reference).abs() - reference.abs() * unit;
    const double largest = error.max().item<double>() / scale.abs().max().item<double>();
    return std::isfinite(largest) ? largest : INFINITY;
}
double error_beyond_rounding(const Tensor& value, const Tensor& reference) {
    return error_beyond_rounding(value, reference, reference);
}

/// Returns the statistics of stat_row with NonFinite::counts, computed in float64.
std::vector<double> statistics_of(const Tensor& value) {
    const Tensor x = value.cpu().to(at::kDouble);
    const Tensor finite = x.masked_fill(at::logical_not(at::isfinite(x)), 0);
    return {finite.min().item<double>(),       finite.max().item<double>(),
            finite.sum().item<double>(),       finite.square().sum().sqrt().item<double>(),
            at::isnan(x).sum().item<double>(), at::isinf(x).sum().item<double>()};
}

/// Extremes and counts must be exact. Sums are compared with the sum of the magnitudes, because their parts cancel.
QByteArray difference_of_statistics(const Tensor& row, const Tensor& value) {
    if (!row.defined()) return "no statistics";
    const std::vector<double> expected = statistics_of(value);
    const Tensor actual = row.cpu();
    const Tensor x = at::nan_to_num(value.cpu().to(at::kDouble), 0, 0, 0);
    const double magnitudes = x.abs().sum().item<double>();
    for (const int i : {0, 1, 2, 3, 4, 5}) {
        const double allowed = i == 2 ? 1e-6 * magnitudes : i == 3 ? 1e-6 * expected[3] : 0;
        const double got = actual[i].item<double>();
        if (!(std::abs(got - expected[i]) <= allowed))
            return "statistic " + QByteArray::number(i) + " is " + QByteArray::number(got, 'g', 9) + " instead of " +
                   QByteArray::number(expected[i], 'g', 9);
    }
    return {};
}

/// A NaN and two infinities at both ends and in the middle.
Tensor with_faults(const Tensor& x) {
    Tensor flat = x.view({-1});
    flat[0].fill_(-std::numeric_limits<double>::infinity());
    flat[flat.numel() / 2].fill_(std::numeric_limits<double>::quiet_NaN());
    flat[flat.numel() - 1].fill_(std::numeric_limits<double>::infinity());
    return x;
}

}  // namespace

/// Compares the fused kernels on the simulated GPU with float64 on the CPU. Needs the simulated libraries on the search
/// path, which ctest sets.
class TestKernelNumerics : public QObject {
    Q_OBJECT

    static void add_dtypes(const char* shape, const std::vector<std::int64_t>& sizes, const char* operand) {
        for (const auto& [from, to] : {std::pair{at::kFloat, at::kFloat},
                                       {at::kFloat, at::kHalf},
                                       {at::kFloat, at::kBFloat16},
                                       {at::kHalf, at::kFloat},
                                       {at::kHalf, at::kHalf},
                                       {at::kBFloat16, at::kFloat},
                                       {at::kBFloat16, at::kBFloat16}})
            QTest::addRow("%s, %s to %s", shape, dtype_name(from).c_str(), dtype_name(to).c_str())
                << QVector<qint64>(sizes.begin(), sizes.end()) << Dtype(from) << Dtype(to) << QString(operand);
    }
    static void add_columns() {
        QTest::addColumn<QVector<qint64>>("shape");
        QTest::addColumn<Dtype>("from");
        QTest::addColumn<Dtype>("to");
        QTest::addColumn<QString>("operand");
    }
    /// Returns an operand on the card: whole, at an odd address, or a part of longer rows.
    static Tensor operand(const std::vector<std::int64_t>& shape, Dtype dtype, const QString& kind) {
        if (kind == "unaligned") return unaligned(shape, dtype);
        std::vector<std::int64_t> outer = shape;
        if (kind == "part") outer.back() = 3 * shape.back();
        return random(outer, dtype).to(kCard).narrow(-1, outer.back() - shape.back(), shape.back());
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("SIMULATED_GPU_COUNT", "2");
        load_cuda_backend();
        QVERIFY2(at::hasCUDA(), "the simulated GPU is not on the search path; run this test with ctest");
        load_fused_kernels(kCard);
    }
    void init() {
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        generator.set_current_seed(31);  // at::manual_seed would need a CUDA generator, too
        for (const Device& card : {kCard, kOtherCard})
            allow_fast_paths(card, {FastPath::fused_norm, FastPath::fused_rotary, FastPath::fused_sum,
                                    FastPath::fused_sum_norm, FastPath::fused_statistics, FastPath::fused_silu});
    }

    void a_thread_uses_two_cards_in_turn() {
        const Tensor x = random({1, 4, 96});
        const Tensor normed = at::layer_norm(x.to(at::kDouble), {96}, {}, {}, kEps);
        for (const Device& card : {kCard, kOtherCard, kCard}) {
            const Tensor there = x.to(card);
            const Tensor y = fused_norm({.x = there, .eps = kEps}, at::kFloat);
            QVERIFY(y.defined() && y.device() == card);
            QVERIFY(error_beyond_rounding(y, normed) < 2e-5);
        }
    }

    void a_norm_data() {
        add_columns();
        add_dtypes("three values", {1, 1, 3}, "whole");
        add_dtypes("one row", {1, 1, 1536}, "whole");
        add_dtypes("odd width", {1, 77, 1001}, "whole");
        add_dtypes("odd address", {1, 9, 256}, "unaligned");
        add_dtypes("part of rows", {1, 33, 160}, "part");
        add_dtypes("two batches", {2, 5, 36}, "whole");
        add_dtypes("long rows", {1, 3, 5124}, "whole");
        add_dtypes("longest rows", {1, 2, 8192}, "whole");
        add_dtypes("longest odd rows", {1, 2, 2047}, "whole");
        add_dtypes("many short rows", {1, 3000, 4}, "whole");
    }
    void a_norm() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, from);
        QFETCH(Dtype, to);
        QFETCH(QString, operand);
        const Tensor x = TestKernelNumerics::operand({shape.begin(), shape.end()}, from, operand);
        QCOMPARE(x.is_contiguous(), operand != "part");
        const Tensor wide = x.cpu().to(at::kDouble);
        const std::int64_t dim = x.size(-1);
        const Tensor vectors = random({4, dim});
        const Tensor there = vectors.to(kCard), exact = vectors.to(at::kDouble);

        const Tensor normed = at::layer_norm(wide, {dim}, {}, {}, kEps);
        QVERIFY(error_beyond_rounding(fused_norm({.x = x, .eps = kEps}, to), normed) < 2e-5);
        const Tensor modulated = (normed * exact[0] + exact[1]) * (exact[2] + 1) + exact[3];
        QVERIFY(
            error_beyond_rounding(
                fused_norm(
                    {.x = x, .eps = kEps, .weight = there[0], .bias = there[1], .scale = there[2], .shift = there[3]},
                    to),
                modulated) < 2e-5);
        const FusedNormInput rms{.x = x, .kind = NormKind::rms, .eps = kEps, .weight = there[0]};
        const Tensor scaled = wide * (wide.square().mean({-1}, true) + kEps).rsqrt() * exact[0];
        QVERIFY(error_beyond_rounding(fused_norm(rms, to), scaled) < 2e-6);
    }

    void the_first_rows_have_a_modulation_of_their_own() {
        const Tensor x = random({1, 11, 50}).to(kCard), vectors = random({4, 50});
        const Tensor there = vectors.to(kCard), exact = vectors.to(at::kDouble);
        const Tensor normed = at::layer_norm(x.cpu().to(at::kDouble), {50}, {}, {}, kEps);
        for (const std::int64_t first : {0, 1, 4, 11}) {
            Tensor expected = normed * (exact[0] + 1) + exact[1];
            expected.narrow(1, 0, first).copy_(normed.narrow(1, 0, first) * (exact[2] + 1) + exact[3]);
            const FusedNormInput input{.x = x,
                                       .eps = kEps,
                                       .scale = there[0],
                                       .shift = there[1],
                                       .first_scale = there[2],
                                       .first_shift = there[3],
                                       .first_rows = first};
            QVERIFY(error_beyond_rounding(fused_norm(input, at::kFloat), expected) < 1e-6);
        }
    }

    void a_large_mean_does_not_hide_the_spread() {
        const Tensor x = (random({1, 7, 1500}) + 1000).to(kCard);
        const Tensor expected = at::layer_norm(x.cpu().to(at::kDouble), {1500}, {}, {}, kEps);
        QVERIFY(error_beyond_rounding(fused_norm({.x = x, .eps = kEps}, at::kFloat), expected) < 1e-3);
    }

    void longer_rows_are_left_to_libtorch() {
        const auto norm_of = [](std::int64_t dim) {
            const Tensor x = random({1, 1, dim}).to(kCard);
            return fused_norm({.x = x, .eps = kEps}, at::kFloat);
        };
        QVERIFY(norm_of(8192).defined() && !norm_of(8196).defined());
        QVERIFY(norm_of(2047).defined() && !norm_of(2049).defined());
    }

    void unit_length_and_silu_data() {
        QTest::addColumn<QVector<qint64>>("shape");
        QTest::addColumn<Dtype>("dtype");
        for (const Dtype dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
            const auto add = [&](const char* name, std::int64_t rows, std::int64_t dim) {
                QTest::addRow("%s, %s", name, dtype_name(dtype).c_str()) << QVector<qint64>{rows, dim} << dtype;
            };
            add("one value a row", 2, 1);
            add("odd width", 77, 33);
            add("8 threads a row", 1001, 96);
            add("16 threads a row", 33, 192);
            add("32 threads a row", 5, 384);
            add("longest rows", 3, 1024);
            add("more rows than threads", 140'001, 4);
        }
    }
    void unit_length_and_silu() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, dtype);
        Tensor x = random({shape[0], shape[1]}, dtype);
        x[0].zero_();
        const Tensor gain = random({shape[1]}) * 5, wide = x.to(at::kDouble);
        const Tensor length = at::linalg_vector_norm(wide, 2, {-1}, true).clamp_min(1e-12);
        const Tensor expected = at::silu(wide / length * gain.to(at::kDouble));
        const Tensor there = x.to(kCard);
        const Tensor y = fused_unit_length_silu(there, gain.to(kCard), 1e-12);
        QVERIFY(error_beyond_rounding(y, expected) < 2e-6);
        QVERIFY(at::equal(there.cpu(), x));
    }

    void unit_length_and_silu_in_place() {
        const Tensor x = random({3, 8}).to(kCard), gain = at::ones({8}).to(kCard);
        const Tensor expected = fused_unit_length_silu(x, gain, 1e-12).cpu();
        QVERIFY(fused_unit_length_silu(x, gain, 1e-12, x).is_same(x));
        QVERIFY(at::equal(x.cpu(), expected));
        QVERIFY(!fused_unit_length_silu(random({3, 1028}).to(kCard), at::ones({1028}).to(kCard), 1e-12).defined());
    }

    void operands_may_have_any_address() {
        const Tensor x = random({1, 5, 256}).to(kCard), vector = unaligned({256}, at::kFloat);
        const Tensor expected = at::layer_norm(x.cpu().to(at::kDouble), {256}, vector.cpu().to(at::kDouble), {}, kEps);
        QVERIFY(error_beyond_rounding(fused_norm({.x = x, .eps = kEps, .weight = vector}, at::kFloat), expected) <
                1e-6);
        const Tensor rows = x.view({5, 256});
        const Tensor silu = fused_unit_length_silu(rows, vector, 1e-12).cpu();
        const Tensor result = unaligned({5, 256}, at::kFloat);
        QVERIFY(at::equal(fused_unit_length_silu(rows, vector, 1e-12, result).cpu(), silu));
        const Tensor angles = random({6, 64});
        const Tensor table = at::complex(angles.cos(), angles.sin()).to(kCard), parts = at::view_as_real(table);
        const Tensor odd = at::view_as_complex(parts.flatten().narrow(0, 2, 640).view({5, 64, 2}));
        const auto turned = [&](const Tensor& by) {
            return fused_normed_rotary({.x = x, .weight = vector, .eps = kEps, .table = by}, at::kFloat).cpu();
        };
        QVERIFY(at::allclose(turned(odd), turned(odd.clone()), 1e-5, 1e-6));  // sums in another order
    }

    void a_row_with_a_fault_leaves_other_rows_alone() {
        Tensor x = random({1, 3, 40}).to(kCard);
        x[0][1][7].fill_(std::numeric_limits<double>::quiet_NaN());
        for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
            const Tensor y = fused_norm({.x = x, .kind = kind, .eps = kEps}, at::kBFloat16).cpu();
            QVERIFY(at::isnan(y[0][1]).all().item<bool>());
            QVERIFY(all_finite(y[0][0]) && all_finite(y[0][2]));
        }
    }

    void strides_of_dimensions_of_size_one_do_not_matter() {
        const Tensor x = random({1, 2, 12}).to(kCard).as_strided({2, 1, 12}, {12, 999, 1});
        const Tensor expected = at::layer_norm(x.cpu().to(at::kDouble), {12}, {}, {}, kEps);
        QVERIFY(x.is_contiguous());
        QVERIFY(error_beyond_rounding(fused_norm({.x = x, .eps = kEps}, at::kFloat), expected) < 1e-6);
    }

    void a_16_bit_result_is_rounded_like_libtorch() {
        // Subnormal, overflowing and tied values of both dtypes.
        const Tensor x = at::tensor({1e-40, 6e-8, 3e-8, 5.9e-5, 65504.0, 65519.9, 65520.0, 3.4e38, 1.00390625,
                                     1.01171875, 1.00048828125, 1.00146484375, -0.0, -65520.0, INFINITY, -INFINITY});
        const Tensor zero = at::zeros({1, 1, 16}, at::TensorOptions().device(kCard));
        for (const Dtype dtype : {at::kHalf, at::kBFloat16}) {
            const Tensor shift = x.to(at::kFloat);
            const Tensor y = fused_norm({.x = zero, .eps = kEps, .shift = shift.to(kCard)}, dtype).cpu();
            QVERIFY(at::equal(y.flatten(), shift.to(dtype)));
        }
    }

    void norm_and_rotary_embedding_data() {
        add_columns();
        add_dtypes("one row, one pair", {1, 1, 2}, "whole");
        add_dtypes("odd heads", {77, 3, 50}, "whole");
        add_dtypes("part of rows", {33, 12, 128}, "part");
        add_dtypes("long rows", {3, 40, 128}, "whole");
    }
    void norm_and_rotary_embedding() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, from);
        QFETCH(Dtype, to);
        QFETCH(QString, operand);
        const std::int64_t rows = shape[0], heads = shape[1], head_dim = shape[2], dim = heads * head_dim;
        const Tensor x = TestKernelNumerics::operand({1, rows, dim}, from, operand);
        const Tensor weight = random({dim}), angles = random({rows, head_dim / 2});
        const Tensor table = at::complex(angles.cos(), angles.sin());
        const Tensor wide = x.cpu().to(at::kDouble);
        const Tensor normed = wide * (wide.square().mean({-1}, true) + kEps).rsqrt() * weight.to(at::kDouble);
        const Tensor pairs = at::view_as_complex(normed.contiguous().view({1, rows, heads, head_dim / 2, 2}));
        const Tensor expected = at::view_as_real(pairs * table.to(at::kComplexDouble).unsqueeze(1)).flatten(-2);
        const Tensor y =
            fused_normed_rotary({.x = x, .weight = weight.to(kCard), .eps = kEps, .table = table.to(kCard)}, to);
        QVERIFY(error_beyond_rounding(y, expected) < 2e-6);
    }

    void a_gated_sum_data() {
        QTest::addColumn<QVector<qint64>>("shape");
        QTest::addColumn<Dtype>("dtype");
        QTest::addColumn<bool>("isAligned");
        for (const Dtype dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
            const auto add = [&](const char* name, std::int64_t rows, std::int64_t dim, bool is_aligned) {
                QTest::addRow("%s, %s", name, dtype_name(dtype).c_str())
                    << QVector<qint64>{rows, dim} << dtype << is_aligned;
            };
            add("one value", 1, 1, true);
            add("one row", 1, 1536, true);
            add("odd width", 77, 1001, true);
            add("odd address", 9, 256, false);
            add("more rows than blocks", 2050, 12, true);
            add("long rows", 3, 20484, true);
        }
    }
    void a_gated_sum() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, dtype);
        QFETCH(bool, isAligned);
        const std::vector<std::int64_t> sizes{1, shape[0], shape[1]};
        const Tensor x = random(sizes).to(kCard);
        const Tensor update = isAligned ? random(sizes, dtype).to(kCard) : unaligned(sizes, dtype);
        const Tensor gates = random({2, shape[1]});
        const Tensor there = gates.to(kCard), exact = gates.to(at::kDouble);
        const Tensor wide = x.cpu().to(at::kDouble), added = update.cpu().to(at::kDouble);
        const auto rows = shape[0], first = rows / 3;

        // Terms of opposite sign cancel, so the error of a sum is relative to the magnitudes of its terms.
        const Tensor plain_terms = wide.abs() + added.abs();
        QVERIFY(error_beyond_rounding(fused_gated_sum({.x = x, .update = update}).sum, wide + added, plain_terms) <
                2e-7);
        Tensor expected = wide + added * exact[0];
        expected.narrow(1, 0, first).copy_(wide.narrow(1, 0, first) + added.narrow(1, 0, first) * exact[1]);
        FusedSumInput input{.x = x, .update = update, .gate = there[0], .first_gate = there[1], .first_rows = first};
        const FusedSum plain = fused_gated_sum(input);
        const Tensor terms = wide.abs() + added.abs() * exact.abs().amax({0});
        QVERIFY(error_beyond_rounding(plain.sum, expected, terms) < 3e-7);
        QVERIFY(!plain.update_row.defined() && !plain.sum_row.defined());

        input.statistics = SumStatistics::both;
        for (int run = 0; run < 2; ++run) {  // launches share a counter, which each one must reset
            const FusedSum sum = fused_gated_sum(input);
            QVERIFY(at::equal(sum.sum.cpu(), plain.sum.cpu()));
            const QByteArray of_update = difference_of_statistics(sum.update_row, update);
            QVERIFY2(of_update.isEmpty(), of_update);
            const QByteArray of_sum = difference_of_statistics(sum.sum_row, sum.sum);
            QVERIFY2(of_sum.isEmpty(), of_sum);
        }
        with_faults(update);
        const FusedSum faulty = fused_gated_sum(input);
        const QByteArray of_faults = difference_of_statistics(faulty.sum_row, faulty.sum);
        QVERIFY2(of_faults.isEmpty(), of_faults);
    }

    void a_sum_and_its_norm_data() {
        QTest::addColumn<QVector<qint64>>("shape");
        QTest::addColumn<Dtype>("from");
        QTest::addColumn<Dtype>("to");
        for (const auto& [from, to] : {std::pair{at::kFloat, at::kFloat},
                                       {at::kHalf, at::kFloat},
                                       {at::kHalf, at::kHalf},
                                       {at::kBFloat16, at::kFloat},
                                       {at::kBFloat16, at::kBFloat16}}) {
            const auto add = [&](const char* shape, std::int64_t rows, std::int64_t dim) {
                QTest::addRow("%s, %s to %s", shape, dtype_name(from).c_str(), dtype_name(to).c_str())
                    << QVector<qint64>{rows, dim} << Dtype(from) << Dtype(to);
            };
            add("one row", 1, 1536);
            add("long rows", 3, 5124);
            add("more rows than blocks", 4100, 12);
        }
    }
    /// The kernel of both does what those of the sum and of the norm do.
    void a_sum_and_its_norm() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, from);
        QFETCH(Dtype, to);
        const std::int64_t rows = shape[0], dim = shape[1];
        const Tensor x = random({1, rows, dim}).to(kCard), update = random({1, rows, dim}, from).to(kCard);
        const Tensor vectors = random({8, dim}).to(kCard);
        const FusedSumInput sum{.x = x,
                                .update = update,
                                .gate = vectors[0],
                                .first_gate = vectors[1],
                                .first_rows = rows / 3,
                                .statistics = SumStatistics::both};
        const FusedSum only = fused_gated_sum(sum);
        for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
            const FusedNormInput norm{.x = only.sum,
                                      .kind = kind,
                                      .eps = kEps,
                                      .weight = vectors[2],
                                      .bias = vectors[3],
                                      .scale = vectors[4],
                                      .shift = vectors[5],
                                      .first_scale = vectors[6],
                                      .first_shift = vectors[7],
                                      .first_rows = rows / 2};
            const FusedSumNorm fused = fused_sum_norm(sum, norm, to);
            QVERIFY(fused.normed.defined() && fused.normed.scalar_type() == to);
            QVERIFY(at::equal(fused.sum.sum.cpu(), only.sum.cpu()));
            QVERIFY(at::equal(fused.normed.cpu(), fused_norm(norm, to).cpu()));
            const QByteArray of_update = difference_of_statistics(fused.sum.update_row, update);
            QVERIFY2(of_update.isEmpty(), of_update);
            const QByteArray of_sum = difference_of_statistics(fused.sum.sum_row, only.sum);
            QVERIFY2(of_sum.isEmpty(), of_sum);
        }
        const FusedSumNorm plain = fused_sum_norm({.x = x, .update = update}, {.x = x, .eps = kEps}, to);
        QVERIFY(at::equal(plain.sum.sum.cpu(), fused_gated_sum({.x = x, .update = update}).sum.cpu()));
        QVERIFY(at::equal(plain.normed.cpu(), fused_norm({.x = plain.sum.sum, .eps = kEps}, to).cpu()));
        QVERIFY(!plain.sum.update_row.defined() && !plain.sum.sum_row.defined());
    }

    void a_sum_and_its_norm_of_other_operands_stay_apart() {
        const auto takes = [](std::int64_t dim, Dtype update, Dtype result) {
            const Tensor x = random({1, 3, dim}).to(kCard), other = random({1, 3, dim}, update).to(kCard);
            return fused_sum_norm({.x = x, .update = other}, {.x = x, .eps = kEps}, result).normed.defined();
        };
        QVERIFY(takes(12, at::kHalf, at::kHalf) && takes(8192, at::kFloat, at::kFloat));
        QVERIFY(!takes(13, at::kHalf, at::kHalf) && !takes(12, at::kFloat, at::kHalf));
        QVERIFY(!takes(8196, at::kFloat, at::kFloat));
    }

    void statistics_data() {
        QTest::addColumn<QVector<qint64>>("shape");
        QTest::addColumn<Dtype>("dtype");
        QTest::addColumn<bool>("isAligned");
        for (const Dtype dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
            const auto add = [&](const char* name, std::vector<qint64> sides, bool is_aligned) {
                QTest::addRow("%s, %s", name, dtype_name(dtype).c_str())
                    << QVector<qint64>(sides.begin(), sides.end()) << dtype << is_aligned;
            };
            add("one value", {1}, true);
            add("three values", {3}, true);
            add("odd number", {7, 143}, true);
            add("odd address", {1025}, false);
            add("several blocks", {300, 1003}, true);
            add("more than all blocks hold at once", {2, 1100, 2000}, true);
        }
    }
    void statistics() {
        QFETCH(QVector<qint64>, shape);
        QFETCH(Dtype, dtype);
        QFETCH(bool, isAligned);
        const std::vector<std::int64_t> sizes(shape.begin(), shape.end());
        const Tensor x = isAligned ? random(sizes, dtype).to(kCard) : unaligned(sizes, dtype);
        const QByteArray finite = difference_of_statistics(fused_statistics(x), x);
        QVERIFY2(finite.isEmpty(), finite);
        with_faults(x);
        const QByteArray faulty = difference_of_statistics(fused_statistics(x), x);
        QVERIFY2(faulty.isEmpty(), faulty);
    }

    void statistics_of_dense_tensors_in_other_orders() {
        const Tensor x = random({2, 5, 3, 4}).to(kCard);
        for (const Tensor& view : {x.permute({0, 2, 3, 1}), x.transpose(0, 3)}) {
            const QByteArray difference = difference_of_statistics(fused_statistics(view), view);
            QVERIFY2(difference.isEmpty(), difference);
        }
        QVERIFY(!fused_statistics(x.narrow(1, 0, 2)).defined());
    }

    void operands_that_no_kernel_takes_are_left_to_libtorch() {
        const Tensor x = random({1, 6, 8}).to(kCard), weight = random({8}).to(kCard);
        const auto norm = [&](const Tensor& of, const Tensor& by, Dtype to) {
            return fused_norm({.x = of, .eps = kEps, .weight = by}, to).defined();
        };
        QVERIFY(norm(x, weight, at::kHalf));
        QVERIFY(!norm(x.cpu(), weight.cpu(), at::kFloat));                           // on the CPU
        QVERIFY(!norm(x, weight.cpu(), at::kFloat));                                 // on different devices
        QVERIFY(!norm(x, weight.to(at::kHalf), at::kFloat));                         // not float32
        QVERIFY(!norm(x, random({7}).to(kCard), at::kFloat));                        // another width
        QVERIFY(!norm(x.to(at::kHalf), weight, at::kBFloat16));                      // between two 16-bit dtypes
        QVERIFY(!norm(x.to(at::kDouble), weight, at::kFloat));                       // float64
        QVERIFY(!norm(x.transpose(1, 2), random({6}).to(kCard), at::kFloat));        // columns
        QVERIFY(!norm(x.narrow(1, 0, 0), weight, at::kFloat));                       // empty
        QVERIFY(!norm(at::zeros({1, 70'000, 8}, x.options()), weight, at::kFloat));  // many short rows
        QVERIFY(!fused_norm({.x = x, .scale = weight, .first_rows = 2}, at::kFloat).defined());
        QVERIFY(!fused_gated_sum({.x = x, .update = x, .gate = weight, .first_rows = 2}).sum.defined());
        QVERIFY(!fused_statistics(x.to(at::kDouble)).defined());
        QVERIFY(!fused_gated_sum({.x = x, .update = x.narrow(1, 0, 1)}).sum.defined());
        QVERIFY(!fused_gated_sum({.x = x.to(at::kHalf), .update = x}).sum.defined());
        const Tensor angles = random({6, 2}).to(kCard), table = at::complex(angles, angles);
        QVERIFY(fused_normed_rotary({.x = x, .weight = weight, .table = table}, at::kFloat).defined());
        QVERIFY(!fused_normed_rotary({.x = x, .weight = weight, .table = angles}, at::kFloat).defined());
        const Tensor shorter = table.narrow(0, 0, 5);
        QVERIFY(!fused_normed_rotary({.x = x, .weight = weight, .table = shorter}, at::kFloat).defined());
        const Tensor odd = unaligned({1, 6, 8}, at::kFloat);
        QVERIFY(!fused_normed_rotary({.x = odd, .weight = weight, .table = table}, at::kFloat).defined());
    }

    void only_allowed_kernels_run() {
        const Tensor x = random({1, 6, 8}).to(kCard);
        allow_fast_paths(kCard, {FastPath::fused_statistics});
        QVERIFY(!fused_norm({.x = x}, at::kFloat).defined());
        QVERIFY(fused_statistics(x).defined());
    }
};

QTEST_GUILESS_MAIN(TestKernelNumerics)
#include "test_kernel_numerics.moc"
