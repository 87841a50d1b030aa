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
    std::vector<double> first;  ///< timesteps
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
    {"euler 4, 7", SchedulerKind::flow_match_euler, 7, 4, {1000, 933.98096, 781.35260, 46.75572}, {}},
    {"euler 4, 3", SchedulerKind::flow_match_euler, 3, 4, {1000, 857.69232, 602.15057, 8.928572}, {}},
    {"euler 4, 5", SchedulerKind::flow_match_euler, 5, 4, {1000, 909.70715, 717.31744, 24.414066}, {}},
    {"euler 3, 7", SchedulerKind::flow_match_euler, 7, 3, {1000, 876.51422, 46.755722}, {}},
};

std::unique_ptr<Scheduler> make(SchedulerKind kind, double shift, int steps) {
    return make_scheduler({.kind = kind, .flow_shift = shift}, steps);
}

/// Runs all steps from linspace(-1, 1, 5) with the velocity slope * x + offset.
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
    void timesteps_are_the_reference_ones() {
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

    void unipc_sigmas_are_the_reference_ones() {
        const auto s = make(SchedulerKind::unipc, 3, 50);
        const std::vector<float> expected{0.99999899f, 0.99325007f, 0.98631543f, 0.97918838f};
        for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(s->sigmas()[i], expected[i]);
        QCOMPARE(s->sigmas()[49], 0.06040539f);
        QCOMPARE(s->sigmas()[50], 0.0f);
    }

    void unipc_walks_the_reference_trajectory() {
        const auto scheduler = make(SchedulerKind::unipc, 3, 6);
        const auto x = trajectory(*scheduler, 0.3, 0.1);
        compare(x[0], {-0.9875143, -0.4968786, -0.0062429, 0.4843929, 0.9750285});
        compare(x[1], {-0.9718787, -0.4929697, -0.0140606, 0.4648484, 0.9437574});
        compare(x[2], {-0.9517493, -0.4879374, -0.0241253, 0.4396867, 0.9034988});
        compare(x[3], {-0.9245754, -0.4811439, -0.0377123, 0.4057192, 0.8491508});
        compare(x[4], {-0.8862106, -0.4715527, -0.0568947, 0.3577633, 0.7724214});
        compare(x[5], {-0.8237790, -0.4559448, -0.0881105, 0.2797238, 0.6475580});
    }

    void euler_walks_the_reference_trajectory() {
        const auto scheduler = make(SchedulerKind::flow_match_euler, 7, 3);
        const auto x = trajectory(*scheduler, 0.5, -0.1);
        compare(x[0], {-0.9259085, -0.4567800, 0.0123486, 0.4814771, 0.9506057});
        compare(x[1], {-0.4587924, -0.1842956, 0.0902013, 0.3646981, 0.6391950});
        compare(x[2], {-0.4433913, -0.1753116, 0.0927681, 0.3608478, 0.6289275});
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

    void the_request_changes_class_and_shift() {
        const auto same = read_scheduler_config(unipc_json(), "s.json", {});
        QVERIFY(same.kind == SchedulerKind::unipc);
        QCOMPARE(same.flow_shift, 3.0);
        const auto other = read_scheduler_config(unipc_json(), "s.json", {"flow_match_euler", 5.0});
        QVERIFY(other.kind == SchedulerKind::flow_match_euler);
        QCOMPARE(other.flow_shift, 5.0);
        QVERIFY(read_scheduler_config(unipc_json(), "s.json", {"FlowMatchEulerDiscreteScheduler", {}}).kind ==
                SchedulerKind::flow_match_euler);
    }

    void what_cannot_be_done_is_refused() {
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
