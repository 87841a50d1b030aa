#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <QTest>
#include <limits>

#include "core/device/rng.h"

using namespace kinescope;

class TestRng : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Expected values: torch.randn(20, generator=torch.Generator("cpu").manual_seed(42)), torch 2.11.0.
    void noise_matches_pytorch() {
        const std::vector<float> expected = {1.92691529f,   1.48728406f,   0.900717199f,  -2.10552096f, -0.758131146f,
                                             1.07831764f,   0.800800562f,  1.68062055f,   0.355859905f, -0.686622977f,
                                             -0.493356347f, 0.241487786f,  -0.23162432f,  0.041759491f, -0.251575291f,
                                             0.859858513f,  -0.309726775f, -0.395710498f, 0.803409338f, -0.621595383f};
        const Tensor noise = NoiseSource(42).normal({20});
        for (int i = 0; i < 20; ++i) QVERIFY(std::abs(noise[i].item<float>() - expected[i]) < 1e-6f);
    }
    void a_seed_repeats_and_two_seeds_differ() {
        QVERIFY(at::equal(NoiseSource(7).normal({2, 3, 4}), NoiseSource(7).normal({2, 3, 4})));
        QVERIFY(!at::equal(NoiseSource(7).normal({2, 3, 4}), NoiseSource(8).normal({2, 3, 4})));
    }

    void the_largest_seed_is_that_of_pytorch() {
        auto generator = at::detail::createCPUGenerator();
        generator.set_current_seed(std::numeric_limits<std::uint64_t>::max());  // torch.manual_seed(2**64 - 1)
        const Tensor expected = at::randn({33}, generator, at::TensorOptions().dtype(at::kFloat));
        QVERIFY(at::equal(NoiseSource(std::numeric_limits<std::uint64_t>::max()).normal({33}), expected));
    }

    void a_restored_source_repeats_its_draws() {
        NoiseSource source(7);
        source.normal({5});
        const Tensor state = source.snapshot();
        const Tensor first = source.normal({33});
        QVERIFY(!at::equal(source.normal({33}), first));
        source.restore(state);
        QVERIFY(at::equal(source.normal({33}), first));
    }
};

QTEST_GUILESS_MAIN(TestRng)
#include "test_rng.moc"
