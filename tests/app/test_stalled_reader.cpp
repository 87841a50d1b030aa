#include <QScopeGuard>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include "core/finish/finish_video.h"
#include "tests/app/cli_process.h"
#include "tests/core/jobs/long_video_fixture.h"
#include "tests/core/media/media_fixtures.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

enum class Order { cancel, pause_at_once, pause_after_step };

}  // namespace

/// Jobs that wait for a process that reads a file and does not answer, for example because a network drive is gone.
class TestStalledReader : public LongVideoFixture {
    Q_OBJECT

private:
    /// Returns a program like kinescope-cli, but as this reader it does not answer. It then creates the file "stalled".
    std::filesystem::path program_without(const QString& reader) const {
        const std::filesystem::path program = path("program.sh");
        std::ofstream(program) << "#!/bin/sh\nif [ \"$1\" = " << reader.toStdString() << " ]; then\n: > "
                               << path("stalled").string() << "\nexec sleep 600\nfi\nexec "
                               << cli_program().toStdString() << " \"$@\"\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return program;
    }

    /// Returns a program like kinescope-cli that writes its process number.
    std::filesystem::path numbered_program() const {
        const std::filesystem::path program = path("program.sh");
        std::ofstream(program) << "#!/bin/sh\necho $$ > " << path("number").string() << "\nexec "
                               << cli_program().toStdString() << " \"$@\"\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return program;
    }

    /// Returns false if it does not run.
    bool stop_reader() const {
        pid_t reader = 0;
        std::ifstream(path("number")) >> reader;
        return reader > 0 && ::kill(reader, SIGSTOP) == 0;
    }

    VideoRequest continuing() const {
        VideoRequest whole = request("whole.mkv");
        whole.model = path("model").string();
        whole.continue_video = path("clip.mkv");
        return whole;
    }

    void give(Order order, JobId job) {
        if (order == Order::cancel) return engine_->jobs().cancel(job);
        engine_->jobs().pause(job, order == Order::pause_at_once ? PausePoint::at_once : PausePoint::after_step);
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void a_job_whose_reader_does_not_answer_can_be_stopped_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<int>("steps");
        QTest::addColumn<Order>("order");
        struct Reader {
            const char* words;
            const char* argument;
            int steps;
        };
        for (const Reader& reader : {Reader{"the model", "--read-weights", 1},
                                     {"the clip before the run", "--read-media", 1},
                                     {"the clip when frames are joined", "--read-media-patiently", kSteps}})
            for (const auto& [words, order] : {std::pair{"cancel", Order::cancel},
                                               {"pause at once", Order::pause_at_once},
                                               {"pause after the step", Order::pause_after_step}})
                QTest::addRow("%s, %s", reader.words, words) << QString(reader.argument) << reader.steps << order;
    }

