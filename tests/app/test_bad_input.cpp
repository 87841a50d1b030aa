#include <sys/stat.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/broken_models.h"
#include "tests/app/cli_process.h"
#include "tests/support/sanitizers.h"

using namespace kinescope::testing;

namespace {

/// Mounts a small file system. It is removed with the object.
class SmallDisk {
public:
    explicit SmallDisk(const QString& folder) : folder_(folder) {
        QDir().mkpath(folder);
        mounted_ = QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=16k", "tmpfs", folder}) == 0;
    }
    ~SmallDisk() {
        if (mounted_) QProcess::execute("umount", {folder_});
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool mounted() const { return mounted_; }

private:
    QString folder_;
    bool mounted_ = false;
};

}  // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    QString output() const { return folder_.filePath("out/video.mp4"); }

    static void write_file(const QString& file, const QByteArray& bytes) {
        QFile stream(file);
        QVERIFY(stream.open(QIODevice::WriteOnly) && stream.write(bytes) == bytes.size());
    }

    void cut(const char* from, const char* to, qint64 bytes) const {
        QFile whole(folder_.filePath(from));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        write_file(folder_.filePath(to), whole.read(bytes));
    }

    /// Writes files that no command can use, and a clip and a sound from which some of them are made.
    void make_bad_files() const {
        if (QFile::exists(folder_.filePath("cut.wav"))) return;
        const QString clips = QStringLiteral(KINESCOPE_TEST_DATA "/finish/");
        QVERIFY(QFile::copy(clips + "scenes.mp4", folder_.filePath("clip.mp4")));
        QVERIFY(QFile::copy(clips + "tone.wav", folder_.filePath("sound.wav")));
        QVERIFY(QFile::copy(clips + "sound_only.mp4", folder_.filePath("sound.mp4")));
        write_file(folder_.filePath("empty.mp4"), {});
        write_file(folder_.filePath("text.mp4"), "no video");
        write_file(folder_.filePath("text.json"), "no JSON");
        QVERIFY(QDir(folder_.path()).mkpath("no_pictures"));
        cut("clip.mp4", "cut.mp4", 1800);
        QVERIFY(QFile::copy(clips + "wide.mkv", folder_.filePath("wide.mkv")));
        cut("wide.mkv", "no_frames.mkv", 1000);
        cut("wide.mkv", "header.mkv", 500);
        cut("sound.wav", "cut.wav", 30);
    }

    void check(const ProcessResult& result, int exit_code, const QString& part) {
        QVERIFY2(result.err.contains("error["), result.err);
        QVERIFY2(result.err.contains(part.toUtf8()), result.err);
        QCOMPARE(result.exit_code, exit_code);
        QVERIFY(QDir(folder_.filePath("out")).isEmpty());
    }

private Q_SLOTS:
    void initTestCase() {
        if (tiny_model().isEmpty()) QSKIP("the tiny model is missing");
    }

    void init() {
        QDir(folder_.filePath("out")).removeRecursively();  // what a failed test has left
        QVERIFY(QDir(folder_.path()).mkpath("out"));
    }

