#include <QtTest>

#include <functional>
#include <utility>

#include "core/nn/norm_silu.h"
#include "tests/support/golden.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

Tensor silu_of(const Tensor& x) {
    return x * at::sigmoid(x);
}

/// Returns the reference in float64, with a mean and a variance for each index of the first dimension.
Tensor group_norm_of(const Tensor& x, const GroupNormParameters& norm) {
    const auto planes = x.to(at::kDouble).movedim(-1, 1).contiguous();
    return at::group_norm(planes, norm.groups, norm.weight.to(at::kDouble), norm.bias.to(at::kDouble), norm.eps)
        .movedim(1, -1);
}

}  // namespace

class TestNormSilu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(21); }

    void values_of_unit_length() {
        for (const std::int64_t channels : {1, 7, 16, 96, 100}) {
            const auto x = at::randn({3, 5, channels}) * 30, gain = at::randn({channels}) * 20;
            const auto wide = x.to(at::kDouble);
            const auto normed = wide / at::linalg_vector_norm(wide, 2, {-1}, /*keepdim=*/true) * gain;
            QVERIFY(relative_error(unit_length_silu(x, gain), silu_of(normed)) < 1e-6);
            QVERIFY(relative_error(unit_length_silu(x.transpose(0, 1), gain), silu_of(normed).transpose(0, 1)) < 1e-6);
        }
    }

    void large_values_saturate_to_zero_or_identity() {
        const auto gain = at::tensor({1.0f, -1.0f}) * 200;
        const auto y = unit_length_silu(at::ones({1, 2}), gain);
        QVERIFY(std::abs(y[0][0].item<double>() - 200 / std::sqrt(2.0)) < 1e-4);
        QVERIFY(std::abs(y[0][1].item<double>()) < 1e-30);
        QVERIFY(unit_length_silu(at::zeros({1, 2}), gain).equal(at::zeros({1, 2})));
    }

    void nan_and_infinity_stay_visible() {
        auto x = at::ones({2, 20});
        x[0][3] = NAN;
        const auto y = unit_length_silu(x, at::ones({20}));
        QVERIFY(at::isnan(y[0]).all().item<bool>());
        QVERIFY(testing::all_finite(y[1]));
    }

    void group_norm_of_each_picture() {
        for (const std::int64_t channels : {8, 48, 128}) {
            const auto weight = at::randn({channels}), bias = at::randn({channels});
            const GroupNormParameters norm{weight, bias, 4, 1e-5};
            const auto x = at::randn({3, 21, 50, channels}) * 4;
            QVERIFY(relative_error(group_norm_silu(x, norm), silu_of(group_norm_of(x, norm))) < 1e-6);
            const auto half = x.to(at::kHalf);
            QVERIFY(relative_error(group_norm_silu(half, norm), silu_of(group_norm_of(half, norm))) < 1e-5);
            QVERIFY(relative_error(group_norm(x, norm), group_norm_of(x, norm)) < 1e-6);
            QVERIFY(relative_error(group_norm(half, norm), group_norm_of(half, norm)) < 1e-5);
        }
    }

    void only_moved_in_tensors_are_normalized_in_place() {
        const auto weight = at::randn({8}), bias = at::randn({8}), gain = at::randn({8});
        const GroupNormParameters norm{weight, bias, 2, 1e-6};
        const auto kept = at::randn({1, 5, 6, 8});
        const auto original = kept.clone();
        const std::vector<std::function<Tensor(Tensor)>> norms{
            [&](Tensor x) { return group_norm_silu(std::move(x), norm); },
            [&](Tensor x) { return group_norm(std::move(x), norm); },
            [&](Tensor x) { return unit_length_silu(std::move(x), gain); }};
        for (const auto& normed : norms) {
            const auto expected = normed(kept);
            QVERIFY(kept.equal(original));
            QVERIFY(normed(kept.narrow(0, 0, 1)).equal(expected));
            QVERIFY(kept.equal(original));
            auto own = kept.clone();
            const void* const memory = own.const_data_ptr();
            const auto y = normed(std::move(own));
            QCOMPARE(y.const_data_ptr(), memory);
            QVERIFY(y.equal(expected));
        }
    }

    /// Computing the variance as a difference of large sums would lose all precision.
    void a_large_mean_loses_no_precision() {
        const auto weight = at::ones({32}), bias = at::zeros({32});
        const GroupNormParameters norm{weight, bias, 2, 1e-6};
        const auto x = at::randn({1, 64, 64, 32}) + 1000;
        QVERIFY(relative_error(group_norm_silu(x, norm), silu_of(group_norm_of(x, norm))) < 1e-4);
    }

    /// The kernel estimates the mean from a sample of the pixels. In this test, the sample differs from all other
    /// pixels.
    void an_inaccurate_first_mean_does_no_harm() {
        const auto weight = at::ones({16}), bias = at::zeros({16});
        const GroupNormParameters norm{weight, bias, 2, 1e-6};
        const auto x = at::randn({1, 512, 512, 16});
        x.view({-1, 16}).slice(0, 0, {}, 256).add_(3e4);
        QVERIFY(relative_error(group_norm(x, norm), group_norm_of(x, norm)) < 1e-6);
    }

    void threads_do_not_change_the_bits() {
        const auto weight = at::randn({32}), bias = at::randn({32});
        const GroupNormParameters norm{weight, bias, 4, 1e-6};
        const auto x = at::randn({1, 120, 130, 32});
        const auto y = group_norm_silu(x, norm);
        const auto single = with_threads(1, [&] { return group_norm_silu(x, norm); });
        QVERIFY(y.equal(single));
    }

    void pixels_share_the_modulation_of_their_cell() {
        const auto weight = at::randn({24}), bias = at::randn({24});
        const GroupNormParameters norm{weight, bias, 3, 1e-6};
        for (const std::int64_t frames : {1, 2, 3, 5}) {
            const std::int64_t lone = frames > 1 ? frames % 2 : 0, cells = lone + 1;
            const auto x = at::randn({frames, 6, 8, 24});
            const auto scale = at::randn({cells, 3, 2, 24}), shift = at::randn({cells, 3, 2, 24});
            const auto spread = [&](const Tensor& cell) {
                const auto wide = cell.repeat_interleave(2, 1).repeat_interleave(4, 2);
                return at::cat({wide.slice(0, 0, lone), wide.slice(0, lone).repeat_interleave(frames - lone, 0)});
            };
            const auto normed = group_norm_of(x.unsqueeze(0), norm).squeeze(0);
            const auto expected = silu_of(normed * spread(scale) + spread(shift));
            QVERIFY(relative_error(modulated_group_norm_silu(x, norm, {scale, shift}), expected) < 2e-6);
        }
    }
};

QTEST_GUILESS_MAIN(TestNormSilu)
#include "test_norm_silu.moc"
