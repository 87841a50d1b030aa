#include <ATen/ATen.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/schedulers/flow_match_discrete.h"

using namespace kinescope;

class TestFlowMatchDiscrete : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesteps_equal_the_published_ones() {
        const FlowMatchDiscreteScheduler turbo(17, 10);
        const std::vector<double> expected{0, .0065, .0145, .0246, .0377, .0556, .0811, .1207, .1905, .3462, 1};
        QCOMPARE(turbo.sigmas().size(), expected.size());
        QCOMPARE(turbo.timesteps().size(), std::size_t{10});
        for (std::size_t i = 0; i < expected.size(); ++i) QVERIFY(std::abs(turbo.sigmas()[i] - expected[i]) < 6e-5);
        const FlowMatchDiscreteScheduler full(13, 50);
        QVERIFY(std::abs(full.timesteps()[1] - 0.00157) < 5e-6 && std::abs(full.timesteps()[2] - 0.00319) < 5e-6);
        QVERIFY(std::abs(full.timesteps()[49] - 0.7903) < 5e-5);
        QCOMPARE(full.sigmas().back(), 1.0f);
    }

    void a_constant_velocity_reaches_the_data_in_any_number_of_steps() {
        const auto noise = at::linspace(-2, 2, 7), data = at::linspace(1, 3, 7);
        for (const int steps : {1, 3, 50}) {
            FlowMatchDiscreteScheduler scheduler(13, steps);
            auto x = noise;
            for (int i = 0; i < steps; ++i) {
                QVERIFY((scheduler.pred_original_sample(i, data - noise, x) - data).abs().max().item<float>() < 1e-5f);
                x = scheduler.step(i, data - noise, x);
            }
            QVERIFY((x - data).abs().max().item<float>() < 1e-5f);
        }
    }

    void without_a_shift_the_steps_are_even() {
        const FlowMatchDiscreteScheduler even(1, 4);
        QCOMPARE(even.timesteps(), (std::vector<double>{0, 0.25, 0.5, 0.75}));
    }

    void invalid_arguments_are_refused() {
        QVERIFY_EXCEPTION_THROWN(FlowMatchDiscreteScheduler(13, 0), Error);
        QVERIFY_EXCEPTION_THROWN(FlowMatchDiscreteScheduler(0, 10), Error);
        QVERIFY_EXCEPTION_THROWN(FlowMatchDiscreteScheduler(std::nan(""), 10), Error);
    }
};

QTEST_GUILESS_MAIN(TestFlowMatchDiscrete)
#include "test_flow_match_discrete.moc"
