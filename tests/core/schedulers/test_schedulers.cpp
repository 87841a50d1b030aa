#include <ATen/ATen.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/schedulers/scheduler_config.h"

using namespace kinescope;

namespace {

struct Row {
    const char* name;
    SchedulerKind kind;
    double shift;
    int steps;
    std::vector<double> first;  ///< the first timesteps
    std::vector<double> last;
};

const std::vector<Row> kTimesteps{
    {"unipc 50, 3", SchedulerKind::unipc, 3, 50, {999, 993, 986, 979, 971, 964}, {208, 162, 113, 60}},
    {"unipc 50, 5", SchedulerKind::unipc, 5, 50, {999, 995, 991, 987, 982, 978}, {305, 244, 175, 96}},
    {"unipc 50, 12", SchedulerKind::unipc, 12, 50, {999, 998, 996, 994, 992, 990}, {513, 437, 338, 204}},
    {"unipc 50, 16", SchedulerKind::unipc, 16, 50, {999, 998, 997, 996, 994, 993}, {584, 509, 405, 255}},
    {"unipc 20, 3", SchedulerKind::unipc, 3, 20, {999, 982, 964, 944, 923, 900}, {500, 429, 347, 251, 138}},
    {"unipc 8, 5", SchedulerKind::unipc, 5, 8, {999, 972, 937, 893, 833, 750, 625, 418}, {}},
    {"unipc 4, 8", SchedulerKind::unipc, 8, 4, {999, 960, 889, 728}, {}},
    {"dpmpp 6, 3", SchedulerKind::dpmpp_2m, 3, 6, {999, 937, 856, 749, 599, 374}, {}},
    {"dpmpp 20, 5", SchedulerKind::dpmpp_2m, 5, 20, {999, 989, 978, 965, 952, 937}, {624, 555, 468, 356, 208}},
    {"dpmpp 4, 8", SchedulerKind::dpmpp_2m, 8, 4, {999, 959, 888, 727}, {}},
    {"euler 4, 7", SchedulerKind::flow_match_euler, 7, 4, {1000, 933.98096, 781.35260, 46.75572}, {}},
    {"euler 4, 3", SchedulerKind::flow_match_euler, 3, 4, {1000, 857.69232, 602.15057, 8.928572}, {}},
    {"euler 4, 5", SchedulerKind::flow_match_euler, 5, 4, {1000, 909.70715, 717.31744, 24.414066}, {}},
    {"euler 3, 7", SchedulerKind::flow_match_euler, 7, 3, {1000, 876.51422, 46.755722}, {}},
};

std::unique_ptr<Scheduler> make(SchedulerKind kind, double shift, int steps) {
    return make_scheduler({.kind = kind, .flow_shift = shift}, steps);
}

std::unique_ptr<Scheduler> make_cogvideox(SchedulerKind kind, double scale, int steps, const NoiseDraw& draw = {}) {
    const AlphaSchedule alphas{.snr_shift_scale = scale, .rescale_betas_zero_snr = true};
    return make_scheduler({.kind = kind, .alphas = alphas}, steps, draw);
}

/// Runs all steps from linspace(-1, 1, 5) with the velocity slope * x + offset. Returns the sample after each step.
std::vector<Tensor> trajectory(Scheduler& scheduler, double slope, double offset) {
    auto x = at::linspace(-1, 1, 5, at::kFloat).view({1, 1, 5});
    std::vector<Tensor> result;
    for (int i = 0; i < static_cast<int>(scheduler.timesteps().size()); ++i) {
        x = scheduler.step(i, x * slope + offset, x);
        result.push_back(x);
    }
    return result;
}

void compare(const Tensor& x, const std::vector<double>& expected) {
    const auto reference = at::tensor(expected, at::kFloat).view({1, 1, -1});
    QVERIFY2((x - reference).abs().max().item<double>() < 2e-6, "another trajectory");
}

Json unipc_json() {
    return {{"_class_name", "UniPCMultistepScheduler"},
            {"use_flow_sigmas", true},
            {"prediction_type", "flow_prediction"},
            {"flow_shift", 3.0}};
}

}  // namespace

