#include <ATen/ATen.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/schedulers/euler_discrete.h"

using namespace kinescope;

namespace {

Json published_json() {
    return {{"_class_name", "EulerDiscreteScheduler"},
            {"prediction_type", "v_prediction"},
            {"timestep_type", "continuous"},
            {"use_karras_sigmas", true},
            {"sigma_min", 0.002},
            {"sigma_max", 700.0}};
}

}  // namespace

class TestEulerDiscrete : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sigmas_and_timesteps_equal_the_reference() {
        const EulerDiscreteScheduler scheduler({}, 25);
        const std::vector<double> expected{
            700,      545.7292,  421.5691,  322.4537,   244.0231,   182.5471,    134.8544, 98.26714, 70.54084,
            49.80979, 34.53674,  23.46751,  15.58997,   10.09713,   6.354266,    3.869697, 2.269116, 1.273177,
            0.678146, 0.3393781, 0.1574046, 0.06639908, 0.02480258, 0.007882495, 0.002,    0};
        QCOMPARE(scheduler.sigmas().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(scheduler.sigmas()[i] - expected[i]) <= 1e-6 * expected[i]);
        QVERIFY(std::abs(scheduler.timesteps()[0] - 1.63777) < 1e-6);
        QVERIFY(std::abs(scheduler.timesteps()[1] - 1.575531) < 1e-6);
        QVERIFY(std::abs(scheduler.timesteps()[24] + 1.553652) < 1e-6);
        QCOMPARE(static_cast<float>(scheduler.init_noise_sigma()), 700.000732f);
    }

    void one_step_starts_at_the_largest_sigma() {
        const EulerDiscreteScheduler scheduler({}, 1);
        QCOMPARE(scheduler.sigmas(), (std::vector<float>{700.0f, 0.0f}));
    }

    void steps_equal_the_reference() {
        const std::vector<std::vector<double>> expected{{-70.002625, -34.956390, 0.089923, 35.136200, 70.182495},
                                                        {-1.688515, -0.794727, 0.099067, 0.992859, 1.886650},
                                                        {0.126857, 0.108103, 0.089349, 0.070594, 0.051840},
                                                        {0.126929, 0.108194, 0.089459, 0.070724, 0.051988}};
        EulerDiscreteScheduler scheduler({}, 4);
        auto x = at::linspace(-1, 1, 5, at::kFloat) * scheduler.init_noise_sigma();
        for (int i = 0; i < 4; ++i) {
            const auto v = scheduler.scale_model_input(i, x) * 0.5 - 0.1;
            const auto clean = scheduler.pred_original_sample(i, v, x);
            x = scheduler.step(i, v, x);
            const auto reference = at::tensor(expected[static_cast<std::size_t>(i)], at::kFloat);
            QVERIFY(((x - reference).abs() <= 1e-6 * reference.abs().max() + 1e-6).all().item<bool>());
            if (i == 3) QVERIFY(x.allclose(clean, 1e-4, 1e-6));  // the last step returns the final sample
        }
    }

    void the_published_configuration_is_read() {
        auto json = published_json();
        json["sigma_max"] = 80.0;
        QCOMPARE(read_euler_discrete_config(json, "s.json").sigma_max, 80.0);
        QCOMPARE(read_euler_discrete_config({}, "s.json").sigma_max, 700.0);
    }

    void unsupported_configs_are_refused() {
        const auto code = [](const char* key, const Json& value) {
            auto json = published_json();
            json[key] = value;
            try {
                read_euler_discrete_config(json, "s.json");
            } catch (const Error& error) {
                return error.code();
            }
            return ErrorCode::internal;
        };
        QVERIFY(code("prediction_type", "epsilon") == ErrorCode::unsupported);
        QVERIFY(code("use_karras_sigmas", false) == ErrorCode::unsupported);
        QVERIFY(code("timestep_type", "discrete") == ErrorCode::unsupported);
        QVERIFY(code("_class_name", "DDIMScheduler") == ErrorCode::unsupported);
        QVERIFY(code("sigma_max", 0.001) == ErrorCode::bad_config);
        QVERIFY(code("sigma_min", nullptr) == ErrorCode::bad_config);
        QVERIFY_EXCEPTION_THROWN(EulerDiscreteScheduler({}, 0), Error);
    }
};

QTEST_GUILESS_MAIN(TestEulerDiscrete)
#include "test_euler_discrete.moc"