    void broken_models_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QStringList>("size");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("named");
        const QString ltx = QStringLiteral(KINESCOPE_TEST_DATA "/ltx/t2v/model");
        const QStringList ltx_size{"--width", "64", "--num-frames", "9"};
        const auto add = [&](const char* fault, const QString& part, const QString& named) {
            QTest::addRow("wan, %s", fault) << tiny_model() << QStringList() << fault << part << named;
            QTest::addRow("ltx, %s", fault) << ltx << ltx_size << fault << part << named;
        };
        add("truncated", "error[checkpoint_truncated]", "diffusion_pytorch_model.safetensors");
        add("lying_header", "error[checkpoint_", "blocks.0.attn1.to_q.weight");
        add("missing_tensor", "error[missing_keys]", "blocks.0.attn1.to_q.weight");
        add("wrong_shape", "error[wrong_shape]", "blocks.0.attn1.to_q.weight");
    }

    void broken_models() {
        QFETCH(QString, from);
        QFETCH(QStringList, size);
        QFETCH(QString, fault);
        QFETCH(QString, part);
        QFETCH(QString, named);
        const QString model = folder_.filePath(QTest::currentDataTag());
        make_broken_model(from.toStdString(), model.toStdString(), fault.toStdString());
        const ProcessResult result = run_cli(generate_arguments(model, output(), size));
        check(result, 2, part);
        QVERIFY2(result.err.contains(named.toUtf8()), result.err);
    }

    void bad_requests_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing folder") << QStringList{"--model", "/nowhere/at/all"} << "error[file_not_found]";
        QTest::newRow("not a multiple") << QStringList{"--width", "50"}
                                        << "width must be a multiple of 16; 50 is not, 48 is";
        QTest::newRow("0 steps") << QStringList{"--steps", "0"} << "--steps must be 1 to 1000; it is 0";
        QTest::newRow("long prompt") << QStringList{"--prompt", QString(100000, 'a')}
                                     << "prompt has 100000 characters; the limit is 20000";
        QTest::newRow("no such device") << QStringList{"--device", "cuda:99"} << "error[device_unavailable]";
        QTest::newRow("unwritable output")
            << QStringList{"--output", "/proc/video.mp4"} << "error[output_not_writable]";
        QTest::newRow("unwritable log") << QStringList{"--numeric-log", "/proc/log.jsonl"}
                                        << "error[output_not_writable]";
        QTest::newRow("unwritable latents")
            << QStringList{"--latents", "/proc/latents.safetensors"} << "error[output_not_writable]";
        QTest::newRow("unwritable frames")
            << QStringList{"--frames", "/proc/frames.safetensors"} << "error[output_not_writable]";
        QTest::newRow("unwritable previews")
            << QStringList{"--preview-dir", "/proc/previews"} << "error[output_not_writable]";
    }

    void bad_requests() {
        QFETCH(QStringList, flags);
        QFETCH(QString, part);
        check(run_cli(generate_arguments(tiny_model(), output(), flags)), 2, part);
    }

    /// Every file that is missing, damaged or of the wrong kind ends a command with exit code 2, and the message says
    /// what is wrong with which file.
    void bad_files_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("parts");
        const auto generate = [&](const QString& option, const QString& name) {
            return generate_arguments("builtin", output(), {option, folder_.filePath(name)});
        };
        for (const QString option : {"--continue", "--video"}) {
            const QByteArray tag = option.toUtf8();
            const auto add = [&](const char* row, const char* name, const QStringList& parts) {
                QTest::addRow("%s, %s", tag.constData(), row) << generate(option, name) << parts;
            };
            add("missing", "gone.mp4", {"error[file_not_found]", "gone.mp4"});
            add("empty", "empty.mp4", {"error[file_unreadable]", "empty.mp4", "it is empty"});
            add("text", "text.mp4", {"error[file_unreadable]", "text.mp4", "has another format"});
            add("cut off", "cut.mp4", {"error[file_unreadable]", "cut.mp4", "damaged or cut off"});
            add("without frames", "no_frames.mkv", {"error[file_unreadable]", "no_frames.mkv", "none of its frames"});
            add("without a whole header", "header.mkv", {"error[file_unreadable]", "header.mkv", "cut off"});
            add("sound", "sound.wav", {"error[file_unreadable]", "sound.wav has no video stream"});
            add("sound in a video's format", "sound.mp4", {"error[file_unreadable]", "sound.mp4 has no video stream"});
            add("a folder without pictures", "no_pictures", {"error[file_unreadable]", "no_pictures"});
        }
        QTest::newRow("--audio, missing")
            << generate("--audio", "gone.wav") << QStringList{"error[file_not_found]", "gone.wav"};
        QTest::newRow("--audio, cut off")
            << generate("--audio", "cut.wav") << QStringList{"error[file_unreadable]", "cut.wav", "damaged or cut off"};
        QTest::newRow("--audio, silent video")
            << generate("--audio", "clip.mp4") << QStringList{"error[file_unreadable]", "clip.mp4", "no audio stream"};
        QTest::newRow("--audio, several parts")
            << generate("--audio", "sound.wav") + QStringList{"--next-prompt", "b"}
            << QStringList{"--audio: the sound of", "sound.wav", "add it to the finished file"};
        QTest::newRow("--audio, missing, plan") << QStringList{"plan", "--audio", folder_.filePath("gone.wav")}
                                                << QStringList{"error[file_not_found]", "gone.wav"};
        QTest::newRow("--codec, unknown, plan")
            << QStringList{"plan", "--codec", "nope"} << QStringList{"error[codec_missing]", "nope", "libx264"};
        QTest::newRow("--crf, too large, plan")
            << QStringList{"plan", "--crf", "52"}
            << QStringList{"error[bad_request]: --crf is 52, but the encoder libx264 takes 0 to 51"};
        QTest::newRow("--crf, without effect, plan")
            << QStringList{"plan", "--crf", "20", "--output", "a.gif"}
            << QStringList{"the encoder gif has no crf setting", "or leave --crf out"};
        QTest::newRow("--crf, too large, export")
            << QStringList{"export", folder_.filePath("clip.mp4"), output(), "--crf", "60"}
            << QStringList{"error[bad_request]: --crf is 60"};
        QTest::newRow("--crf and --codec, export to pictures")
            << QStringList{"export",
                           folder_.filePath("clip.mp4"),
                           folder_.filePath("out/frames"),
                           "--crf",
                           "20",
                           "--codec",
                           "libx264"}
            << QStringList{"or leave --codec out and leave --crf out"};
        QTest::newRow("--request, no JSON")
            << QStringList{"plan", "--request", folder_.filePath("text.json")} << QStringList{"error["};
        QTest::newRow("--request, no settings") << QStringList{"plan", "--request", folder_.filePath("clip.mp4")}
                                                << QStringList{"error[no_settings]", "clip.mp4"};
        QTest::newRow("another frame rate") << generate("--continue", "clip.mp4") + QStringList{"--fps", "5"}
                                            << QStringList{"--fps is 5, but the video to continue has 10"};
        for (const QString command : {"plan", "inspect", "export", "finish", "compare"}) {
            QStringList words{command};
            if (command == "plan")
                words << "--prompt"
                      << "a"
                      << "--continue";
            words << folder_.filePath("cut.mp4");
            if (command == "compare") words << folder_.filePath("clip.mp4");
            if (command == "export") words << output();
            if (command == "finish") words << "--audio" << folder_.filePath("sound.wav") << "-o" << output();
            QTest::addRow("%s, cut off", qPrintable(command)) << words << QStringList{"error[", "cut.mp4"};
        }
        QTest::newRow("verify, missing") << QStringList{"verify", folder_.filePath("gone")}
                                         << QStringList{"error[", "gone"};
    }
    void bad_files() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, parts);
        make_bad_files();
        const ProcessResult result = run_cli(arguments);
        for (const QString& part : parts) check(result, 2, part);
    }

    /// Standard output belongs to the protocol.
    void an_engine_that_cannot_serve_ends_before_it_greets_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("part");
        QTest::newRow("folder that cannot be created")
            << QStringList{"--jobs", "/proc/jobs"} << "jobs cannot be saved in /proc/jobs: ";
        QTest::newRow("file instead of a folder")
            << QStringList{"--jobs", cli_program()} << "jobs cannot be saved in " + cli_program();
        QTest::newRow("no such device") << QStringList{"--device", "cuda:99"}
                                        << "device 'cuda:99' does not exist; this computer has: ";
        QTest::newRow("no device") << QStringList{"--device", "cpu:"} << "device 'cpu:' does not exist";
    }
    void an_engine_that_cannot_serve_ends_before_it_greets() {
        QFETCH(QStringList, flags);
        QFETCH(QString, part);
        const ProcessResult result = run_cli(QStringList{"serve"} + flags);
        check(result, 2, part);
        QVERIFY(result.out.isEmpty());
    }

    /// Each of these inputs once crashed the program or made it hang.
    void hostile_files_are_bad_requests_data() {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part");
        QTest::newRow("nested request") << "--request"
                                        << "deep.json"
                                        << "nested deeper than 64 levels";
        QTest::newRow("nested line of a batch") << "--batch"
                                                << "deep.json"
                                                << "nested deeper than 64 levels";
        QTest::newRow("pipe as request") << "--request"
                                         << "pipe"
                                         << "it is a pipe or a device";
        QTest::newRow("pipe as batch") << "--batch"
                                       << "pipe"
                                       << "it is a pipe or a device";
        QTest::newRow("device as request") << "--request"
                                           << "/dev/zero"
                                           << "it is a pipe or a device";
    }
    void hostile_files_are_bad_requests() {
        QFETCH(QString, flag);
        QFETCH(QString, file);
        QFETCH(QString, part);
        QFile deep(folder_.filePath("deep.json"));
        QVERIFY(deep.open(QIODevice::WriteOnly));
        deep.write("{\"prompt\":" + QByteArray("[").repeated(200'000));
        deep.close();
        ::mkfifo(folder_.filePath("pipe").toUtf8(), 0600);
        const ProcessResult result = run_cli({"generate", flag, QDir(folder_.path()).filePath(file)});
        QVERIFY2(result.err.contains(part.toUtf8()), result.err);
        QVERIFY2(result.exit_code == 1 || result.exit_code == 2, result.err);
    }

    void invalid_utf8_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("Latin-1") << QByteArray("caf\\351 noir");
        QTest::newRow("truncated character") << QByteArray("a\\342\\202");
    }

    /// Uses a shell, because QProcess passes only valid text.
    void invalid_utf8() {
        QFETCH(QByteArray, bytes);
        const QString script = QString("exec '%1' generate --model '%2' --output '%3' --prompt \"$(printf '%4')\"")
                                   .arg(cli_program(), tiny_model(), output(), bytes);
        QProcess shell;
        shell.start("sh", {"-c", script});
        QVERIFY(shell.waitForFinished(60000));
        check({shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()}, 2,
              "prompt is not valid UTF-8");
    }

    /// A saved job would name another file.
    void a_name_that_is_not_utf8() {
        const QString script =
            QString("exec '%1' generate --model '%2' --prompt a --output \"$(printf 'caf\\351.mp4')\"")
                .arg(cli_program(), tiny_model());
        QProcess shell;
        shell.setWorkingDirectory(folder_.path());
        shell.start("sh", {"-c", script});
        QVERIFY(shell.waitForFinished(60000));
        check({shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()}, 2, "is not valid UTF-8");
    }

    void existing_output_is_not_replaced() {
        const QString file = folder_.filePath("precious.mp4");
        QFile precious(file);
        QVERIFY(precious.open(QIODevice::WriteOnly));
        precious.write("precious");
        precious.close();
        check(run_cli(generate_arguments(tiny_model(), file)), 2, "error[output_exists]");
        QVERIFY(precious.open(QIODevice::ReadOnly));
        QCOMPARE(precious.readAll(), QByteArray("precious"));
    }

    void a_missing_output_folder_is_created_and_reported() {
        const QString folder = folder_.filePath("made/here");
        const ProcessResult result =
            run_cli(generate_arguments(tiny_model(), folder + "/video.mp4", {"--latents", folder + "/l.safetensors"}));
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("info: creating the output folder " + folder.toUtf8() + "\n"), result.err);
        QCOMPARE(result.err.count("creating the output folder"), 1);
        QVERIFY(QFile::exists(folder + "/l.safetensors"));
    }

    void a_refused_run_leaves_no_folders() {
        const QString folder = folder_.filePath("not/made");
        QCOMPARE(run_cli(generate_arguments(tiny_model(), "/proc/video.mp4", {"--frames", folder + "/f"})).exit_code,
                 2);
        QVERIFY(!QFile::exists(folder_.filePath("not")));
    }

    void a_full_disk_under_the_log_costs_only_the_log() {
        const QString folder = folder_.filePath("small_log");
        const SmallDisk disk(folder);
        if (!disk.mounted()) QSKIP("mounting a file system is not permitted");
        const QString video = folder_.filePath("logged.mp4");
        const ProcessResult result = run_cli(generate_arguments(
            tiny_model(), video,
            {"--numeric-log", folder + "/log.jsonl", "--frames", folder + "/f.safetensors", "--preview-dir", folder}));
        QCOMPARE(result.exit_code, 0);
        QVERIFY(QFile::exists(video));
        QVERIFY2(result.err.contains("ends early: No space left on device; the run continues without it"), result.err);
        QVERIFY2(result.err.contains("the video is complete, but its numeric log"), result.err);
        QFile log(folder + "/log.jsonl");
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray text = log.readAll();
        QVERIFY(text.isEmpty() || text.endsWith('\n'));
    }

    void results_that_cannot_be_printed_are_a_failure_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"devices --json", "devices", "models --json", "presets --json", "--help"})
            QTest::newRow(command) << command;
    }
    void results_that_cannot_be_printed_are_a_failure() {
        QFETCH(QString, command);
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(cli_program(), command.split(' '));
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("cannot be written to standard output"));
    }

    /// Not even a step fits, so that the job starts again.
    void a_file_size_limit_is_named_and_the_job_is_kept() {
        const QMap<QString, QString> state{{"XDG_STATE_HOME", folder_.filePath("limited state")}};
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("XDG_STATE_HOME", state.value("XDG_STATE_HOME"));
        QProcess process;
        process.setProcessEnvironment(variables);
        const QStringList flags{"--crf", "0", "--width", "96", "--height", "64", "--num-frames", "17", "--steps", "1"};
        const QStringList command = generate_arguments(tiny_model(), folder_.filePath("limited.mp4"), flags);
        process.start("sh", QStringList{"-c", "ulimit -f 40; exec \"$@\"", "sh", cli_program()} + command);
        QVERIFY(process.waitForFinished(120000));
        const QByteArray err = process.readAllStandardError();
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(err.contains("limited.mp4 is too large: files of this process are limited to") &&
                     err.contains("(ulimit -f)"),
                 err);
        QVERIFY2(err.contains("the finished step is lost, because it could not be saved"), err);
        QVERIFY2(err.contains("kinescope-cli resume 1 tries again"), err);
        QVERIFY(!QFile::exists(folder_.filePath("limited.mp4")));
        const auto resumed = run_cli({"resume"}, state);
        QVERIFY2(resumed.exit_code == 0, resumed.err);
        QVERIFY(QFile::exists(folder_.filePath("limited.mp4")));
    }

    void plans_consider_process_limits_data() {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QByteArray>("words");
        if (!kinescope::testing::kAddressSanitizer) {
            QTest::newRow("address space")
                << "ulimit -v 3000000" << QByteArray("the address space is limited (ulimit -v)");
            QTest::newRow("data segment")
                << "ulimit -d 2000000" << QByteArray("the data segment is limited (ulimit -d)");
        }
        QTest::newRow("file size") << "ulimit -f 20" << QByteArray("Files are limited to");
        QTest::newRow("open files") << "ulimit -n 12"
                                    << QByteArray("At most 12 files may be open at the same time (ulimit -n)");
    }
    void plans_consider_process_limits() {
        QFETCH(QString, limit);
        QFETCH(QByteArray, words);
        QProcess process;
        process.start("sh", {"-c", limit + "; exec \"$@\"", "sh", cli_program(), "plan", "--model", "builtin",
                             "--prompt", "a", "--device", "cpu"});
        QVERIFY(process.waitForFinished(120000));
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0 && out.contains(words), out + process.readAllStandardError());
    }

    /// The libraries need memory before main() begins, and each thread needs some for its stack.
    void a_lack_of_memory_never_crashes_the_program_data() {
        QTest::addColumn<QString>("limit");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers reserve address space");
#endif
        for (int mib = 500; mib <= 900; mib += 20)
            QTest::addRow("address space %d MiB", mib) << QStringLiteral("ulimit -v %1").arg(mib * 1024);
        for (int mib = 20; mib <= 180; mib += 20)
            QTest::addRow("data segment %d MiB", mib) << QStringLiteral("ulimit -d %1").arg(mib * 1024);
        for (int mib = 102; mib < 120; mib += 2)  // the libraries have enough, but the first thread has not
            QTest::addRow("data segment %d MiB", mib) << QStringLiteral("ulimit -d %1").arg(mib * 1024);
    }
    void a_lack_of_memory_never_crashes_the_program() {
        QFETCH(QString, limit);
        QProcess process;
        process.start("sh", QStringList{"-c", limit + "; exec \"$@\"", "sh", cli_program()} +
                                generate_arguments(tiny_model(), output(), {"--overwrite"}));
        QVERIFY(process.waitForFinished(120000));
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit, err);
        QVERIFY2(!err.contains("bug in Kinescope"), err);
        QFile::remove(output());
    }

    void a_measurement_that_lacks_memory_says_so() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers reserve address space");