class TestSchedulers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesteps_equal_the_reference() {
        for (const auto& row : kTimesteps) {
            const auto scheduler = make(row.kind, row.shift, row.steps);
            const auto& t = scheduler->timesteps();
            QCOMPARE(t.size(), static_cast<std::size_t>(row.steps));
            QCOMPARE(scheduler->sigmas().size(), static_cast<std::size_t>(row.steps) + 1);
            for (std::size_t i = 0; i < row.first.size(); ++i)
                QVERIFY2(std::abs(t[i] - row.first[i]) < 1e-3 * (row.kind == SchedulerKind::flow_match_euler) + 1e-9,
                         row.name);
            for (std::size_t i = 0; i < row.last.size(); ++i)
                QVERIFY2(t[t.size() - row.last.size() + i] == row.last[i], row.name);
        }
    }

    void unipc_sigmas_equal_the_reference() {
        const auto s = make(SchedulerKind::unipc, 3, 50);
        const std::vector<float> expected{0.99999899f, 0.99325007f, 0.98631543f, 0.97918838f};
        for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(s->sigmas()[i], expected[i]);
        QCOMPARE(s->sigmas()[49], 0.06040539f);
        QCOMPARE(s->sigmas()[50], 0.0f);
    }

    void dpmpp_steps_equal_the_reference() {
        const auto scheduler = make(SchedulerKind::dpmpp_2m, 3, 6);
        const std::vector<float> sigmas{0.99966645f, 0.93714821f, 0.85677528f, 0.74962479f, 0.59963983f, 0.37471867f};
        for (std::size_t i = 0; i < sigmas.size(); ++i) QCOMPARE(scheduler->sigmas()[i], sigmas[i]);
        const std::vector<std::vector<double>> expected{{-0.9874964, -0.4968741, -0.0062518, 0.4843704, 0.9749927},
                                                        {-0.9717492, -0.4929373, -0.0141254, 0.4646865, 0.9434984},
                                                        {-0.9514204, -0.4878551, -0.0242899, 0.4392754, 0.9028405},
                                                        {-0.9240862, -0.4810216, -0.0379569, 0.4051077, 0.8481723},
                                                        {-0.8855623, -0.4713906, -0.0572189, 0.3569528, 0.7711244},
                                                        {-0.8234832, -0.4558708, -0.0882585, 0.2793538, 0.6469661}};
        const auto steps = trajectory(*scheduler, 0.3, 0.1);
        QCOMPARE(steps.size(), expected.size());
        for (std::size_t i = 0; i < steps.size(); ++i) compare(steps[i], expected[i]);
    }

    void dpmpp_starts_again_from_a_snapshot() {
        const auto scheduler = make(SchedulerKind::dpmpp_2m, 3, 3);
        const auto x = at::linspace(-1, 1, 5, at::kFloat);
        const auto second = scheduler->step(0, x, x);
        const auto state = scheduler->snapshot();
        const auto third = scheduler->step(1, second, second);
        scheduler->restore(state);
        QVERIFY(scheduler->step(1, second, second).equal(third));
    }

    void unipc_steps_equal_the_reference() {
        const auto scheduler = make(SchedulerKind::unipc, 3, 6);
        const auto x = trajectory(*scheduler, 0.3, 0.1);
        compare(x[0], {-0.9875143, -0.4968786, -0.0062429, 0.4843929, 0.9750285});
        compare(x[1], {-0.9718787, -0.4929697, -0.0140606, 0.4648484, 0.9437574});
        compare(x[2], {-0.9517493, -0.4879374, -0.0241253, 0.4396867, 0.9034988});
        compare(x[3], {-0.9245754, -0.4811439, -0.0377123, 0.4057192, 0.8491508});
        compare(x[4], {-0.8862106, -0.4715527, -0.0568947, 0.3577633, 0.7724214});
        compare(x[5], {-0.8237790, -0.4559448, -0.0881105, 0.2797238, 0.6475580});
    }

    void euler_steps_equal_the_reference() {
        const auto scheduler = make(SchedulerKind::flow_match_euler, 7, 3);
        const auto x = trajectory(*scheduler, 0.5, -0.1);
        compare(x[0], {-0.9259085, -0.4567800, 0.0123486, 0.4814771, 0.9506057});
        compare(x[1], {-0.4587924, -0.1842956, 0.0902013, 0.3646981, 0.6391950});
        compare(x[2], {-0.4433913, -0.1753116, 0.0927681, 0.3608478, 0.6289275});
    }

    void cogvideox_schedules_equal_the_reference() {
        const std::vector<std::size_t> at{0, 1, 19, 39, 499, 959, 979, 998, 999};
        const std::vector<double> shifted{0.9974543276,  0.9948006264,   0.9465729792,
                                          0.8923313385,  0.09596956169,  1.190956078e-4,
                                          2.71943604e-5, 6.230788467e-8, 0};
        const std::vector<double> plain{0.99915,       0.9982334461,   0.9810104569,
                                        0.9602639405,  0.2423591666,   3.751533409e-4,
                                        8.57878434e-5, 1.967888057e-7, 0};
        for (const auto& [scale, expected] : {std::pair{3.0, shifted}, std::pair{1.0, plain}}) {
            const auto alphas = alphas_cumprod({.snr_shift_scale = scale, .rescale_betas_zero_snr = true}, 1000);
            for (std::size_t i = 0; i < at.size(); ++i)
                QVERIFY(std::abs(alphas.at(at[i]) - expected[i]) <= 1e-9 * expected[i]);
        }
        QCOMPARE(make_cogvideox(SchedulerKind::cogvideox_ddim, 1, 4)->timesteps(),
                 (std::vector<double>{999, 749, 499, 249}));
        // Values ending in .5 round to even. If the number of steps does not divide 1000, the last step does not end at
        // 0.
        QCOMPARE(make_cogvideox(SchedulerKind::cogvideox_ddim, 1, 16)->timesteps().at(1), 937.0);
        QCOMPARE(make_cogvideox(SchedulerKind::cogvideox_ddim, 1, 7)->timesteps().back(), 142.0);
        QCOMPARE(make_cogvideox(SchedulerKind::cogvideox_ddim, 1, 61)->timesteps().size(), std::size_t{61});
    }

    void cogvideox_ddim_steps_equal_the_reference() {
        const auto shifted = trajectory(*make_cogvideox(SchedulerKind::cogvideox_ddim, 3, 5), 0.5, -0.1);
        compare(shifted[0], {-0.9513077, -0.4718390, 0.0076296, 0.4870982, 0.9665668});
        compare(shifted[2], {-0.7250938, -0.3425454, 0.0400031, 0.4225515, 0.8050998});
        compare(shifted[4], {-0.1104786, -0.0084977, 0.0934832, 0.1954641, 0.2974449});
        const auto plain = trajectory(*make_cogvideox(SchedulerKind::cogvideox_ddim, 1, 5), 0.5, -0.1);
        compare(plain[1], {-0.7583676, -0.3619306, 0.0345064, 0.4309434, 0.8273804});
        compare(plain[4], {-0.1927270, -0.0468678, 0.0989913, 0.2448505, 0.3907097});
    }

    void cogvideox_dpm_steps_without_noise_equal_the_reference() {
        const auto scheduler = make_cogvideox(SchedulerKind::cogvideox_dpm, 1, 5, [] { return at::zeros({1, 1, 5}); });
        const auto x = trajectory(*scheduler, 0.5, -0.1);
        compare(x[0], {0.0802368, 0.0468048, 0.0133728, -0.0200592, -0.0534912});
        compare(x[1], {0.0485795, 0.0413086, 0.0340378, 0.0267669, 0.0194961});
        compare(x[2], {0.0651200, 0.0606687, 0.0562172, 0.0517659, 0.0473145});
        compare(x[3], {0.0840440, 0.0813355, 0.0786269, 0.0759184, 0.0732098});
        compare(x[4], {0.1018708, 0.1002351, 0.0985994, 0.0969638, 0.0953281});
    }

    void cogvideox_dpm_draws_as_often_as_the_reference() {
        for (const auto& [steps, draws] : {std::pair{1, 1}, std::pair{3, 4}, std::pair{5, 8}, std::pair{7, 13}}) {
            int drawn = 0;
            const auto scheduler = make_cogvideox(SchedulerKind::cogvideox_dpm, 1, steps, [&] {
                ++drawn;
                return at::zeros({1, 1, 5});
            });
            trajectory(*scheduler, 0.5, 0.0);
            QCOMPARE(drawn, draws);
        }
    }

    void a_restored_stochastic_step_uses_its_own_past() {
        const auto scheduler = make_cogvideox(SchedulerKind::cogvideox_dpm, 1, 6, [] {
            return at::full({1, 1, 5}, 0.5);
        });
        auto x = at::linspace(-1, 1, 5, at::kFloat).view({1, 1, 5});
        for (int i = 0; i < 3; ++i) x = scheduler->step(i, x * 0.3, x);
        const auto before = scheduler->snapshot();
        const auto once = scheduler->step(3, x * 0.3, x);
        scheduler->step(4, x * 1e6, x);
        scheduler->restore(before);
        QVERIFY(scheduler->step(3, x * 0.3, x).equal(once));
        QVERIFY(scheduler->step(3, x * 0.3, x).equal(once) == false);  // different, because the state was not restored
    }

    void cogvideox_classes_read_each_others_config() {
        const Json stored{{"_class_name", "CogVideoXDDIMScheduler"}, {"prediction_type", "v_prediction"},
                          {"timestep_spacing", "trailing"},          {"snr_shift_scale", 1.0},
                          {"rescale_betas_zero_snr", true},          {"trained_betas", nullptr}};
        const auto config = read_scheduler_config(stored, "s.json", {.name = "CogVideoXDPMScheduler"});
        QVERIFY(config.kind == SchedulerKind::cogvideox_dpm);
        QCOMPARE(config.alphas.snr_shift_scale, 1.0);
        for (const auto& [key, value] :
             {std::pair{"timestep_spacing", Json("leading")}, std::pair{"prediction_type", Json("epsilon")},
              std::pair{"beta_schedule", Json("linear")}}) {
            auto other = stored;
            other[key] = value;
            QVERIFY_EXCEPTION_THROWN(read_scheduler_config(other, "s.json", {}), Error);
        }
    }

    void a_restored_step_gives_the_same_result() {
        const auto scheduler = make(SchedulerKind::unipc, 3, 6);
        auto x = at::linspace(-1, 1, 5, at::kFloat);
        for (int i = 0; i < 3; ++i) x = scheduler->step(i, x * 0.3, x);
        const auto before = scheduler->snapshot();
        const auto once = scheduler->step(3, x * 0.3, x);
        scheduler->restore(before);
        scheduler->step(3, x * 1e6, x);
        scheduler->restore(before);
        QVERIFY(scheduler->step(3, x * 0.3, x).equal(once));
    }

    void a_request_overrides_class_and_shift() {
        const auto same = read_scheduler_config(unipc_json(), "s.json", {});
        QVERIFY(same.kind == SchedulerKind::unipc);
        QCOMPARE(same.flow_shift, 3.0);
        const auto other = read_scheduler_config(unipc_json(), "s.json", {"flow_match_euler", 5.0});
        QVERIFY(other.kind == SchedulerKind::flow_match_euler);
        QCOMPARE(other.flow_shift, 5.0);
        QVERIFY(read_scheduler_config(unipc_json(), "s.json", {"FlowMatchEulerDiscreteScheduler", {}}).kind ==
                SchedulerKind::flow_match_euler);
    }

    void unsupported_configs_are_refused() {
        const auto code = [](const Json& json, const SchedulerOverride& changes) {
            try {
                make_scheduler(read_scheduler_config(json, "s.json", changes), 0);
            } catch (const Error& error) {
                return error.code();
            }
            return ErrorCode::internal;
        };
        auto epsilon = unipc_json();
        epsilon["prediction_type"] = "epsilon";
        auto wild = unipc_json();
        wild["flow_shift"] = -1;
        auto third = unipc_json();
        third["solver_order"] = 3;
        QVERIFY(code(epsilon, {}) == ErrorCode::unsupported);
        QVERIFY(code(wild, {}) == ErrorCode::bad_config);
        QVERIFY(code(third, {}) == ErrorCode::bad_config);
        QVERIFY(code(Json{{"_class_name", "DDIMScheduler"}}, {}) == ErrorCode::unsupported);
        QVERIFY(code(unipc_json(), {"nope", {}}) == ErrorCode::bad_request);
        QVERIFY(code(unipc_json(), {}) == ErrorCode::bad_request);  // 0 steps
    }
};

QTEST_GUILESS_MAIN(TestSchedulers)
#include "test_schedulers.moc"