    /// A paused job keeps its steps.
    void a_job_whose_reader_does_not_answer_can_be_stopped() {
        QFETCH(QString, reader);
        QFETCH(int, steps);
        QFETCH(Order, order);
        std::filesystem::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", path("model"),
                              std::filesystem::copy_options::recursive);
        recorder_->wait(engine_->jobs().submit(request("clip.mkv")));
        const JobId job = pause_after(continuing(), 1);
        start_engine(path("jobs"), program_without(reader));
        engine_->jobs().resume(job);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("stalled")), 60'000);
        give(order, job);
        const auto events = recorder_->wait(job);
        QVERIFY(!QFile::exists(file("whole.mkv")));
        if (order == Order::cancel) {
            QCOMPARE(of_type<RunCancelled>(events).size(), std::size_t{1});
            return;
        }
        const auto paused = of_type<RunPaused>(events);
        QCOMPARE(paused.size(), std::size_t{1});
        QCOMPARE(paused[0].step, steps);
        QCOMPARE(engine_->jobs().find(job)->step, steps);
        start_engine();
        engine_->jobs().resume(job);
        const auto continued = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(continued).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(continued).size(), static_cast<std::size_t>(kSteps - steps));
    }

    /// The first run of a job resolves its request, which leaves the number of steps to the model here.
    void a_pause_before_a_later_part_keeps_the_steps_of_those_before() {
        start_engine(path("jobs"), program_without("--read-media"));
        VideoRequest whole = long_request("whole");
        whole.num_inference_steps.reset();
        const JobId job = engine_->jobs().submit(whole);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("stalled")), 60'000);
        engine_->jobs().pause(job, PausePoint::at_once);
        const auto paused = of_type<RunPaused>(recorder_->wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        const Job kept = *engine_->jobs().find(job);
        QVERIFY(kept.num_steps > 0);
        QCOMPARE(paused[0].step, kept.num_steps / 3);  // the request has three parts
        QCOMPARE(kept.step, paused[0].step);
    }

    void a_call_whose_reader_does_not_answer_can_be_cancelled_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<std::function<void(Engine&)>>("call");
        QTest::addColumn<std::function<void(Engine&)>>("cancel");
        using Call = std::function<void(Engine&)>;
        const auto row = [](const char* name, const char* reader, Call call, Call cancel) {
            QTest::newRow(name) << QString(reader) << std::move(call) << std::move(cancel);
        };
        const auto clip = [this] { return path("clip.mkv"); };
        const auto finish = [=, this](Engine& engine) {
            engine.videos().finish_video({.video = clip(),
                                          .steps = {.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors"},
                                          .output = {.file = path("copy.mkv")},
                                          .device = "cpu"},
                                         1);
        };
        row(
            "export", "--read-media-patiently",
            [=, this](Engine& engine) {
                engine.videos().export_video({.video = clip(), .output = {.file = path("copy.mp4")}}, 1);
            },
            [](Engine& engine) { engine.videos().cancel_export(1); });
        row("finish", "--read-media-patiently", finish, [](Engine& engine) { engine.videos().cancel_finish(1); });
        row("finish, paused", "--read-media-patiently", finish,
            [](Engine& engine) { engine.videos().pause_finish(1); });
        row(
            "compare", "--read-media", [=](Engine& engine) { engine.diagnostics().compare(clip(), clip(), {}, 1); },
            [](Engine& engine) { engine.diagnostics().cancel_diagnostic(1); });
        row(
            "preview", "--read-media", [=](Engine& engine) { engine.videos().read_frames(clip(), {}, 1); },
            [](Engine& engine) { engine.videos().cancel_read(1); });
    }

    void a_call_whose_reader_does_not_answer_can_be_cancelled() {
        using Call = std::function<void(Engine&)>;
        QFETCH(QString, reader);
        QFETCH(Call, call);
        QFETCH(Call, cancel);
        recorder_->wait(engine_->jobs().submit(request("clip.mkv")));
        start_engine(path("jobs"), program_without(reader));
        auto error = std::async(std::launch::async, [&] { return thrown_by([&] { call(*engine_); }); });
        const auto stop = qScopeGuard([&] { cancel(*engine_); });  // the future waits for the end of the call
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("stalled")), 60'000);
        cancel(*engine_);
        QCOMPARE(error.get().code(), ErrorCode::cancelled);
    }

    /// The drive of the source no longer answers after some frames are saved.
    void a_finished_copy_that_is_paused_while_its_reader_does_not_answer_continues() {
        constexpr int kSaved = test::kFps;
        const FinishRequest request{.video = test::write_video(test::options_for(path("clip.mp4")), 3 * kSaved),
                                    .steps = {.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors"},
                                    .output = {.file = path("copy.mkv")}};
        bool is_stalled = false;
        FinishCommand command = FinishCommand::go_on;
        const auto stall = [&](int done, int, FinishStage) {
            if (done == 2 * kSaved && !is_stalled) is_stalled = stop_reader();
            return command;
        };
        const auto pause = [&] {
            if (is_stalled) command = FinishCommand::pause;
            return is_stalled;
        };
        FinishServices services{
            .reader = std::make_shared<GuardedReader>(numbered_program(), ReaderPatience::long_pauses, pause),
            .step = stall,
            .saved_dir = path("saved")};
        const Error error = thrown_by([&] { finish_video(request, services); });
        QVERIFY(is_stalled);
        QCOMPARE(error.code(), ErrorCode::cancelled);
        QVERIFY2(error.hint().find("continues after the last saved part") != std::string::npos, error.hint().c_str());

        services.reader = std::make_shared<GuardedReader>("");
        command = FinishCommand::go_on;
        const FinishResult result = finish_video(request, services);
        QVERIFY2(result.notes.front().starts_with("Continued after frame "), result.notes.front().c_str());
        QCOMPARE(result.num_frames, 3 * kSaved);
    }
};

QTEST_GUILESS_MAIN(TestStalledReader)
#include "test_stalled_reader.moc"
