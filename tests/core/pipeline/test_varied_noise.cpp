#include <ATen/ATen.h>

#include <QtTest>

#include "core/pipeline/varied_noise.h"

using namespace kinescope;

class TestVariedNoise : public QObject {
    Q_OBJECT

    static Tensor noise(std::uint64_t seed) {
        at::manual_seed(seed);
        return at::randn({1, 4, 3, 8, 8});
    }

private Q_SLOTS:
    void both_ends_are_the_noises_themselves() {
        QVERIFY(at::equal(slerp(noise(1), noise(2), 0), noise(1)));
        QVERIFY(at::equal(slerp(noise(1), noise(2), 1), noise(2)));
    }

    void the_deviation_stays() {
        for (const double t : {0.1, 0.5, 0.9}) {
            const double deviation = slerp(noise(1), noise(2), t).std().item<double>();
            QVERIFY2(deviation > 0.93 && deviation < 1.07, QByteArray::number(deviation));
        }
    }

    void orthogonal_vectors_turn() {
        const Tensor x = at::tensor({2.0f, 0.0f}), y = at::tensor({0.0f, 2.0f});
        const Tensor middle = slerp(x, y, 0.5);
        QVERIFY(at::allclose(middle, at::full({2}, std::sqrt(2.0f)), 1e-6, 1e-6));
        QVERIFY(at::allclose(slerp(x, y, 1.0 / 3), at::tensor({std::sqrt(3.0f), 1.0f}), 1e-6, 1e-6));
    }

    void equal_noise_stays_finite() {
        QVERIFY(at::allclose(slerp(noise(1), noise(1), 0.5), noise(1)));
        QVERIFY(at::isfinite(slerp(at::zeros({4}), at::zeros({4}), 0.5)).all().item<bool>());
    }
};

QTEST_GUILESS_MAIN(TestVariedNoise)
#include "test_varied_noise.moc"
