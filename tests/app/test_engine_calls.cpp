#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/api/engine.h"
#include "core/api/version.h"
#include "core/protocol/message.h"
#include "core/remote/call_table.h"
#include "core/remote/remote_engine.h"
#include "tests/core/jobs/event_recorder.h"

using namespace kinescope;
using namespace kinescope::testing;
using protocol::Json;
using protocol::to_document;

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = KINESCOPE_BIN_DIR "/kinescope-cli";

/// An engine and the events that it sends.
struct Side {
    EventRecorder recorder;
    std::unique_ptr<Engine> engine;

    JobQueue& jobs() const { return engine->jobs(); }
    ModelCatalog& catalog() const { return engine->catalog(); }
    Diagnostics& diagnostics() const { return engine->diagnostics(); }
    VideoFiles& videos() const { return engine->videos(); }
};

/// Removes values that differ between two calls of one engine: times, speeds, and the memory that is free. Also those
/// that differ between processes: the memory that the program itself takes is a part of a plan and of its totals.
void remove_changing_values(Json& document) {
    constexpr std::array kChanging = {
        "seconds",           "min_seconds",       "median_seconds", "max_seconds",      "ratio", "created", "checked",
        "memory_free_bytes", "free_memory_bytes", "memory_bytes",   "peak_memory_bytes"};
    if (document.is_object())
        for (const char* name : kChanging) document.erase(name);
    if (document.is_array() && !document.empty() && document[0] == "program") document.erase(1);
    if (document.is_structured())
        for (auto& part : document) remove_changing_values(part);
}

/// The ops of a report are sorted by time.
Json names_of(const std::vector<BenchRow>& rows) {
    std::set<std::string> names;
    for (const BenchRow& row : rows) names.insert(row.name);
    return names;
}

Json pixels_of(const std::vector<FramePtr>& frames) {
    Json all = Json::array();
    for (const FramePtr& frame : frames) {
        const QByteArrayView pixels(reinterpret_cast<const char*>(frame->pixels.data()),
                                    static_cast<qsizetype>(frame->pixels.size()));
        all.push_back(
            {frame->width, frame->height,
             QCryptographicHash::hash(pixels.toByteArray(), QCryptographicHash::Sha256).toHex().toStdString()});
    }
    return all;
}

/// The result of a call, or its error.
template <class Call>
Json outcome_of(Call&& call) {
    try {
        Json result = call();
        remove_changing_values(result);
        return {{"result", result}};
    } catch (const Error& error) {
        return {{"error", std::string(to_string(error.code()))},
                {"message", error.message()},
                {"hint", error.hint()},
                {"arguments", error.arguments()}};
    }
}

}  // namespace

/// Makes every call of an engine in this process and of one in another process, and compares the results.
class TestEngineCalls : public QObject {
    Q_OBJECT

    using Run = std::function<Json(Side& side)>;

    QTemporaryDir folder_;
    Side here_;
    Side there_;
    std::map<std::string, Run> runs_;

    fs::path file(const char* name) const { return folder_.filePath(name).toStdString(); }
    fs::path model_file() const { return file("resources/demo_model/vae/diffusion_pytorch_model.safetensors"); }
    /// Outputs have the same names for both engines, and are deleted in between.
    fs::path output(const char* name) const { return file("out") / name; }