#endif
        QProcess process;
        const auto command = QStringLiteral(
            "bench --prompt a --device cpu --threads 1 --width 1024 --height 1024 --num-frames 161 --steps 1 --repeats "
            "1");
        process.start("sh",
                      QStringList{"-c", "ulimit -v 1200000; exec \"$@\"", "sh", cli_program()} + command.split(' '));
        QVERIFY(process.waitForFinished(120000));
        const QByteArray err = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(err.startsWith("error[out_of_memory]"), err);
    }

    void without_proc_the_program_finds_its_own_files() {
        QProcess process;
        const QString script = QStringLiteral("mount -t tmpfs none /proc && exec \"$@\"");
        process.start("unshare", {"--mount", "sh", "-c", script, "sh", cli_program(), "devices"});
        if (!process.waitForFinished(120000) || process.exitCode() == 1 || process.exitCode() == 32)
            QSKIP("hiding /proc requires permission to mount");
        QCOMPARE(process.exitCode(), 0);
    }

    void a_full_disk_leaves_no_video() {
        const QString folder = folder_.filePath("small");
        const SmallDisk disk(folder);
        if (!disk.mounted()) QSKIP("mounting a file system is not permitted");
        const QStringList flags{"--crf", "0", "--width", "96", "--height", "64", "--num-frames", "17", "--steps", "1"};
        check(run_cli(generate_arguments(tiny_model(), folder + "/video.mp4", flags)), 1, "error[disk_full]");
        QVERIFY(QDir(folder).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestBadInput)
#include "test_bad_input.moc"
