#include <QtTest>

#include "core/nn/cpu/gelu.h"
#include "core/nn/modulation.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Returns the reference in float64, [1, L, C], with the row of each token.
Tensor spread(const TokenRows& rows, std::int64_t tokens) {
    const auto others = rows.others.to(at::kDouble).view({1, 1, -1}).expand({1, tokens - rows.first_tokens, -1});
    if (rows.first_tokens == 0) return others;
    return at::cat({rows.first.to(at::kDouble).view({1, 1, -1}).expand({1, rows.first_tokens, -1}), others}, 1);
}

TokenRows random_rows(std::int64_t channels, std::int64_t first_tokens) {
    return {.others = at::randn({channels}), .first = at::randn({1, 1, channels}), .first_tokens = first_tokens};
}

Tensor layer_norm_of(const Tensor& x, const LayerNormParameters& norm) {
    const auto wide = [](const Tensor& parameter) { return parameter.to(at::kDouble); };
    return at::layer_norm(wide(x), {x.size(-1)}, wide(norm.weight), wide(norm.bias), norm.eps);
}

}  // namespace

class TestModulation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(5); }

    void tokens_are_normed_scaled_and_shifted() {
        for (const std::int64_t channels : {8, 50, 96, 1536})
            for (const std::int64_t first : {0, 3, 7}) {
                const auto x = at::randn({1, 7, channels}) * 3 + 100;
                const auto weight = at::randn({channels}), bias = at::randn({channels});
                const LayerNormParameters norm{.weight = weight, .bias = bias, .eps = 1e-5};
                const auto scale = random_rows(channels, first), shift = random_rows(channels, first);
                const auto expected = layer_norm_of(x, norm) * (spread(scale, 7) + 1) + spread(shift, 7);
                QVERIFY(relative_error(modulated_layer_norm(x, norm, scale, shift), expected) < 2e-5);
                const auto turned = x.transpose(1, 2).contiguous().transpose(1, 2);
                QVERIFY(relative_error(modulated_layer_norm(turned, norm, scale, shift), expected) < 2e-5);
            }
    }

    void without_weights() {
        const auto x = at::randn({1, 5, 32});
        const Tensor none;
        const auto scale = at::randn({32}), shift = at::randn({32});
        const auto expected = at::layer_norm(x.to(at::kDouble), {32}, {}, {}, 1e-6) * (scale + 1.0) + shift;
        QVERIFY(relative_error(modulated_layer_norm(x, {.weight = none, .bias = none}, {scale}, {shift}), expected) <
                1e-6);
    }

    void add_gated_matches_float64() {
        for (const std::int64_t channels : {8, 50, 1536})
            for (const std::int64_t first : {0, 3, 7}) {
                const auto x = at::randn({1, 7, channels}), update = at::randn({1, 7, channels});
                const auto gate = random_rows(channels, first);
                const auto expected = x.to(at::kDouble) + update * spread(gate, 7);
                QVERIFY(relative_error(add_gated(x, update, gate), expected) < 1e-6);
                QVERIFY(relative_error(add_gated(x, update.to(at::kBFloat16), gate), expected) < 1e-2);
            }
    }

    void gelu_matches_pytorch() {
        const auto x = at::cat({at::linspace(-12, 12, 100'003), at::tensor({0.0f, -1e30f, 1e30f, -1e4f})});
        auto y = x.clone();
        gelu_tanh_(y);
        QVERIFY(relative_error(y, at::gelu(x.to(at::kDouble), "tanh")) < 1e-6);
        const auto small = at::linspace(-4, 4, 1001);
        auto of_small = small.clone();
        gelu_tanh_(of_small);
        QVERIFY((of_small - at::gelu(small.to(at::kDouble), "tanh")).abs().max().item<double>() < 1e-6);
    }

    void non_finite_values_stay_visible() {
        auto x = at::ones({1, 2, 20});
        x[0][0][3] = NAN;
        const auto row = at::ones({20});
        const Tensor none;
        QVERIFY(
            at::isnan(modulated_layer_norm(x, {.weight = none, .bias = none}, {row}, {row})[0][0]).all().item<bool>());
        QVERIFY(std::isnan(add_gated(x, x, {row})[0][0][3].item<float>()));
        gelu_tanh_(x);
        QVERIFY(std::isnan(x[0][0][3].item<float>()) && testing::all_finite(x[0][1]));
        auto infinite = at::full({40}, -INFINITY);
        gelu_tanh_(infinite);
        QVERIFY(!at::isfinite(infinite).any().item<bool>());
    }
};

QTEST_GUILESS_MAIN(TestModulation)
#include "test_modulation.moc"