    VideoRequest request(const fs::path& video) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.num_frames = 5;
        request.num_inference_steps = 2;
        request.seed = 3;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = video;
        return request;
    }
    ExportRequest exported() const { return {.video = file("made.mp4"), .output = {.file = output("a.gif")}}; }
    FinishRequest finish(const FinishSteps& steps) const {
        return {.video = file("made.mp4"), .steps = steps, .output = {.file = output("b.mp4")}, .device = "cpu"};
    }

    /// Submits this many jobs, which do not start. Returns their ids.
    std::vector<JobId> submit(Side& side, int count) const {
        side.jobs().hold();
        std::vector<JobId> jobs;
        for (int i = 0; i < count; ++i) jobs.push_back(side.jobs().submit(request(output("a.mp4"))));
        return jobs;
    }
    /// Runs `change` with the last of three jobs. Returns the queue.
    Run queue_after(const std::function<void(JobQueue& queue, JobId job)>& change) const {
        return [this, change](Side& side) {
            const JobId job = submit(side, 3).back();
            change(side.jobs(), job);
            return to_document(side.jobs().list());
        };
    }

    void add_job_runs() {
        runs_["jobs.submit"] = [this](Side& side) { return Json(submit(side, 2)); };
        runs_["jobs.list"] = queue_after([](JobQueue&, JobId) {});
        runs_["jobs.find"] = [this](Side& side) {
            const JobId job = submit(side, 1).front();
            return Json{to_document(side.jobs().find(job)), to_document(side.jobs().find(job + 1))};
        };
        runs_["jobs.cancel"] = queue_after([](JobQueue& queue, JobId job) { queue.cancel(job); });
        runs_["jobs.pause"] = queue_after([](JobQueue& queue, JobId job) { queue.pause(job, PausePoint::at_once); });
        runs_["jobs.resume"] = queue_after([](JobQueue& queue, JobId job) {
            queue.pause(job, PausePoint::at_once);
            queue.resume(job);
        });
        runs_["jobs.decode_now"] = queue_after([](JobQueue& queue, JobId job) {
            queue.pause(job, PausePoint::at_once);
            queue.decode_now(job);  // refused: no step is finished
        });
        runs_["jobs.start"] = queue_after([](JobQueue& queue, JobId job) {
            queue.cancel(job);
            queue.start(job, RemainingSteps::computed);  // refused: it is over
        });
        runs_["jobs.hand_over"] = queue_after([](JobQueue& queue, JobId job) { queue.hand_over(job); });
        runs_["jobs.retry"] = queue_after([](JobQueue& queue, JobId job) {
            queue.cancel(job);
            queue.retry(job);
        });
        runs_["jobs.move"] = queue_after([](JobQueue& queue, JobId job) { queue.move(job, 0); });
        runs_["jobs.edit"] = queue_after([this](JobQueue& queue, JobId job) {
            VideoRequest changed = request(output("c.mp4"));
            changed.seed = 4;
            queue.edit(job, changed);
        });
        runs_["jobs.remove"] = queue_after([](JobQueue& queue, JobId job) { queue.remove(job); });
        runs_["jobs.hold"] = queue_after([](JobQueue& queue, JobId) { queue.hold(); });
        runs_["jobs.release"] = [this](Side& side) {
            const JobId job = submit(side, 1).front();
            side.jobs().release();
            side.recorder.wait(job);
            return to_document(side.jobs().find(job));
        };
    }

    void add_catalog_runs() {
        runs_["catalog.models"] = [](Side& side) { return to_document(side.catalog().models()); };
        runs_["catalog.card"] = [](Side& side) { return to_document(side.catalog().card("builtin")); };
        runs_["catalog.card_of_request"] = [this](Side& side) {
            return to_document(side.catalog().card(request(output("a.mp4"))));
        };
        runs_["catalog.describe_checkpoint"] = [this](Side& side) {
            return to_document(side.catalog().describe_checkpoint(file("resources/demo_model")));
        };
        runs_["catalog.check_file"] = [this](Side& side) {
            return to_document(side.catalog().check_file(model_file(), 1));
        };
        runs_["catalog.cancel_check"] = [this](Side& side) {
            side.catalog().cancel_check(2);
            return to_document(side.catalog().check_file(model_file(), 2));
        };
        runs_["catalog.presets"] = [this](Side& side) {
            return to_document(side.catalog().presets(request(output("a.mp4"))));
        };
        runs_["catalog.plan"] = [this](Side& side) {
            return to_document(side.catalog().plan(request(output("a.mp4"))));
        };
        runs_["catalog.count_tokens"] = [](Side& side) {
            return Json(side.catalog().count_tokens("builtin", "a red ball"));
        };
    }

    void add_diagnostics_runs() {
        runs_["diagnostics.devices"] = [](Side& side) { return to_document(side.diagnostics().devices()); };
        runs_["diagnostics.doctor"] = [](Side& side) {
            return to_document(side.diagnostics().doctor(CanaryMode::cached));
        };
        runs_["diagnostics.forget_overrides"] = [](Side& side) { return Json(side.diagnostics().forget_overrides()); };
        runs_["diagnostics.verify"] = [](Side& side) {
            return to_document(side.diagnostics().verify(KINESCOPE_TEST_DATA "/wan_t2v", {}));
        };
        runs_["diagnostics.bench"] = [this](Side& side) {
            return names_of(side.diagnostics().bench(request(output("a.mp4")), 1));
        };
        runs_["diagnostics.compare"] = [this](Side& side) {
            return to_document(side.diagnostics().compare(file("made.jsonl"), file("made.jsonl"), {}));
        };
        runs_["diagnostics.cancel_diagnostic"] = [this](Side& side) {
            side.diagnostics().cancel_diagnostic(2);
            return to_document(side.diagnostics().compare(file("made.jsonl"), file("made.jsonl"), {}, 2));
        };
        runs_["diagnostics.guard_demo"] = [](Side& side) {
            return to_document(side.diagnostics().guard_demo(GuardDemoRun::reference));
        };
    }

    void add_video_runs() {
        runs_["videos.read_settings"] = [this](Side& side) {
            return to_document(side.videos().read_settings(file("made.mp4")));
        };
        runs_["videos.describe_video"] = [this](Side& side) {
            return to_document(side.videos().describe_video(file("made.mp4")));
        };
        runs_["videos.read_frames"] = [this](Side& side) {
            return pixels_of(side.videos().read_frames(file("made.mp4"), {.max_frames = 3}));
        };
        runs_["videos.cancel_read"] = [this](Side& side) {
            side.videos().cancel_read(2);
            return pixels_of(side.videos().read_frames(file("made.mp4"), {}, 2));
        };
        runs_["videos.export_video"] = [this](Side& side) {
            return to_document(side.videos().export_video(exported(), 1));
        };
        runs_["videos.cancel_export"] = [this](Side& side) {
            side.videos().cancel_export(2);
            return to_document(side.videos().export_video(exported(), 2));
        };
        runs_["videos.estimate_export"] = [this](Side& side) {
            return to_document(side.videos().estimate_export(exported()));
        };
        runs_["videos.finish_video"] = [this](Side& side) {
            return to_document(side.videos().finish_video(finish({}), 1));  // refused: no step is chosen
        };
        runs_["videos.cancel_finish"] = [this](Side& side) {
            side.videos().cancel_finish(2);
            return to_document(side.videos().finish_video(finish({}), 2));
        };
        runs_["videos.pause_finish"] = [this](Side& side) {
            side.videos().pause_finish(3);
            return to_document(side.videos().finish_video(finish({}), 3));
        };
    }

    /// The list of packages is missing, so that nothing is downloaded.
    void add_gpu_runs() {
        runs_["gpu_installer.setup"] = [](Side& side) { return to_document(side.engine->gpu_installer().setup()); };
        runs_["gpu_installer.install"] = [](Side& side) {
            side.engine->gpu_installer().install(1);
            return Json();
        };
        runs_["gpu_installer.stop"] = [](Side& side) {
            side.engine->gpu_installer().stop(2);
            return Json();
        };
    }

    Json run(Side& side, const Run& call) const {
        fs::remove_all(file("out"));
        fs::create_directories(file("out"));
        Json outcome = outcome_of([&] { return call(side); });
        for (const Job& job : side.jobs().list()) side.jobs().remove(job.id);
        side.jobs().release();
        return outcome;
    }

