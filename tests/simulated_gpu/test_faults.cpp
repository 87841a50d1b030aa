#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "core/api/version.h"
#include "core/remote/device_engines.h"
#include "core/remote/remote_engine.h"
#include "core/weights/checkpoint_reader.h"
#include "tests/app/other_computer.h"
#include "tests/simulated_gpu/card.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Sets environment variables, which new processes inherit.
class Environment {
public:
    explicit Environment(const Card::Settings& variables) : names_(variables.keys()) {
        for (const QString& name : names_) {
            before_.push_back(qgetenv(name.toUtf8()));
            qputenv(name.toUtf8(), variables[name].toUtf8());
        }
    }
    ~Environment() {
        for (qsizetype i = 0; i < names_.size(); ++i)
            before_[i].isNull() ? qunsetenv(names_[i].toUtf8()) : qputenv(names_[i].toUtf8(), before_[i]);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    QStringList names_;
    QList<QByteArray> before_;
};

QString data(const char* path) {
    return QStringLiteral(KINESCOPE_TEST_DATA "/") + path;
}

}  // namespace

/// Tests GPUs that have too little memory, fail, are the second of two, or are too old.
class TestFaults : public QObject {
    Q_OBJECT

    Card card_;
    Tensor expected_;      ///< frames of the small video
    long launches_ = 0;    ///< number of launches of the run that made them
    QString frames_ = {};  ///< file with the frames

    QStringList small_video(const QStringList& more = {}) const {
        return generate_arguments(
            tiny_model(), card_.file("made.mp4"),
            QStringList{"--device", "cuda", "--dtype", "bf16", "--frames", frames_, "--overwrite"} + more);
    }
    Tensor made(const QString& name = "frames") const {
        const std::string file = card_.file(name + ".safetensors").toStdString();
        return open_checkpoint(file)->read("frames").to(at::kFloat).clone();
    }
    /// The settings of the last small video with outputs of another name.
    VideoRequest named_video(Engine& engine, const char* name) const {
        VideoRequest request = engine.videos().read_settings(card_.file("made.mp4").toStdString());
        request.output.file = card_.file(QString(name) + ".mp4").toStdString();
        request.output.frames = card_.file(QString(name) + ".safetensors").toStdString();
        return request;
    }
    /// The card fails in the first process that has done 60 % of the last run.
    Card::Settings fails_once(const QString& mark) const {
        return {{"SIMULATED_GPU_FAIL_AFTER", after(launches(), 60)}, {"SIMULATED_GPU_FAIL_ONCE", card_.file(mark)}};
    }
    static QString after(long count, int percent) { return QString::number(count * percent / 100); }
    long launches() const {
        return QRegularExpression("launches (\\d+)").match(QString::fromUtf8(card_.log())).captured(1).toLong();
    }

private Q_SLOTS:
    void initTestCase() {
        frames_ = card_.file("frames.safetensors");
        QCOMPARE(card_.run(small_video()).exit_code, 0);  // includes the canary
        const ProcessResult whole = card_.run(small_video());
        QVERIFY2(whole.exit_code == 0, whole.err);
        expected_ = made();
        launches_ = launches();
        QVERIFY(launches_ > 0);
    }

