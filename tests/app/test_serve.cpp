#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <iterator>

#include "core/api/engine.h"
#include "core/api/version.h"
#include "core/base/piped_child.h"
#include "core/media/frame_sink.h"
#include "core/media/guarded_reader.h"
#include "core/protocol/message.h"
#include "core/remote/call_table.h"
#include "core/remote/message_channel.h"
#include "core/remote/remote_engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/children.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = KINESCOPE_BIN_DIR "/kinescope-cli";
constexpr const char* kResources = KINESCOPE_SOURCE_DIR "/resources";

enum class Place { here, other_process };

/// An engine with a queue of its own.
class EngineUnderTest {
public:
    explicit EngineUnderTest(Place place, double longest_silence_seconds = 20) {
        const std::string jobs = folder_.filePath("jobs").toStdString();
        if (place == Place::here)
            engine_ = make_engine({.resources_dir = kResources, .program = kProgram, .jobs_dir = jobs}, recorder);
        else
            engine_ = remote::make_remote_engine({.program = kProgram,
                                                  .arguments = {"--resources", kResources, "serve", "--jobs", jobs},
                                                  .version = kVersion,
                                                  .longest_silence_seconds = longest_silence_seconds},
                                                 recorder);
    }

    Engine* operator->() { return engine_.get(); }
    fs::path file(const char* name) const { return folder_.filePath(name).toStdString(); }
    VideoRequest request(const char* name, int steps = 4) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.num_frames = 9;
        request.num_inference_steps = steps;
        request.seed = 3;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = file(name);
        request.output.numeric_log = file(name).replace_extension(".jsonl");
        return request;
    }
    void close() { engine_.reset(); }

    EventRecorder recorder;

private:
    QTemporaryDir folder_;
    std::unique_ptr<Engine> engine_;
};

/// Names of the events without previews, progress and log lines, whose number depends on time.
QStringList names_of(const std::vector<RunEvent>& events) {
    QStringList names;
    for (const RunEvent& event : events) {
        if (std::holds_alternative<PreviewReady>(event) || std::holds_alternative<PhaseProgress>(event) ||
            std::holds_alternative<LogLine>(event))
            continue;
        names << QString::number(event.index());
    }
    return names;
}

std::vector<std::uint8_t> pixels_of(EngineUnderTest& engine, const fs::path& video) {
    std::vector<std::uint8_t> pixels;
    for (const FramePtr& frame : engine->videos().read_frames(video, {}))
        pixels.insert(pixels.end(), frame->pixels.begin(), frame->pixels.end());
    return pixels;
}

/// Notes how the newest child of this process was started while an export runs.
class ReaderWatch final : public RunObserver {
public:
    void on_event(JobId, const RunEvent& event) override {
        if (!std::holds_alternative<ExportProgress>(event)) return;
        std::ifstream file("/proc/" + std::to_string(newest_child()) + "/cmdline");
        commands.append(std::istreambuf_iterator<char>(file), {});
    }

    std::string commands;
};

/// Speaks to `kinescope-cli serve` without the client's class.
class RawClient {
public:
    RawClient() : child_(kProgram, {"--resources", kResources, "serve", "--jobs", folder_.path().toStdString()}) {
        ignore_closed_readers();
        hello = std::get<protocol::Hello>(reader.next(60).value());
    }
    void send(const protocol::Message& message) { writer.send(message); }
    void send_bytes(const std::vector<std::uint8_t>& bytes) { child_.input().write(bytes); }
    /// The next message that is neither a heartbeat nor an event.
    std::optional<protocol::Answer> answer() {
        while (auto message = reader.next(60))
            if (auto* answer = std::get_if<protocol::Answer>(&*message)) return *answer;
        return std::nullopt;
    }
    void stop_reading() { child_.output().close(); }
    std::optional<ChildStatus> wait_for_end() { return child_.wait(60); }
    fs::path jobs_dir() const { return folder_.path().toStdString(); }
    int exit_code() {
        writer.close();
        while (reader.next(60)) continue;
        return child_.wait(60).value().exit_code;
    }

