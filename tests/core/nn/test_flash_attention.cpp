#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

#include "core/device/cpu_level.h"
#include "core/nn/attention.h"
#include "core/nn/cpu/flash_attention.h"
#include "tests/support/golden.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

struct Shape {
    std::int64_t batch, heads, queries, keys, dim;
};

struct Case {
    Tensor query, key, value;
};

/// Returns random tensors in the memory layout of the layers: [B, tokens, heads, head_dim].
Case random_case(const Shape& shape, double largest = 1) {
    at::manual_seed(31);
    const auto tokens = [&](std::int64_t count) {
        return split_heads(at::randn({shape.batch, count, shape.heads * shape.dim}) * largest, shape.heads);
    };
    return {tokens(shape.queries), tokens(shape.keys), tokens(shape.keys)};
}

/// Returns the reference in float64.
Tensor exact(const Case& of, double scale) {
    const auto scores = at::matmul(of.query.to(at::kDouble), of.key.to(at::kDouble).transpose(-1, -2)) * scale;
    return at::matmul(at::softmax(scores, -1), of.value.to(at::kDouble));
}

}  // namespace

class TestFlashAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (cpu_level() < CpuLevel::avx512) QSKIP("LibTorch's attention is faster without AVX-512");
    }

    void each_thread_packs_the_keys_and_values_of_a_head() {
        const std::int64_t keys = 1030, dim = 96;
        const auto of_one = flash_attention_bytes(keys, dim, 1);
        QVERIFY(of_one >= 2 * keys * dim * std::int64_t{sizeof(float)});
        QCOMPARE(flash_attention_bytes(keys, dim, 8), 8 * of_one);
        QCOMPARE(flash_attention_bytes(keys, 40, 1), std::int64_t{0});
        QCOMPARE(flash_attention_bytes(100, dim, 1), std::int64_t{0});
    }

    /// Compares the error with that of LibTorch, because large scores lose precision in any implementation.
    void accuracy_equals_the_library() {
        for (const Shape& shape : {Shape{1, 2, 128, 128, 32}, Shape{2, 3, 200, 531, 64}, Shape{1, 1, 1100, 129, 128},
                                   Shape{1, 2, 131, 1030, 96}}) {
            for (const double largest : {1.0, 8.0}) {
                const auto of = random_case(shape, largest);
                QVERIFY(takes_flash_attention(of.query, of.key, of.value));
                const auto expected = exact(of, 0.2);
                const auto usual = at::scaled_dot_product_attention(of.query, of.key, of.value, {}, 0, false, 0.2);
                QVERIFY(relative_error(flash_attention(of.query, of.key, of.value, 0.2), expected) <
                        3 * relative_error(usual, expected) + 1e-6);
            }
        }
    }

    /// Queries of different memory layouts. With 4 KiB between queries, they would share cache lines.
    void the_distance_of_queries_does_not_change_the_bits() {
        const auto of = random_case({1, 8, 300, 200, 128});
        QCOMPARE(of.query.stride(2) * std::int64_t{sizeof(float)}, std::int64_t{4096});
        const auto together = of.query.contiguous();
        QVERIFY(
            flash_attention(together, of.key, of.value, 0.1).equal(flash_attention(of.query, of.key, of.value, 0.1)));
    }

    void unsupported_inputs_data() {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("dim");
        QTest::addColumn<bool>("takes");
        QTest::newRow("attention over frames") << 14 << 64 << false;
        QTest::newRow("tiny heads") << 256 << 16 << false;
        QTest::newRow("partial panels") << 256 << 40 << false;
        QTest::newRow("attention over pixels") << 256 << 64 << true;
    }
    void unsupported_inputs() {
        QFETCH(int, queries);
        QFETCH(int, dim);
        const auto of = random_case({1, 2, queries, 256, dim});
        QTEST(takes_flash_attention(of.query, of.key, of.value), "takes");
        QVERIFY(!takes_flash_attention(of.query.to(at::kBFloat16), of.key, of.value));
    }

    void result_heads_are_contiguous_per_token() {
        const auto of = random_case({2, 3, 140, 150, 32});
        QVERIFY(flash_attention(of.query, of.key, of.value, 1).transpose(1, 2).is_contiguous());
    }

    void non_finite_values_stay_visible() {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                std::bit_cast<float>(0x7fffffffU), std::bit_cast<float>(0xffffffffU)}) {
            const auto of = random_case({1, 2, 130, 600, 32});
            of.query[0][0][5][3] = bad;
            of.key[0][1][590][7] = bad;
            const auto y = flash_attention(of.query, of.key, of.value, 0.2);
            QVERIFY(!y[0][0][5].isfinite().any().item<bool>());
            QVERIFY(testing::all_finite(y[0][0].narrow(0, 6, 100)));
            QVERIFY(y[0][1].isnan().any().item<bool>());
            of.value[0][0][1][2] = bad;
            const auto of_value = flash_attention(of.query, of.key, of.value, 0.2)[0][0];
            QVERIFY(!of_value.select(1, 2).isfinite().any().item<bool>());
        }
    }

    void threads_do_not_change_the_bits() {
        const auto of = random_case({1, 2, 1500, 300, 32});
        const auto together = flash_attention(of.query, of.key, of.value, 0.2);
        for (const int threads : {1, 3, 5})
            QVERIFY(with_threads(threads, [&] {
                        return flash_attention(of.query, of.key, of.value, 0.2);
                    }).equal(together));
    }
};

QTEST_GUILESS_MAIN(TestFlashAttention)
#include "test_flash_attention.moc"
