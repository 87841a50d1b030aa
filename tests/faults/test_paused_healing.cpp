#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "core/api/video_request_json.h"
#include "core/base/json.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/faults/faulty_model.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::faults;
using namespace kinescope::testing;

/// Tests that an override survives a pause, with a model that overflows float16 in block 1. The guard heals its first
/// step.
class TestPausedHealing : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const std::filesystem::path case_dir_ = KINESCOPE_TEST_DATA "/wan_t2v";
    std::filesystem::path model_;

    std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }

    VideoRequest request(const char* frames) const {
        VideoRequest request = parse_request(read_json(case_dir_ / "request.json").dump(), case_dir_);
        request.model = model_.string();
        request.num_inference_steps = 4;
        request.device = "cpu";
        request.dtype = DtypeChoice::fp16;
        request.threads = 1;
        request.output = {};
        request.output.frames = path(frames);
        return request;
    }

    std::unique_ptr<Engine> engine(EventRecorder& recorder, const char* jobs) const {
        return make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path(jobs)}, recorder);
    }

private Q_SLOTS:
    void initTestCase() {
        Weights weights = read_weights(case_dir_ / "model", "transformer");
        scale_rows(weights, "blocks.1.attn1.to_v", {3, 21}, 65536);
        scale_columns(weights, "blocks.1.attn1.to_out.0", {3, 21}, 1.0 / 65536);
        for (auto& [name, value] : weights) value = value.to(at::kHalf);
        model_ = write_model(case_dir_ / "model", path("model"), "transformer", weights);
    }

    void a_healed_run_that_is_paused_after_each_step_gives_the_same_bits() {
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache-1").toUtf8());
        EventRecorder whole;
        const auto unbroken = engine(whole, "jobs-1");
        const auto result = of_type<RunFinished>(whole.wait(unbroken->jobs().submit(request("whole")))).at(0).result;
        QCOMPARE(result.status, RunStatus::healed);

        qputenv("XDG_CACHE_HOME", folder_.filePath("cache-2").toUtf8());
        JobId job = 0;
        std::vector<RunEvent> events;
        for (int part = 0; part <= 4; ++part) {
            EventRecorder recorder;
            const auto one = engine(recorder, "jobs-2");
            recorder.on_step = [&](JobId id, const StepCompleted&) { one->jobs().pause(id, PausePoint::after_step); };
            if (part == 0)
                job = one->jobs().submit(request("paused"));
            else
                one->jobs().resume(job);
            events = recorder.wait(job);
        }
        const auto finished = of_type<RunFinished>(events);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.status, RunStatus::healed);
        QCOMPARE(finished[0].result.guard_actions, result.guard_actions);
        QVERIFY(!contents_of(path("whole")).empty());
        QCOMPARE(contents_of(path("paused")), contents_of(path("whole")));
    }
};

QTEST_GUILESS_MAIN(TestPausedHealing)
#include "test_paused_healing.moc"
