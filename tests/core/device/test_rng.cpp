#include <ATen/ATen.h>

#include <QTest>

#include "core/device/rng.h"

using namespace kinescope;

class TestRng : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// torch.randn(20, generator=torch.Generator("cpu").manual_seed(42)), torch 2.11.0.
    void noise_is_that_of_pytorch() {
        const std::vector<float> expected = {1.92691529f, 1.48728406f, 0.900717199f, -2.10552096f, -0.758131146f, 1.07831764f, 0.800800562f, 1.68062055f, 0.355859905f, -0.686622977f, -0.493356347f, 0.241487786f, -0.23162432f, 0.041759491f, -0.251575291f, 0.859858513f, -0.309726775f, -0.395710498f, 0.803409338f, -0.621595383f};
        const Tensor noise = seeded_noise(42, {20});
        for (int i = 0; i < 20; ++i) QVERIFY(std::abs(noise[i].item<float>() - expected[i]) < 1e-6f);
    }
    void a_seed_repeats_and_two_seeds_differ() {
        QVERIFY(at::equal(seeded_noise(7, {2, 3, 4}), seeded_noise(7, {2, 3, 4})));
        QVERIFY(!at::equal(seeded_noise(7, {2, 3, 4}), seeded_noise(8, {2, 3, 4})));
    }
};

QTEST_GUILESS_MAIN(TestRng)
#include "test_rng.moc"