    protocol::Hello hello;

private:
    QTemporaryDir folder_;
    PipedChild child_;

public:
    remote::MessageReader reader{child_.output()};
    remote::MessageWriter writer{child_.input()};
};

}  // namespace

/// The same scenario with an engine in this process and with one in another process.
class TestServe : public QObject {
    Q_OBJECT

private:
    static void add_places() {
        QTest::addColumn<int>("place");
        QTest::newRow("this process") << static_cast<int>(Place::here);
        QTest::newRow("another process") << static_cast<int>(Place::other_process);
    }
    static Place place() { return static_cast<Place>(*static_cast<int*>(QTest::qData("place", qMetaTypeId<int>()))); }

private Q_SLOTS:
    void a_job_becomes_a_video_data() { add_places(); }
    void a_job_becomes_a_video() {
        EngineUnderTest engine(place());
        const VideoRequest request = engine.request("a.mp4");
        const JobId job = engine->jobs().submit(request);
        const auto events = engine.recorder.wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(events)[0].result.num_frames, 9);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{4});
        QVERIFY(!of_type<NumericsReady>(events).empty());
        QVERIFY(!of_type<PreviewReady>(events).empty());
        int decoded = 0;
        for (const PreviewReady& preview : of_type<PreviewReady>(events))
            if (preview.kind == PreviewKind::decoded) decoded += static_cast<int>(preview.frames.size());
        QCOMPARE(decoded, 9);
        QVERIFY(fs::exists(request.output.file));
        QCOMPARE(engine->jobs().find(job)->state, JobState::finished);
        QVERIFY(!engine->jobs().find(job + 1));
        QCOMPARE(engine->videos().read_settings(request.output.file).seed, request.seed);
        QCOMPARE(engine->videos().read_frames(request.output.file, {.max_frames = 3}).size(), std::size_t{3});
    }

    void both_engines_send_the_same() {
        EngineUnderTest here(Place::here);
        EngineUnderTest there(Place::other_process);
        const auto events_here = here.recorder.wait(here->jobs().submit(here.request("a.mp4")));
        const auto events_there = there.recorder.wait(there->jobs().submit(there.request("a.mp4")));
        QCOMPARE(names_of(events_there), names_of(events_here));
        const auto steps_here = of_type<StepCompleted>(events_here);
        const auto steps_there = of_type<StepCompleted>(events_there);
        for (std::size_t i = 0; i < steps_here.size(); ++i) {
            QCOMPARE(steps_there[i].latents.mean, steps_here[i].latents.mean);
            QVERIFY(steps_there[i].latents_histogram == steps_here[i].latents_histogram);
        }
        QVERIFY(pixels_of(here, here.file("a.mp4")) == pixels_of(there, there.file("a.mp4")));
        const ModelCard card = here->catalog().card("builtin");
        QVERIFY(protocol::to_document(card) == protocol::to_document(there->catalog().card("builtin")));
        const CompareReport report = there->diagnostics().compare(here.file("a.jsonl"), there.file("a.jsonl"), {});
        QVERIFY(report.passed && !report.first_difference);
    }

    void a_paused_job_goes_on_data() { add_places(); }
    void a_paused_job_goes_on() {
        EngineUnderTest engine(place());
        engine.recorder.on_step = [&](JobId id, const StepCompleted& step) {
            if (step.step == 1) engine->jobs().pause(id, PausePoint::at_once);
        };
        const JobId job = engine->jobs().submit(engine.request("a.mp4", 12));
        const auto paused = of_type<RunPaused>(engine.recorder.wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        QCOMPARE(engine->jobs().find(job)->state, JobState::paused);
        engine.recorder.on_step = {};
        engine->jobs().resume(job);
        const auto events = engine.recorder.wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
    }

    void the_queue_can_be_changed_data() { add_places(); }
    void the_queue_can_be_changed() {
        EngineUnderTest engine(place());
        engine->jobs().hold();
        const JobId first = engine->jobs().submit(engine.request("a.mp4"));
        const JobId second = engine->jobs().submit(engine.request("b.mp4"));
        const JobId third = engine->jobs().submit(engine.request("c.mp4"));
        engine->jobs().move(third, 0);
        VideoRequest changed = engine.request("d.mp4", 2);
        engine->jobs().edit(second, changed);
        engine->jobs().remove(first);
        const auto jobs = engine->jobs().list();
        QCOMPARE(jobs.size(), std::size_t{2});
        QCOMPARE(jobs[0].id, third);
        QVERIFY(jobs[1].request == changed);
        engine->jobs().cancel(third);
        QCOMPARE(of_type<RunCancelled>(engine.recorder.wait(third)).size(), std::size_t{1});
        engine->jobs().release();
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(second)).size(), std::size_t{1});
        QVERIFY(fs::exists(engine.file("d.mp4")));
        const auto refused = error_of([&] { engine->jobs().edit(second, changed); });
        QCOMPARE(refused.value().code(), ErrorCode::bad_request);
        QCOMPARE(refused->arguments().at("job"), std::to_string(second));
    }

    void questions_are_answered_data() { add_places(); }
    void questions_are_answered() {
        EngineUnderTest engine(place());
        QCOMPARE(engine->catalog().models().front().id, std::string("builtin"));
        const Plan plan = engine->catalog().plan(engine.request("a.mp4"));
        QCOMPARE(plan.request.num_frames, 9);
        QVERIFY(plan.peak_memory_bytes > 0);
        QVERIFY(!plan.phases.empty());
        QVERIFY(!engine->catalog().presets(engine.request("a.mp4")).empty());
        QVERIFY(engine->catalog().count_tokens("builtin", "a red ball") > 1);
        QCOMPARE(engine->catalog().card(engine.request("a.mp4")).family, engine->catalog().card("builtin").family);
        QVERIFY(!engine->catalog().describe_checkpoint(fs::path(kResources) / "demo_model").components.empty());
        const FileCheck check = engine->catalog().check_file(
            fs::path(kResources) / "demo_model/vae/diffusion_pytorch_model.safetensors", 1);
        QVERIFY(check.num_tensors > 0);
        QVERIFY(!engine->diagnostics().devices().empty());
        QCOMPARE(engine->diagnostics().doctor(CanaryMode::cached).version, std::string(kVersion));
        QCOMPARE(engine->diagnostics().guard_demo(GuardDemoRun::reference).frames.empty(), false);
        engine->gpu_installer().setup();
        ExportRequest exported;
        engine.recorder.wait(engine->jobs().submit(engine.request("a.mp4")));
        exported.video = engine.file("a.mp4");
        exported.output.file = engine.file("a.gif");
        QVERIFY(engine->videos().estimate_export(exported).bytes > 0);
        QCOMPARE(engine->videos().export_video(exported, 1).file, exported.output.file);
        QVERIFY(fs::exists(exported.output.file));
    }

    void errors_arrive_with_their_values_data() { add_places(); }
    void errors_arrive_with_their_values() {
        EngineUnderTest engine(place());
        VideoRequest request = engine.request("a.mp4");
        request.width = 7;
        const auto bad = error_of([&] { engine->catalog().plan(request); });
        QCOMPARE(bad.value().code(), ErrorCode::bad_request);
        QVERIFY(bad->arguments().contains("width"));
        QCOMPARE(error_of([&] { engine->catalog().card("/no/such/model"); }).value().code(), ErrorCode::file_not_found);
        engine->catalog().cancel_check(5);
        const auto cancelled = error_of([&] {
            engine->catalog().check_file(
                fs::path(kResources) / "demo_model/transformer/diffusion_pytorch_model.safetensors", 5);
        });
        QCOMPARE(cancelled.value().code(), ErrorCode::cancelled);
        const JobId job = engine->jobs().submit(request);
        QCOMPARE(of_type<RunFailed>(engine.recorder.wait(job)).at(0).error.code(), ErrorCode::bad_request);
    }

    /// A program that ends leaves a paused job, as closing the window does.
    void closing_saves_the_running_job_data() { add_places(); }
    void closing_saves_the_running_job() {
        EngineUnderTest engine(place());
        std::atomic<int> steps = 0;
        engine.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const JobId job = engine->jobs().submit(engine.request("a.mp4", 200));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        engine.close();
        QCOMPARE(of_type<RunPaused>(engine.recorder.wait(job)).size(), std::size_t{1});
    }

    void another_version_is_refused() {
        for (const protocol::Hello& other :
             {protocol::Hello{.version = "9"}, protocol::Hello{.protocol = 2}, protocol::Hello{.program = "other"},
              protocol::Hello{.schema = "0123456789abcdef"}}) {
            RawClient client;
            protocol::Hello hello = client.hello;
            hello.program = other.program;
            if (!other.version.empty()) hello.version = other.version;
            hello.protocol = other.protocol;
            if (!other.schema.empty()) hello.schema = other.schema;
            client.send(hello);
            const auto refusal = client.answer();
            QCOMPARE(refusal.value().id, protocol::RequestId{0});
            QCOMPARE(refusal->error.value().code(), ErrorCode::unsupported);
            QCOMPARE(client.exit_code(), 2);
        }
    }

    void hostile_bytes_end_the_connection_data() {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QString>("words");
        QTest::newRow("huge length") << QByteArray("ffffffff") << "4294967295 bytes";
        QTest::newRow("no document") << QByteArray("0000000119") << "truncated";
        QTest::newRow("deep nesting") << QByteArray("00000064") + QByteArray(200, '8').replace("88", "81")
                                      << "nested deeper";
        QTest::newRow("unknown message") << QByteArray("00000007a1646b696c6c00") << "\"kill\" is unknown";
    }

    void hostile_bytes_end_the_connection() {
        QFETCH(QByteArray, hex);
        QFETCH(QString, words);
        RawClient client;
        client.send(client.hello);
        const QByteArray bytes = QByteArray::fromHex(hex);
        client.send_bytes({bytes.begin(), bytes.end()});
        const auto refusal = client.answer();
        QCOMPARE(refusal.value().error.value().code(), ErrorCode::bad_request);
        QVERIFY2(refusal->error->message().find(words.toStdString()) != std::string::npos,
                 refusal->error->message().c_str());
        QCOMPARE(client.exit_code(), 2);
    }

    /// The pipe is full long before the job ends.
    void a_slow_reader_does_not_delay_the_job() {
        constexpr int kSteps = 40;
        QTemporaryDir folder;
        VideoRequest request;
        request.prompt = "a red ball";
        request.num_inference_steps = kSteps;
        request.device = "cpu";
        request.output.file = folder.filePath("a.mp4").toStdString();
        RawClient client;
        client.send(client.hello);
        client.send(protocol::Request{1, "jobs.submit", nlohmann::json::array({protocol::to_document(request)})});
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(request.output.file), 120'000);
        int num_steps = 0;
        int num_latent_previews = 0;
        bool has_ended = false;
        while (!has_ended) {
            const auto message = client.reader.next(60);
            QVERIFY(message);
            const auto* sent = std::get_if<protocol::EventMessage>(&*message);
            if (sent == nullptr) continue;
            if (std::holds_alternative<StepCompleted>(sent->event)) ++num_steps;
            const auto* preview = std::get_if<PreviewReady>(&sent->event);
            if (preview != nullptr && preview->kind == PreviewKind::latent) ++num_latent_previews;
            has_ended = ends_run(sent->event);
        }
        QCOMPARE(num_steps, kSteps);
        QVERIFY2(num_latent_previews > 0 && num_latent_previews < kSteps,
                 qPrintable(QString::number(num_latent_previews)));
    }

    /// A relay can be half open: the engine's input stays open, although nobody reads its output.
    void a_program_that_stops_reading_has_ended() {
        RawClient client;
        VideoRequest request;
        request.prompt = "a red ball";
        request.num_inference_steps = 1000;
        request.device = "cpu";
        request.output.file = client.jobs_dir() / "a.mp4";
        client.send(client.hello);
        client.send(protocol::Request{1, "jobs.submit", nlohmann::json::array({protocol::to_document(request)})});
        QVERIFY(client.answer().value().error == std::nullopt);
        client.stop_reading();
        const auto end = client.wait_for_end();
        QVERIFY(end);
        QCOMPARE(end->signal, 0);
        QCOMPARE(end->exit_code, 0);
        QVERIFY(fs::exists(client.jobs_dir() / "1" / "job.json"));
    }

    void bad_requests_do_not_end_the_connection() {
        RawClient client;
        client.send(client.hello);
        client.send(protocol::Request{1, "jobs.explode", nlohmann::json::array()});
        QCOMPARE(client.answer().value().error.value().code(), ErrorCode::unsupported);
        client.send(protocol::Request{2, "jobs.find", nlohmann::json::array({"one"})});
        QCOMPARE(client.answer().value().error.value().code(), ErrorCode::bad_request);
        client.send(protocol::Request{3, "jobs.find", nlohmann::json::array()});
        QCOMPARE(client.answer().value().error.value().code(), ErrorCode::bad_request);
        client.send(protocol::Request{4, "jobs.list", nlohmann::json::array()});
        QVERIFY(client.answer().value().value == nlohmann::json::array());
        QCOMPARE(client.exit_code(), 0);
    }

    void every_call_is_documented() {
        QFile file(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/engine_protocol.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        for (const remote::Call& call : remote::calls())
            QVERIFY2(text.contains(("`" + call.name + "`").c_str()), call.name.c_str());
        QCOMPARE(remote::calls().size(), std::size_t{45});
    }

    void a_program_that_is_no_engine_is_refused_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("none there") << "/no/such/program" << QStringList{} << "cannot be started";
        QTest::newRow("ends at once") << "/bin/sh" << QStringList{"-c", "echo 'no licence' >&2; exit 3"}
                                      << "no licence";
        QTest::newRow("another language") << "/bin/echo" << QStringList{"hello world"} << "is not an engine";
    }

    void a_program_that_is_no_engine_is_refused() {
        QFETCH(QString, program);
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        std::vector<std::string> given;
        for (const QString& argument : arguments) given.push_back(argument.toStdString());
        EventRecorder recorder;
        const auto refused = error_of([&] {
            remote::make_remote_engine({.program = program.toStdString(), .arguments = given, .version = kVersion},
                                       recorder);
        });
        QCOMPARE(refused.value().code(), ErrorCode::engine_lost);
        QVERIFY2(refused->message().find(words.toStdString()) != std::string::npos, refused->message().c_str());
    }

    /// An encoder may need longer for a part than other readers wait for the next request.
    void an_export_has_a_reader_that_waits() {
        const QTemporaryDir folder;
        const fs::path source = folder.filePath("source.mp4").toStdString();
        const auto sink = open_frame_sink({.output = {.file = source}, .width = 64, .height = 64, .fps = 8});
        sink->write({64, 64, std::vector<std::uint8_t>(std::size_t{3} * 64 * 64)});
        sink->finish();
        ReaderWatch watch;
        const auto engine = make_engine({.resources_dir = kResources, .program = kProgram}, watch);
        ExportRequest exported;
        exported.video = source;
        exported.output.file = folder.filePath("copy.mkv").toStdString();
        engine->videos().export_video(exported, 1);
        QVERIFY2(watch.commands.find(kPatientReaderCommand) != std::string::npos, watch.commands.c_str());
    }
};

QTEST_GUILESS_MAIN(TestServe)
#include "test_serve.moc"
