#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/core/jobs/tiny_wan_request.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::testing;

/// Runs of a tiny Wan model with each guidance method, and with variations of a seed.
class TestGuidanceRun : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;

    VideoRequest request(const QString& name) const {
        VideoRequest made = tiny_wan_request();
        made.negative_prompt = "blurry";
        made.num_inference_steps = 4;
        made.output.file = folder_.filePath(name + ".mp4").toStdString();
        made.output.latents = folder_.filePath(name + ".safetensors").toStdString();
        return made;
    }

    std::vector<RunEvent> run(const VideoRequest& wanted) { return recorder_->wait(engine_->jobs().submit(wanted)); }

    QByteArray latents(const VideoRequest& wanted) {
        const auto events = run(wanted);
        if (of_type<RunFinished>(events).empty())
            return of_type<RunFailed>(events).empty() ? "" : of_type<RunFailed>(events)[0].error.message().c_str();
        return bytes_of(QString::fromStdString(wanted.output.latents.string()));
    }

private Q_SLOTS:
    void init() {
        engine_.reset();
        recorder_ = std::make_unique<EventRecorder>();
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, *recorder_);
    }

    void each_method_changes_the_video_and_is_recorded_data() {
        QTest::addColumn<GuidanceMethod>("method");
        for (const auto method :
             {GuidanceMethod::cfg_zero_star, GuidanceMethod::apg, GuidanceMethod::skip_layer, GuidanceMethod::nag})
            QTest::newRow(to_string(method).c_str()) << method;
    }
    void each_method_changes_the_video_and_is_recorded() {
        QFETCH(const GuidanceMethod, method);
        const QString name = QString::fromStdString(to_string(method));
        VideoRequest plain = request(name + "-plain");
        if (method == GuidanceMethod::nag) plain.guidance_scale = 1;
        VideoRequest guided = request(name);
        guided.guidance_method = method;
        guided.skip_layer_guidance_stop =
            method == GuidanceMethod::skip_layer ? std::optional(1.0) : std::optional<double>();
        const QByteArray without = latents(plain);
        const QByteArray with = latents(guided);
        QVERIFY2(with.size() > 1000, with);
        QVERIFY(with != without);
        QCOMPARE(engine_->videos().read_settings(guided.output.file).guidance_method, std::optional(method));
    }

    void a_zero_step_is_no_finding() {
        VideoRequest zero = request("zero");
        zero.guidance_method = GuidanceMethod::cfg_zero_star;
        zero.zero_init_steps = 1;
        const auto events = run(zero);
        for (const GuardActed& acted : of_type<GuardActed>(events)) QFAIL(acted.found.text.c_str());
        QCOMPARE(of_type<StepCompleted>(events).front().noise_pred.max_abs, 0.0);
    }

    void a_method_that_keeps_state_resumes_bit_for_bit() {
        VideoRequest whole = request("whole");
        whole.guidance_method = GuidanceMethod::apg;
        VideoRequest broken = whole;
        broken.output.file = folder_.filePath("broken.mp4").toStdString();
        broken.output.latents = folder_.filePath("broken.safetensors").toStdString();
        const QByteArray expected = latents(whole);
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(broken);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).size(), std::size_t{1});
        recorder_->on_step = {};
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
        QFile file(folder_.filePath("broken.safetensors"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll() == expected);
    }

    void a_variation_lies_between_two_seeds() {
        VideoRequest of_seed = request("seed-7");
        of_seed.seed = 7;
        VideoRequest varied = request("strength-0");
        varied.variation_of = 7;
        varied.variation_strength = 0;
        const QByteArray base = latents(of_seed);
        QVERIFY(latents(varied) == base);
        varied = request("strength-1");
        varied.variation_of = 7;
        varied.variation_strength = 1;
        QVERIFY(latents(varied) == latents(request("seed-42")));
        varied = request("strength-half");
        varied.variation_of = 7;
        const QByteArray between = latents(varied);
        QVERIFY(between.size() > 1000 && between != base);
    }
};

QTEST_GUILESS_MAIN(TestGuidanceRun)
#include "test_guidance_run.moc"
