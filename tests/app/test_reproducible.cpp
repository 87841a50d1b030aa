#include <sched.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "tests/app/broken_models.h"
#include "tests/app/cli_process.h"
#include "tests/app/json_schema.h"
#include "tests/support/file_bytes.h"

using namespace kinescope::testing;
using Json = nlohmann::json;

namespace {

const QString kData = QStringLiteral(KINESCOPE_TEST_DATA);

/// During its lifetime, this process and its children run on one processor.
class OneProcessor {
public:
    OneProcessor() {
        ::sched_getaffinity(0, sizeof before_, &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
        ::sched_setaffinity(0, sizeof one, &one);
    }
    ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;

private:
    cpu_set_t before_{};
};

/// Counts the guard records with an action in a log.
int count_actions(const QString& log, const char* action) {
    std::ifstream lines(log.toStdString());
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json record = Json::parse(line);
        count += record.at("record") == "guard" && record.at("action") == action;
    }
    return count;
}

}  // namespace

/// Tests that the same seed gives the same frames: with --reproducible for any number of threads, and always with the
/// settings that are stored in a video.
class TestReproducible : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    int number_ = 0;

    QString file(const QString& name) const { return folder_.filePath(name); }

    /// Runs a request. Returns the bytes of its frames, or an empty array on failure.
    QByteArray frames(const QStringList& request) {
        const QString name = file(QString::number(++number_));
        const auto result = run_cli(QStringList{"--quiet", "generate", "--progress", "none", "--device", "cpu",
                                                "--output", name + ".mkv", "--frames", name + ".safetensors"} +
                                    request);
        if (result.exit_code != 0) qWarning("%s", result.err.constData());
        return bytes_of(name + ".safetensors");
    }

private Q_SLOTS:
    void initTestCase() {
        make_overflowing_model((kData + "/stepvideo_t2v/model").toStdString(), file("model").toStdString());
    }

    /// Without --reproducible, the frames differ with 3 or more threads for Wan, 2 or more for Wan 2.2, and 7 for SVD.
    void every_number_of_threads_gives_the_same_frames_data() {
        QTest::addColumn<QStringList>("request");
        const auto of_case = [](const char* name) {
            return QStringList{"--request", kData + "/" + name + "/request.json"};
        };
        QTest::newRow("wan") << of_case("wan_t2v");
        QTest::newRow("wan, bfloat16") << of_case("wan_t2v") + QStringList{"--dtype", "bf16"};
        QTest::newRow("wan 2.2") << of_case("wan_variants/ti2v_t2v");
        QTest::newRow("cogvideox") << of_case("cogvideox/t2v");
        QTest::newRow("svd") << of_case("svd");
        QTest::newRow("stepvideo") << of_case("stepvideo_t2v");
        QTest::newRow("ltx") << of_case("ltx/i2v");
        QTest::newRow("ltx, videos as conditions") << of_case("ltx/condition_clips");
        QTest::newRow("built-in") << QStringList{"--prompt", "a red ball", "--seed", "3", "--steps", "3"};
    }
    void every_number_of_threads_gives_the_same_frames() {
        QFETCH(QStringList, request);
        request << "--reproducible";
        const QByteArray expected = frames(request);
        QVERIFY(!expected.isEmpty());
        for (const char* threads : {"1", "7"}) {
            const QByteArray actual = frames(request + QStringList{"--threads", threads});
            QVERIFY2(actual == expected, threads);
        }
        qputenv("OMP_NUM_THREADS", "3");
        const QByteArray by_environment = frames(request);
        qunsetenv("OMP_NUM_THREADS");
        QVERIFY(by_environment == expected);
        const OneProcessor one;
        QVERIFY(frames(request) == expected);
    }

    void too_few_threads_are_refused() {
        qputenv("OMP_THREAD_LIMIT", "1");
        const auto result = run_cli(generate_arguments(tiny_model(), file("limited.mp4"), {"--reproducible"}));
        qunsetenv("OMP_THREAD_LIMIT");
        if (result.exit_code == 0) QSKIP("this machine has one core");
        QVERIFY2(result.err.contains("A reproducible run needs"), result.err);
    }

    void a_video_records_its_number_of_threads() {
        const auto made = run_cli(generate_arguments(tiny_model(), file("threads.mp4"), {"--threads", "3"}));
        QVERIFY2(made.exit_code == 0, made.err);
        const auto shown = run_cli({"inspect", file("threads.mp4"), "--json"});
        const Json request = Json::parse(shown.out.toStdString()).at("request");
        QCOMPARE(request.at("threads").get<int>(), 3);
        QVERIFY(request.at("overrides").empty());
    }

    /// The second run of a command starts with the overrides learned in the first one. Each video records the overrides
    /// it started with.
    void a_healed_video_can_be_reproduced() {
        const QStringList request{"--model",
                                  file("model"),
                                  "--prompt",
                                  "a red panda",
                                  "--width",
                                  "48",
                                  "--height",
                                  "32",
                                  "--num-frames",
                                  "17",
                                  "--steps",
                                  "2",
                                  "--seed",
                                  "7",
                                  "--dtype",
                                  "fp16",
                                  "--max-sequence-length",
                                  "320"};
        const auto log = [&](const char* name) { return QStringList{"--numeric-log", file(name)}; };
        const QByteArray first = frames(request + log("first.jsonl"));
        const QString first_video = file(QString::number(number_)) + ".mkv";
        const QByteArray second = frames(request + log("second.jsonl"));
        const QString second_video = file(QString::number(number_)) + ".mkv";
        QCOMPARE(count_actions(file("first.jsonl"), "learned"), 0);
        QVERIFY(count_actions(file("second.jsonl"), "learned") > 0);

        QVERIFY(frames(QStringList{"--request", first_video} + log("first_again.jsonl")) == first);
        QCOMPARE(count_actions(file("first_again.jsonl"), "learned"), 0);
        QFile::remove(cli_cache_dir() + "/kinescope/learned_overrides.json");
        QVERIFY(frames(QStringList{"--request", second_video} + log("second_again.jsonl")) == second);
        QCOMPARE(count_actions(file("second_again.jsonl"), "learned"), count_actions(file("second.jsonl"), "learned"));
    }

    void a_reproducible_run_neither_stores_nor_applies_overrides() {
        const QByteArray once = frames(QStringList{
            "--model", file("model"), "--prompt", "a red panda", "--width", "48", "--height", "32", "--num-frames",
            "17", "--steps", "2", "--seed", "7", "--dtype", "fp16", "--max-sequence-length", "320", "--reproducible"});
        QVERIFY(!once.isEmpty());
        const QString video = file(QString::number(number_)) + ".mkv";
        const auto shown = run_cli({"inspect", video, "--json"});
        const Json settings = Json::parse(shown.out.toStdString()).at("request");
        QVERIFY(settings.at("overrides").empty());
        QVERIFY(settings.at("reproducible").get<int>() >= 1);
        QVERIFY(frames({"--request", video, "--threads", "1"}) == once);
    }
};

QTEST_GUILESS_MAIN(TestReproducible)
#include "test_reproducible.moc"
