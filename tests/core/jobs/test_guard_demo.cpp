#include <QTest>
#include <cmath>

#include "core/api/engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr double kFloat16Max = 65504;

/// Returns 0 if there are no frames, or if their numbers differ.
double psnr_db(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b) {
    if (a.empty() || a.size() != b.size()) return 0;
    double squares = 0, count = 0;
    for (std::size_t frame = 0; frame < a.size(); ++frame) {
        for (std::size_t i = 0; i < a[frame]->pixels.size(); ++i) {
            const double difference = (a[frame]->pixels[i] - b[frame]->pixels[i]) / 255.0;
            squares += difference * difference;
            ++count;
        }
    }
    return squares > 0 ? -10 * std::log10(squares / count) : 100;
}

/// Generates the video of the unchanged built-in model in float32.
std::vector<FramePtr> original_frames(Engine& engine, EventRecorder& recorder, const GuardDemoResult& demo) {
    VideoRequest request;
    request.prompt = demo.prompt;
    request.seed = 7;
    request.device = "cpu";
    request.dtype = DtypeChoice::fp32;
    std::vector<FramePtr> frames;
    for (const PreviewReady& preview : of_type<PreviewReady>(recorder.wait(engine.jobs().submit(request))))
        if (preview.kind == PreviewKind::decoded)
            frames.insert(frames.end(), preview.frames.begin(), preview.frames.end());
    return frames;
}

}  // namespace

/// Tests the guard demonstration with the real built-in model.
class TestGuardDemo : public QObject {
    Q_OBJECT

private:
    EventRecorder recorder_;
    std::unique_ptr<Engine> engine_;
    GuardDemoResult reference_, unguarded_, guarded_;

private Q_SLOTS:
    void initTestCase() {
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, recorder_);
        reference_ = engine_->diagnostics().guard_demo(GuardDemoRun::reference);
        unguarded_ = engine_->diagnostics().guard_demo(GuardDemoRun::unguarded);
        guarded_ = engine_->diagnostics().guard_demo(GuardDemoRun::guarded);
    }

    void float32_is_not_affected() {
        QVERIFY(!reference_.error);
        QVERIFY(reference_.actions.empty());
        QVERIFY(reference_.exponent > 4);
        const double db = psnr_db(reference_.frames, original_frames(*engine_, recorder_, reference_));
        QVERIFY2(db > 55, qPrintable(QString::number(db)));
    }

    void its_largest_number_is_beyond_float16_in_every_step() {
        QCOMPARE(static_cast<int>(reference_.samples.size()), reference_.num_steps);
        for (const NumericSample& sample : reference_.samples) {
            QVERIFY(sample.is_finite());
            QVERIFY2(sample.stats.max_abs > 1.2 * kFloat16Max, qPrintable(QString::number(sample.stats.max_abs)));
        }
    }

    void without_the_guard_there_is_no_video() {
        QVERIFY(unguarded_.error && unguarded_.error->code() == ErrorCode::not_finite);
        QVERIFY(unguarded_.frames.empty());
        const GuardActed& first = unguarded_.actions.front();
        QCOMPARE(first.step, 0);
        QCOMPARE(first.site, unguarded_.site);
        QCOMPARE(first.action, GuardAction::observe);
        QCOMPARE(first.found.code, std::string("not_finite"));
    }

    void the_guard_raises_that_op_and_keeps_the_picture() {
        QVERIFY(!guarded_.error);
        QCOMPARE(guarded_.actions.size(), std::size_t{1});
        QCOMPARE(guarded_.actions.front().site, guarded_.site);
        QCOMPARE(guarded_.actions.front().action, GuardAction::raise);
        const double db = psnr_db(guarded_.frames, reference_.frames);
        QVERIFY2(db > 40, qPrintable(QString::number(db)));
        QCOMPARE(guarded_.frames.size(), reference_.frames.size());
    }

    void a_running_job_is_not_disturbed() {
        bool refused = false;
        recorder_.on_step = [&](JobId, const StepCompleted& step) {
            if (step.step != 0) return;
            try {
                engine_->diagnostics().guard_demo(GuardDemoRun::reference);
            } catch (const Error& error) {
                refused = error.code() == ErrorCode::unsupported;
            }
        };
        VideoRequest request;
        request.prompt = reference_.prompt;
        request.num_inference_steps = 2;
        recorder_.wait(engine_->jobs().submit(request));
        recorder_.on_step = {};
        QVERIFY(refused);
    }

    void it_can_be_cancelled() {
        engine_->diagnostics().cancel_diagnostic(1);
        const Error error = thrown_by([&] { engine_->diagnostics().guard_demo(GuardDemoRun::reference, 1); });
        QCOMPARE(error.code(), ErrorCode::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestGuardDemo)
#include "test_guard_demo.moc"