private Q_SLOTS:
    void initTestCase() {
        fs::create_directories(file("resources"));
        for (const char* name : {"demo_model", "presets", "known_bad.json"})
            fs::create_symlink(fs::path(KINESCOPE_SOURCE_DIR "/resources") / name, file("resources") / name);
        here_.engine = make_engine(
            {.resources_dir = file("resources"), .program = kProgram, .jobs_dir = file("jobs_here")}, here_.recorder);
        there_.engine = remote::make_remote_engine(
            {.program = kProgram,
             .arguments = {"--resources", file("resources").string(), "serve", "--jobs", file("jobs_there").string()},
             .version = kVersion},
            there_.recorder);
        add_job_runs();
        add_catalog_runs();
        add_diagnostics_runs();
        add_video_runs();
        add_gpu_runs();
        VideoRequest made = request(file("made.mp4"));
        made.output.numeric_log = file("made.jsonl");
        for (Side* side : {&here_, &there_}) {  // the next job has the same id in both
            made.output.overwrite = OverwriteMode::overwrite;
            const JobId job = side->jobs().submit(made);
            QCOMPARE(of_type<RunFinished>(side->recorder.wait(job)).size(), std::size_t{1});
            side->jobs().remove(job);
        }
    }

    void every_call_is_compared() {
        QStringList missing;
        for (const remote::Call& call : remote::calls())
            if (!runs_.contains(call.name)) missing << QString::fromStdString(call.name);
        QCOMPARE(missing, QStringList());
        QCOMPARE(runs_.size(), remote::calls().size());
    }

    void both_engines_answer_the_same_data() {
        QTest::addColumn<QString>("call");
        for (const auto& [name, run] : runs_) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void both_engines_answer_the_same() {
        QFETCH(QString, call);
        const Run& made = runs_.at(call.toStdString());
        const Json expected = run(here_, made);
        const Json found = run(there_, made);
        if (found == expected) return;
        const Json difference = Json::diff(expected, found);
        QFAIL(difference.dump(1, ' ', false, Json::error_handler_t::replace).substr(0, 4000).c_str());
    }
};

QTEST_GUILESS_MAIN(TestEngineCalls)
#include "test_engine_calls.moc"