    void memory_that_runs_out_is_found_by_streaming_data() {
        QTest::addColumn<int>("percent");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("text encoder") << 1 << QByteArray("encode, text_encoder");
        QTest::newRow("denoiser") << 60 << QByteArray("transformer");
    }
    void memory_that_runs_out_is_found_by_streaming() {
        QFETCH(int, percent);
        QFETCH(QByteArray, place);
        const QString log = card_.file("numbers.jsonl");
        const ProcessResult result =
            card_.run(small_video({"--numeric-log", log}), {{"SIMULATED_GPU_FULL_AFTER", after(launches_, percent)}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(result.err.contains(place + ": cuda:0 ran out of memory"), result.err);
        QVERIFY2(result.err.contains("blocks are streamed"), result.err);
        QVERIFY(at::equal(made(), expected_));
        QFile numbers(log);
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        QVERIFY(numbers.readAll().contains("stream_blocks"));
    }

    void pictures_without_memory_are_encoded_on_the_cpu() {
        const QStringList arguments{"generate", "--request",   data("wan_variants/ti2v_i2v/request.json"),
                                    "--device", "cuda",        "--offload",
                                    "none",     "--overwrite", "--progress",
                                    "none",     "--output",    card_.file("pictures.mp4")};
        QCOMPARE(card_.run(arguments).exit_code, 0);
        constexpr int kWhileEncoding = 20;
        const ProcessResult result =
            card_.run(arguments, {{"SIMULATED_GPU_FULL_AFTER", after(launches(), kWhileEncoding)}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(result.err.contains("encode, vae: cuda:0 ran out of memory"), result.err);
    }

    void a_decoder_without_memory_decodes_in_smaller_parts() {
        const QStringList arguments{"generate",
                                    "--request",
                                    data("cogvideox/t2v/request.json"),
                                    "--device",
                                    "cuda",
                                    "--overwrite",
                                    "--progress",
                                    "none",
                                    "--output",
                                    card_.file("tiles.mp4")};
        QCOMPARE(card_.run(arguments).exit_code, 0);
        const ProcessResult result =
            card_.run(arguments, {{"SIMULATED_GPU_FULL_AFTER", QString::number(launches() - 40)}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(result.err.contains("decodes again in smaller parts"), result.err);
    }

    void a_decoder_without_any_memory_decodes_on_the_cpu() {
        const QStringList arguments = small_video();
        QCOMPARE(card_.run(arguments).exit_code, 0);
        const ProcessResult result =
            card_.run(arguments, {{"SIMULATED_GPU_TAKEN_AFTER", QString::number(launches() - 40)},
                                  {"SIMULATED_GPU_TAKEN_KIB", QString::number(5000 * 1024)}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(result.err.contains("runs it again on the CPU"), result.err);
        QVERIFY(at::allclose(made(), expected_, 0, 0.02));
    }

    /// The log has the statistics of the last chunk before the frames of the last but one.
    void frames_are_written_beside_the_decoding_of_the_next_chunk() {
        const QString log = card_.file("beside.jsonl");
        const ProcessResult result = card_.run(small_video({"--numeric-log", log, "--num-frames", "9"}));
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QFile numbers(log);
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        const QByteArray records = numbers.readAll();
        QCOMPARE(records.mid(records.lastIndexOf("\"stat\"")).count("\"frame\""), qsizetype{8});
    }

    void a_card_without_room_is_refused_with_what_it_needs_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("automatic") << QStringList() << QByteArray("Close other programs");
        QTest::newRow("streaming excluded") << QStringList{"--offload", "none"} << QByteArray("--offload auto");
    }
    void a_card_without_room_is_refused_with_what_it_needs() {
        QFETCH(QStringList, more);
        QFETCH(QByteArray, hint);
        const ProcessResult result =
            card_.run(small_video(more),
                      {{"SIMULATED_GPU_TAKEN_AFTER", "1"}, {"SIMULATED_GPU_TAKEN_KIB", QString::number(5000 * 1024)}});
        QCOMPARE(result.exit_code, 1);
        QVERIFY2(result.err.contains("error[out_of_memory]"), result.err);
        QVERIFY2(result.err.contains("the text_encoder needs at least"), result.err);
        QVERIFY2(result.err.contains(hint), result.err);
    }

    void a_failed_card_keeps_the_job() {
        const ProcessResult failed =
            card_.run(small_video({"--steps", "4"}), {{"SIMULATED_GPU_FAIL_AFTER", after(launches_, 90)}});
        QCOMPARE(failed.exit_code, 1);
        QVERIFY2(failed.err.contains("error[device_lost]"), failed.err);
        QVERIFY2(failed.err.contains("illegal memory access"), failed.err);
        const auto job =
            QRegularExpression("kinescope-cli resume (\\d+) continues").match(QString::fromUtf8(failed.err));
        QVERIFY2(job.hasMatch(), failed.err);
        const ProcessResult resumed = card_.run({"resume", job.captured(1), "--progress", "none"});
        QVERIFY2(resumed.exit_code == 0, resumed.err);
        const Tensor continued = made();
        QCOMPARE(card_.run(small_video({"--steps", "4"})).exit_code, 0);
        QVERIFY(at::equal(continued, made()));
    }

    /// The window's engine: a new process can use the card again, so the job goes on, and then the next one.
    void a_failed_card_restarts_the_engine() {
        const ProcessResult unbroken = card_.run(small_video({"--steps", "6"}));
        QVERIFY2(unbroken.exit_code == 0, unbroken.err);
        const Tensor expected = made();
        const Environment environment(card_.environment(fails_once("engine.mark")));
        EventRecorder recorder;
        const auto engine =
            remote::make_remote_engine({.program = cli_program().toStdString(),
                                        .arguments = {"--resources", KINESCOPE_SOURCE_DIR "/resources", "serve",
                                                      "--jobs", card_.file("jobs").toStdString()},
                                        .version = kVersion},
                                       recorder);
        std::vector<JobId> jobs;
        for (const char* name : {"first", "second"}) jobs.push_back(engine->jobs().submit(named_video(*engine, name)));
        for (const JobId job : jobs) {
            const auto events = recorder.wait(job);
            QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
            QVERIFY(of_type<RunFailed>(events).empty());
            QVERIFY(of_type<RunPaused>(events).empty());
        }
        const auto ends = of_type<EngineEnded>(recorder.wait(jobs[0]));
        QCOMPARE(ends.size(), std::size_t{1});
        QCOMPARE(ends[0].cause.code, std::string("device_lost"));
        QCOMPARE(ends[0].job, AfterEngineEnd::goes_on);
        for (const char* name : {"first", "second"}) QVERIFY2(at::equal(made(name), expected), name);
    }

    /// The engine that `serve --keep` keeps ends with its device. The next connection starts another one.
    void a_failed_card_restarts_a_kept_engine() {
        const ProcessResult unbroken = card_.run(small_video({"--steps", "6"}));
        QVERIFY2(unbroken.exit_code == 0, unbroken.err);
        const Tensor expected = made();
        const Environment environment(card_.environment(fails_once("kept.mark")));
        const auto wait_for_its_end = [this] {
            const auto folder = card_.file("state").toStdString() + "/kinescope/engine-" + host_name();
            const FileLock ended(folder + "/engine.lock", 60);
        };
        {
            UsedComputer computer(std::string(kProgram) + " --resources " + kResources + " serve --keep --idle 1");
            std::vector<JobId> jobs;
            for (const char* name : {"kept1", "kept2"})
                jobs.push_back(computer->jobs().submit(named_video(computer.engine(), name)));
            for (const JobId job : jobs) {
                const auto events = computer.recorder.wait(job);
                for (const RunFailed& failed : of_type<RunFailed>(events)) QFAIL(failed.error.what());
                QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
            }
        }
        wait_for_its_end();
        QVERIFY(QFile::exists(card_.file("kept.mark")));
        for (const char* name : {"kept1", "kept2"}) QVERIFY2(at::equal(made(name), expected), name);
    }

    void without_pinned_memory_streaming_works() {
        const ProcessResult result =
            card_.run(small_video({"--offload", "blocks"}), {{"SIMULATED_GPU_PINNED_KIB", "0"}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("no pinned memory left"), result.err);
        QVERIFY(at::equal(made(), expected_));
    }

    void the_second_card_computes_alone() {
        const ProcessResult result =
            card_.run(small_video({"--device", "cuda:1", "--offload", "blocks"}), {{"SIMULATED_GPU_COUNT", "2"}});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(card_.log().contains("peak 0.0 MB on cuda:0"), card_.log());
        QVERIFY(at::equal(made(), expected_));
    }

    /// While the first card makes a long video, the second one makes the next.
    void two_cards_share_the_queue() {
        const Card::Settings settings{{"SIMULATED_GPU_COUNT", "2"}};
        QVERIFY(card_.run(small_video({"--device", "cuda:1"}), settings).exit_code == 0);  // includes the canary
        const Environment environment(card_.environment(settings));
        EventRecorder recorder;
        const auto engine =
            remote::make_device_engines({.program = cli_program().toStdString(),
                                         .arguments = {"--resources", KINESCOPE_SOURCE_DIR "/resources", "serve",
                                                       "--jobs", card_.file("two_cards").toStdString()},
                                         .version = kVersion},
                                        recorder);
        const auto submit = [&](const char* name, int steps) {
            VideoRequest request = named_video(*engine, name);
            request.device = "auto";
            if (steps > 0) request.num_inference_steps = steps;
            return engine->jobs().submit(request);
        };
        const JobId first = submit("long", 1000);
        const JobId second = submit("on_second_card", 0);
        const auto of_second = recorder.wait(second);
        for (const RunFailed& failure : of_type<RunFailed>(of_second)) QFAIL(failure.error.message().c_str());
        QCOMPARE(of_type<RunFinished>(of_second).size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(of_second).at(0).policy.at(0).device, std::string("cuda:1"));
        QVERIFY(at::equal(made("on_second_card"), expected_));
        engine->jobs().cancel(first);
        const auto of_first = recorder.wait(first);
        QCOMPARE(of_type<RunCancelled>(of_first).size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(of_first).at(0).policy.at(0).device, std::string("cuda:0"));
    }

    void a_card_without_bfloat16_scales_float16_products() {
        const Card::Settings t4{{"SIMULATED_GPU_NAME", "Tesla T4"}, {"SIMULATED_GPU_CAPABILITY", "75"}};
        const QString log = card_.file("t4.jsonl");
        const QStringList encoder{"--text-encoder-dtype", "fp32"};
        const ProcessResult result =
            card_.run(small_video(QStringList{"--dtype", "auto", "--numeric-log", log} + encoder), t4);
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QFile numbers(log);
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        QVERIFY(numbers.readAll().contains("float16 scaled"));
        const Tensor scaled = made();
        QCOMPARE(card_.run(small_video(QStringList{"--dtype", "fp32"} + encoder)).exit_code, 0);
        const double error = relative_error(scaled, made());
        QVERIFY2(error < 0.02, std::to_string(error).c_str());
    }

    void a_card_without_kernels_is_refused_with_the_wheel_that_has_them() {
        const ProcessResult refused = card_.run(
            small_video(), {{"SIMULATED_GPU_NAME", "Tesla V100-SXM2-16GB"}, {"SIMULATED_GPU_CAPABILITY", "70"}});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("torch==2.11.0+cu126"), refused.err);
    }

    void a_missing_driver_is_reported() {
        const ProcessResult refused = card_.run(small_video(), {{"LD_LIBRARY_PATH", ""}});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("does not exist"), refused.err);
    }
};

QTEST_GUILESS_MAIN(TestFaults)
#include "test_faults.moc"
