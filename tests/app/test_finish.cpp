#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <nlohmann/json.hpp>

#include "core/media/image_io.h"
#include "core/media/read_frames.h"
#include "tests/app/cli_process.h"
#include "tests/core/media/media_fixtures.h"
#include "tests/support/file_bytes.h"
#include "tests/support/sanitizers.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

QString data(const char* name) {
    return QStringLiteral(KINESCOPE_TEST_DATA "/finish/") + QLatin1String(name);
}

std::filesystem::path path_of(const QString& file) {
    return file.toStdString();
}

bool has_saved_part(const QString& folder) {
    return QDirIterator(folder, {"chunk-0"}, QDir::Files, QDirIterator::Subdirectories).hasNext();
}

}  // namespace

/// Steps after a run and finished copies, with the real program.
class TestFinish : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void any_video_is_finished() {
        const ProcessResult result =
            run_cli({"finish", data("phone.mp4"), "--upscale", data("nearest_x2.safetensors"), "--interpolate",
                     data("rife49/model/rife49.pth"), "--factor", "4", "-o", in("out.mp4"), "--json"});
        QVERIFY2(result.exit_code == 0, result.err);
        const auto document = nlohmann::json::parse(result.out.toStdString());
        QCOMPARE(document.at("num_frames").get<int>(), 45);
        QCOMPARE(document.at("width").get<int>(), 128);
        QCOMPARE(read_frames(path_of(in("out.mp4")), {}).size(), std::size_t{45});
    }

    void a_run_is_finished_before_it_is_encoded() {
        const QStringList steps{"--upscale",     data("nearest_x2.safetensors"),
                                "--interpolate", data("mean_rife.safetensors"),
                                "--audio",       data("tone.wav")};
        const ProcessResult result =
            run_cli(generate_arguments("builtin", in("run.mp4"), QStringList{"--num-frames", "9", "--json"} + steps));
        QVERIFY2(result.exit_code == 0, result.err);
        const auto frames = read_frames(path_of(in("run.mp4")), {});
        QCOMPARE(frames.size(), std::size_t{17});
        const auto document = nlohmann::json::parse(result.out.toStdString());
        QCOMPARE(document.at("num_frames").get<int>(), 17);
    }

    /// The peak is the resident memory reported by the kernel. Freed blocks that the heap keeps would exceed the plan.
    void interpolation_stays_within_its_plan() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("AddressSanitizer keeps freed blocks.");
        SinkOptions options = test::options_for(path_of(in("clip.mp4")));
        options.width = 640;
        options.height = 384;
        test::write_video(options, 5);
        const ProcessResult result =
            run_cli({"finish", in("clip.mp4"), "--interpolate", data("rife425/model/rife425.pth"), "--device", "cpu",
                     "-o", in("out.mp4"), "--json", "--quiet"});
        QVERIFY2(result.exit_code == 0, result.err);
        const auto document = nlohmann::json::parse(result.out.toStdString());
        const auto share =
            document.at("peak_memory_bytes").get<double>() / document.at("planned_memory_bytes").get<double>();
        QVERIFY2(share > 0.8 && share < 1.05, std::to_string(share).c_str());
    }

    void notes_are_no_warnings() {
        const ProcessResult result =
            run_cli({"finish", data("hdr.mp4"), "--upscale", data("nearest_x2.safetensors"), "-o", in("out.mp4")});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("note: ") && !result.err.contains("warning: "), result.err);
    }

    void cut_sound_is_reported_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QByteArray>("level");
        QTest::newRow("generate") << generate_arguments("builtin", "out.mp4", {"--num-frames", "9", "--json"})
                                  << QByteArray("warnings");
        QTest::newRow("finish") << QStringList{"finish", data("one.mp4"), "-o", "out.mp4", "--json"}
                                << QByteArray("notes");
    }
    void cut_sound_is_reported() {
        QFETCH(QStringList, command);
        QFETCH(QByteArray, level);
        command.replaceInStrings("out.mp4", in("out.mp4"));
        const auto cut = path_of(in("cut.wav"));
        std::filesystem::copy_file(path_of(data("tone.wav")), cut);
        std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
        const ProcessResult result = run_cli(command + QStringList{"--audio", in("cut.wav")});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("cut.wav is truncated"), result.err);
        const auto document = nlohmann::json::parse(result.out.toStdString());
        QVERIFY2(document.at(level.toStdString()).dump().find("cut.wav is truncated") != std::string::npos, result.out);
    }

    void a_missing_end_is_noted_data() {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("finish") << QStringList{"finish", "cut.mkv", "--upscale", data("nearest_x2.safetensors"),
                                               "-o",     "copy.mkv"};
        QTest::newRow("export") << QStringList{"export", "cut.mkv", "copy.mp4"};
        QTest::newRow("compare") << QStringList{"compare", "cut.mkv", "cut.mkv"};
    }
    void a_missing_end_is_noted() {
        QFETCH(QStringList, command);
        for (QString& word : command)
            if (word.startsWith("cut.") || word.startsWith("copy.")) word = in(word.toUtf8());
        const auto whole = test::write_video(test::options_for(path_of(in("clip.mkv"))));
        const auto cut = path_of(in("cut.mkv"));
        std::filesystem::copy_file(whole, cut);
        std::filesystem::resize_file(cut, std::filesystem::file_size(cut) * 3 / 4);
        const ProcessResult result = run_cli(command);
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("is truncated"), result.err);
    }

    void damaged_frames_are_noted_data() {
        QTest::addColumn<QStringList>("command");
        const QString clip = data("damaged.mp4");
        QTest::newRow("finish") << QStringList{"finish", clip,      "--upscale", data("nearest_x2.safetensors"),
                                               "-o",     "copy.mkv"};
        QTest::newRow("export") << QStringList{"export", clip, "copy.mkv"};
        QTest::newRow("copy") << QStringList{"export", clip, "copy.mp4"};
        QTest::newRow("compare") << QStringList{"compare", clip, clip};
    }
    void damaged_frames_are_noted() {
        QFETCH(QStringList, command);
        for (QString& word : command)
            if (word.startsWith("copy.")) word = in(word.toUtf8());
        const ProcessResult result = run_cli(command);
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.count("is damaged") == (command.front() == "compare" ? 2 : 1), result.err);
    }

    void an_interrupted_copy_continues_with_the_same_bytes_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("killed") << SIGKILL << SIGKILL;
        QTest::newRow("shut down") << SIGTERM << 5;
    }
    void an_interrupted_copy_continues_with_the_same_bytes() {
        QFETCH(int, signal);
        QFETCH(int, exit_code);
        const QString clip = unbroken_.filePath("clip.mp4"), whole = unbroken_.filePath("whole.mp4");
        const auto arguments = [&](const QString& output) {
            return QStringList{"finish",   clip,   "--interpolate", data("rife49/model/rife49.pth"),
                               "--device", "cpu",  "--progress",    "none",
                               "-o",       output, "--threads",     "1"};
        };
        const QMap<QString, QString> state{{"XDG_STATE_HOME", in("state")}};
        if (!QFile::exists(whole)) {
            test::write_video(test::options_for(path_of(clip)), 70);
            QCOMPARE(run_cli(arguments(whole), state).exit_code, 0);
        }

        QProcess interrupted;
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("XDG_STATE_HOME", in("state"));
        interrupted.setProcessEnvironment(variables);
        interrupted.start(cli_program(), arguments(in("out.mp4")));
        while (!has_saved_part(in("state")) && interrupted.state() != QProcess::NotRunning)
            interrupted.waitForFinished(5);
        ::kill(static_cast<pid_t>(interrupted.processId()), signal);
        QVERIFY(interrupted.waitForFinished());
        QCOMPARE(interrupted.exitCode(), exit_code);
        QVERIFY(!QFile::exists(in("out.mp4")));

        const ProcessResult result = run_cli(arguments(in("out.mp4")), state);
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("Continued after frame"), result.err);
        QVERIFY(bytes_of(in("out.mp4")) == bytes_of(whole));
        QVERIFY(!has_saved_part(in("state")));
        const QDir folder(folder_->path());
        QCOMPARE(folder.entryList(QDir::Files | QDir::Hidden), QStringList{"out.mp4"});
    }

    void faults_are_named_and_leave_nothing_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* title, const QStringList& arguments, int exit_code, const char* words) {
            QTest::newRow(title) << arguments << exit_code << words;
        };
        const QString clip = data("phone.mp4");
        row("another network", {clip, "--upscale", data("mean_rife.safetensors")}, 2, "an interpolator (RIFE");
        row("not a network", {clip, "--upscale", data("tone.wav")}, 2, "unsupported format");
        row("a video as network", {clip, "--upscale", clip}, 2, "hint: Choose a file with weights");
        row("missing network", {clip, "--interpolate", data("none.pth")}, 2, "none.pth");
        row("damaged weights", {clip, "--upscale", data("nan_x2.safetensors")}, 4, "NaN");
        row("black results", {clip, "--upscale", data("black_x2.safetensors")}, 4, "is black, but its source is not");
        row("no frames", {data("sound_only.mp4"), "--upscale", data("nearest_x2.safetensors")}, 2, "no video");
        row("no sound", {clip, "--audio", data("one.mp4")}, 2, "no audio stream");
        row("nothing to do", {clip}, 2, "Nothing to do");
        row("factor of nothing", {clip, "--factor", "3"}, 2, "--factor has no effect without --interpolate;");
        row("factor by its long name", {clip, "--interpolation-factor", "3"}, 2,
            "--interpolation-factor has no effect without --interpolate;");
        row("rate of nothing", {clip, "--fps=30"}, 2, "--fps has no effect without --interpolate;");
        row("too large", {clip, "--upscale", data("nearest_x2.safetensors"), "--upscale-factor", "4"}, 2,
            "enlarges by 2");
    }
    void faults_are_named_and_leave_nothing() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit_code);
        QFETCH(QString, words);
        const ProcessResult result = run_cli(QStringList{"finish"} + arguments + QStringList{"-o", in("out.mp4")});
        QCOMPARE(result.exit_code, exit_code);
        QVERIFY2(QString::fromUtf8(result.err).contains(words), result.err);
        QVERIFY(QDir(folder_->path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    /// A script that tries other settings after exit code 2 must not repeat hours of work. A file is read in parts of
    /// 32 MiB: three of these frames.
    void damage_is_a_bad_request_only_before_the_first_frame_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("damaged_frame");
        QTest::addColumn<int>("exit_code");
        const QStringList finishing{"finish", "frames", "--audio", data("tone.wav"), "-o"};
        const QStringList exporting{"export", "frames"};
        QTest::newRow("finish, first frame") << finishing << 0 << 2;
        QTest::newRow("finish, last frame") << finishing << 4 << 1;
        QTest::newRow("export, first frame") << exporting << 0 << 2;
        QTest::newRow("export, last frame") << exporting << 4 << 1;
    }
    void damage_is_a_bad_request_only_before_the_first_frame() {
        QFETCH(QStringList, command);
        QFETCH(int, damaged_frame);
        QFETCH(int, exit_code);
        const std::filesystem::path folder = path_of(in("frames"));
        std::filesystem::create_directory(folder);
        const auto frame = [&](int number) { return folder / ("0000" + std::to_string(number) + ".png"); };
        write_png(frame(0), test::plain_frame(2048, 2048, 40, 80, 120), {});
        for (int i = 1; i < 5; ++i) std::filesystem::copy_file(frame(0), frame(i));
        std::filesystem::resize_file(frame(damaged_frame), std::filesystem::file_size(frame(damaged_frame)) / 2);
        command[1] = in("frames");
        const ProcessResult result = run_cli(command << in("out.mp4"), {{"XDG_STATE_HOME", in("state")}});
        QVERIFY2(result.err.contains("error[image_unreadable]"), result.err);
        QCOMPARE(result.exit_code, exit_code);
        QVERIFY(!QFile::exists(in("out.mp4")));
    }

    void an_existing_file_is_not_replaced() {
        QFile file(in("out.mp4"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        const QStringList arguments{"finish", data("one.mp4"), "--upscale", data("nearest_x2.safetensors"),
                                    "-o",     in("out.mp4")};
        QCOMPARE(run_cli(arguments).exit_code, 2);
        QCOMPARE(file.size(), 4);
        QCOMPARE(run_cli(arguments + QStringList{"--overwrite"}).exit_code, 0);
        QVERIFY(QFile(in("out.mp4")).size() > 4);
    }

    void networks_are_recognized_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("words");
        QTest::newRow("upscaler") << data("nearest_x2.safetensors") << "an upscaler: ";
        QTest::newRow("interpolator") << data("mean_rife.safetensors") << "an interpolator: RIFE";
        QTest::newRow("tiny decoder") << KINESCOPE_TEST_DATA "/taehv/taew2_1.pth"
                                      << "a tiny decoder for previews and drafts, 16 latent channels";
    }
    void networks_are_recognized() {
        QFETCH(QString, file);
        QFETCH(QString, words);
        const ProcessResult result = run_cli({"inspect", file});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(QString::fromUtf8(result.out).contains(words), result.out);
        QVERIFY2(!result.out.contains("not recognized"), result.out);
    }

    void golden_cases_are_verified() {
        for (const char* name : {"rife425", "rife49", "compact_x4", "esrgan_x4", "realesrgan_x2"}) {
            const ProcessResult result = run_cli({"verify", data(name)});
            QVERIFY2(result.exit_code == 0, result.out + result.err);
        }
    }

private:
    QString in(const char* name) const { return folder_->filePath(QLatin1String(name)); }

    std::unique_ptr<QTemporaryDir> folder_;
    const QTemporaryDir unbroken_;  ///< a clip and its whole copy, for all interruptions
};

QTEST_GUILESS_MAIN(TestFinish)
#include "test_finish.moc"
