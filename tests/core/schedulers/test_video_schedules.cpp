#include <ATen/ATen.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/schedulers/held_frames.h"
#include "core/schedulers/partial_schedule.h"
#include "core/schedulers/scheduler_config.h"

using namespace kinescope;

namespace {

std::unique_ptr<Scheduler> flow_scheduler(SchedulerKind kind, int steps) {
    return make_scheduler({.kind = kind, .flow_shift = 3.0}, steps);
}

}  // namespace

/// Schedules of runs that start from a video or continue one.
class TestVideoSchedules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_last_steps_run() {
        const auto whole = flow_scheduler(SchedulerKind::unipc, 6);
        const PartialSchedule part(flow_scheduler(SchedulerKind::unipc, 6), 3);
        QCOMPARE(part.timesteps(), (std::vector<double>(whole->timesteps().begin() + 3, whole->timesteps().end())));
        QCOMPARE(part.sigmas().size(), std::size_t{4});
        QCOMPARE(part.sigmas().front(), whole->sigmas()[3]);
        QVERIFY(at::equal(part.record().at("sigmas"), at::tensor(whole->sigmas(), at::kFloat)));
    }

    void a_schedule_without_steps_is_refused() {
        for (const int steps : {0, 7})
            QVERIFY_THROWS_EXCEPTION(Error, PartialSchedule(flow_scheduler(SchedulerKind::unipc, 6), steps));
    }

    void held_frames_end_at_their_values_data() {
        QTest::addColumn<SchedulerKind>("kind");
        QTest::newRow("unipc") << SchedulerKind::unipc;
        QTest::newRow("flow_match_euler") << SchedulerKind::flow_match_euler;
        QTest::newRow("dpmpp_2m") << SchedulerKind::dpmpp_2m;
    }
    void held_frames_end_at_their_values() {
        QFETCH(SchedulerKind, kind);
        at::manual_seed(3);
        const Tensor noise = at::randn({1, 4, 3, 2, 2});
        const Tensor known = at::randn({1, 4, 2, 2, 2});
        HeldFrames held(flow_scheduler(kind, 8), known, noise);
        const double first = held.sigmas().front();
        Tensor latents = noise.clone();
        latents.slice(2, 0, 2).mul_(first).add_(known * (1 - first));
        for (int step = 0; step < 8; ++step) {
            const double sigma = held.sigmas()[static_cast<std::size_t>(step)];
            const Tensor expected = known * (1 - sigma) + noise.slice(2, 0, 2) * sigma;
            QVERIFY((latents.slice(2, 0, 2) - expected).abs().max().item<float>() < 1e-4f);
            const Tensor prediction = at::randn_like(noise);
            QVERIFY(
                at::allclose(held.pred_original_sample(step, prediction, latents).slice(2, 0, 2), known, 1e-3, 1e-4));
            latents = held.step(step, prediction, latents);
        }
        QVERIFY(at::allclose(latents.slice(2, 0, 2), known, 1e-4, 1e-4));
        QVERIFY(!at::allclose(latents.slice(2, 2), noise.slice(2, 2), 1e-2, 1e-2));
    }
};

QTEST_GUILESS_MAIN(TestVideoSchedules)
#include "test_video_schedules.moc"
