#include <sys/wait.h>
#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>

#include "core/api/steps_of_other_setup.h"
#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "core/jobs/model_fingerprint.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/core/jobs/long_video_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

/// What a video of several parts keeps on the disk, and what becomes of it: damage, jobs that are not saved, logs.
class TestKeptParts : public LongVideoFixture {
    Q_OBJECT

private:
    /// Makes a complete video with fewer frames than a part.
    QString shorter_video() const {
        VideoRequest shorter = request("shorter.mkv");
        shorter.num_frames = kFrames - 4;
        shorter.output.codec = "ffv1";
        recorder_->wait(engine_->jobs().submit(shorter));
        return file("shorter.mkv");
    }

    QString first_part(JobId job) const { return file(QStringLiteral("jobs/%1/part-1/").arg(job)); }

    /// Replaces the video of the first part. The size of the file does not show it.
    void replace_first_part(JobId job, const QString& video) const {
        const QString part = first_part(job);
        QVERIFY(QFile::remove(part + "frames.mkv") && QFile::copy(video, part + "frames.mkv"));
        change(part + "result.json", [&](QJsonObject& result) { result["output_bytes"] = QFile(video).size(); });
    }

    /// Runs a job until its first part is complete and the second one has not begun.
    JobId pause_between_parts(const VideoRequest& request) {
        recorder_->on_phase = [this](JobId job, const PhaseStarted& phase) {
            if (phase.phase == Phase::save) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request);
        recorder_->wait(job);
        recorder_->on_phase = {};
        return job;
    }

    /// Changes a document of a job.
    static void change(const QString& name, const std::function<void(QJsonObject&)>& change) {
        QJsonObject document = QJsonDocument::fromJson(bytes_of(name)).object();
        change(document);
        QFile saved(name);
        QVERIFY(saved.open(QIODevice::WriteOnly) && saved.write(QJsonDocument(document).toJson()) > 0);
    }

    /// Adds a tensor that no model uses, so that only samples of the file are compared.
    static void enlarge(const std::filesystem::path& weights) {
        const SafetensorsReader reader(weights);
        std::map<std::string, Tensor> tensors;
        for (const TensorEntry& entry : reader.entries()) tensors[entry.name] = reader.read(entry.name).clone();
        tensors["unused"] = at::zeros({kMostHashedBytes}, at::kByte);
        write_safetensors(weights, tensors, reader.metadata());
    }

    /// Replaces the file, because a program may have mapped it.
    static void flip_a_bit(const QString& name) {
        QByteArray bytes = bytes_of(name);
        const auto offset = bytes.size() / 64 * 30 + 5003;
        bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
        QVERIFY(QFile::remove(name));
        QFile changed(name);
        QVERIFY(changed.open(QIODevice::WriteOnly) && changed.write(bytes) == bytes.size());
    }

    /// Continues a job that cannot go on with the setup of its first part. `ends`: of the job in this process.
    void expect_other_setup(JobId job, int ends, const char* reason) {
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, ends));
        QCOMPARE(failed.size(), std::size_t{1});
        const Error& error = failed[0].error;
        QCOMPARE(error.argument("cause"), std::string(kStepsOfOtherSetup));
        QVERIFY2(error.message().starts_with("what is saved in "), error.what());  // frames or steps
        QVERIFY2(error.message().find("part-1 cannot be continued: ") != std::string::npos, error.what());
        QVERIFY2(error.message().find(reason) != std::string::npos, error.what());
        QVERIFY2(error.hint().find("--start-over") != std::string::npos, error.hint().c_str());
    }

    QStringList temporary_folders() const {
        const QStringList names{"kinescope-*"};
        return QDir(folder_->path()).entryList(names, QDir::Dirs) +
               QDir(file("cache/kinescope/temporary")).entryList(names, QDir::Dirs);
    }

    void make_folders_old() const {
        for (const QString& name : temporary_folders())
            for (const QString& parent : {folder_->path(), file("cache/kinescope/temporary")})
                if (const auto folder = (parent + "/" + name).toStdString(); std::filesystem::exists(folder))
                    std::filesystem::last_write_time(
                        folder, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    }

    /// Starts a program that has a temporary folder. Returns its process id.
    static pid_t start_program() {
        std::array<int, 2> ready{};
        if (::pipe(ready.data()) != 0) return -1;
        const pid_t program = ::fork();
        if (program == 0) {
            const TemporaryFolder folder("parts");
            if (::write(ready[1], "1", 1) == 1) ::pause();
            ::_exit(0);
        }
        char made = 0;
        if (::read(ready[0], &made, 1) != 1) return -1;
        for (const int end : ready) ::close(end);
        return program;
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    /// A copy that was cut short by a full disk has another size than the part.
    void a_truncated_part_is_made_again() {
        const QByteArray expected = unbroken_frames();
        const JobId job = pause_after(long_request("cut"), kSteps + 1);
        QFile video(file(QStringLiteral("jobs/%1/part-1/frames.mkv").arg(job)));
        QVERIFY(video.resize(video.size() / 2));
        start_engine();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunStarted>(events).at(0).part, 0);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("cut.safetensors")), expected);
    }

    /// Neither the size nor the hash of the file shows the damage.
    void a_part_with_too_few_frames_is_made_again() {
        const QByteArray expected = unbroken_frames();
        const QString shorter = shorter_video();
        const JobId job = pause_after(long_request("few"), 2 * kSteps + 1);
        replace_first_part(job, shorter);
        change(first_part(job) + "result.json", [&](QJsonObject& result) {
            result["video_sha256"] = QString::fromStdString(sha256_of_file(shorter.toStdString()));
        });
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(failed[0].error.code()), static_cast<int>(ErrorCode::file_unreadable));
        QVERIFY(QString::fromStdString(failed[0].error.message()).startsWith("part 1 of the video"));
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 3);
        const auto finished = of_type<RunFinished>(events);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(engine_->videos().describe_video(path("few.mp4")).num_frames, finished[0].result.num_frames);
        QCOMPARE(bytes_of(file("few.safetensors")), expected);
    }

    void a_changed_part_is_found_before_the_next_one_is_made() {
        const QByteArray expected = unbroken_frames();
        const QString shorter = shorter_video();
        const JobId job = pause_after(long_request("next"), kSteps + 1);
        replace_first_part(job, shorter);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        // The first step of the second part is made again, because it may have begun with damaged frames.
        QCOMPARE(std::ranges::count(of_type<StepCompleted>(events), kSteps, &StepCompleted::step), 2);
        QCOMPARE(bytes_of(file("next.safetensors")), expected);
        QCOMPARE(files_of_job(job), std::vector<std::string>{"job.json"});
    }

    void a_part_of_which_something_is_unknown_is_made_again_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"video_frames", "video_sha256", "setup"}) QTest::newRow(key) << key;
    }

    void a_part_of_which_something_is_unknown_is_made_again() {
        QFETCH(QString, key);
        const QByteArray expected = unbroken_frames();
        const JobId job = pause_between_parts(long_request("unknown"));
        change(first_part(job) + "result.json", [&](QJsonObject& result) { result.remove(key); });
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(events).back().part, 0);
        QCOMPARE(bytes_of(file("unknown.safetensors")), expected);
    }

    /// Neither the size nor the number of frames shows the damage.
    void a_part_with_a_changed_byte_is_made_again() {
        const QByteArray expected = unbroken_frames();
        const JobId job = pause_after(long_request("byte"), 2 * kSteps + 1);
        const QString part = file(QStringLiteral("jobs/%1/part-1/").arg(job));
        QByteArray video = bytes_of(part + "frames.mkv");
        video[video.size() / 2] = static_cast<char>(~video[video.size() / 2]);
        QFile changed(part + "frames.mkv");
        QVERIFY(changed.open(QIODevice::WriteOnly) && changed.write(video) == video.size());
        changed.close();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto lines = of_type<LogLine>(events);
        QVERIFY(std::ranges::any_of(
            lines, [](const LogLine& line) { return line.text.starts_with("part 1 of the video is damaged"); }));
        QCOMPARE(bytes_of(file("byte.safetensors")), expected);
    }

    /// The system may kill the process that reads the parts, for example if it lacks memory.
    void a_part_that_cannot_be_read_for_now_is_kept() {
        const JobId job = pause_after(long_request("kept"), 2 * kSteps + 1);
        start_engine(path("jobs"), "/bin/false");
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(failed[0].error.code()), static_cast<int>(ErrorCode::file_unreadable));
        for (int part = 1; part <= 2; ++part)
            QVERIFY(QFile::exists(file(QStringLiteral("jobs/%1/part-%2/frames.mkv").arg(job).arg(part))));
        start_engine();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps - 1});
    }

    void a_model_that_changed_between_two_parts_is_refused_data() {
        QTest::addColumn<bool>("is_saved");
        QTest::newRow("in a later session") << true;
        QTest::newRow("not saved on disk") << false;
    }

    /// The first part would be of one model and the second part of another.
    void a_model_that_changed_between_two_parts_is_refused() {
        QFETCH(bool, is_saved);
        const QByteArray expected = unbroken_frames();
        std::filesystem::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", path("model"),
                              std::filesystem::copy_options::recursive);
        const QString weights = file("model/transformer/diffusion_pytorch_model.safetensors");
        VideoRequest whole = long_request("changed");
        whole.model = path("model").string();
        if (!is_saved) start_engine({});
        const JobId job = pause_between_parts(whole);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).at(0).step, kSteps);
        if (is_saved) start_engine();
        const int ends = is_saved ? 1 : 2;
        flip_a_bit(weights);
        expect_other_setup(job, ends, "another model");
        QCOMPARE(engine_->jobs().find(job)->step, kSteps);
        flip_a_bit(weights);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, ends + 1);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("changed.safetensors")), expected);
    }

    void a_model_that_changes_between_two_parts_of_a_run_is_refused() {
        std::filesystem::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", path("model"),
                              std::filesystem::copy_options::recursive);
        VideoRequest whole = long_request("changing");
        whole.model = path("model").string();
        const QString weights = file("model/transformer/diffusion_pytorch_model.safetensors");
        recorder_->on_phase = [&](JobId, const PhaseStarted& phase) {
            if (phase.phase == Phase::save) flip_a_bit(weights);
        };
        const auto events = recorder_->wait(engine_->jobs().submit(whole));
        recorder_->on_phase = {};
        const auto failed = of_type<RunFailed>(events);
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.argument("cause"), std::string(kStepsOfOtherSetup));
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps});
    }

    void parts_are_continued_only_with_the_request_that_made_them_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("seed") << "seed" << QJsonValue(7);
        QTest::newRow("prompt") << "prompt" << QJsonValue("a blue ball");
    }

    /// A job file without a checksum may have been edited by hand.
    void parts_are_continued_only_with_the_request_that_made_them() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        const JobId job = pause_between_parts(long_request("edited"));
        engine_.reset();
        change(file(QStringLiteral("jobs/%1/job.json").arg(job)), [&](QJsonObject& document) {
            document.remove("checksum");
            QJsonObject request = document["request"].toObject();
            request[key] = value;
            document["request"] = request;
        });
        start_engine();
        expect_other_setup(job, 1, "other settings");
        engine_->jobs().retry(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
    }

    void a_part_of_another_device_is_kept_with_a_warning() {
        const JobId job = pause_between_parts(long_request("moved"));
        change(file(QStringLiteral("jobs/%1/part-1/result.json").arg(job)), [](QJsonObject& result) {
            QJsonObject setup = result["setup"].toObject();
            setup["fingerprint"] = "other";
            setup["made_on"] = "cuda:0 B";
            result["setup"] = setup;
        });
        start_engine();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{2 * kSteps});
        const std::string words = "(cuda:0 B) and continues after step " + std::to_string(kSteps) + " on cpu";
        const auto lines = of_type<LogLine>(events);
        QCOMPARE(std::ranges::count_if(lines,
                                       [&](const LogLine& line) { return line.text.find(words) != std::string::npos; }),
                 1);
    }

    void a_modified_file_of_the_model_of_a_complete_part_is_named_in_a_warning_data() {
        QTest::addColumn<int>("seconds");
        QTest::newRow("modified") << 2;
        QTest::newRow("as it was") << 0;
    }
    void a_modified_file_of_the_model_of_a_complete_part_is_named_in_a_warning() {
        QFETCH(int, seconds);
        namespace fs = std::filesystem;
        const fs::path model = path("model");
        fs::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", model, fs::copy_options::recursive);
        VideoRequest request = long_request("modified");
        request.model = model.string();
        const fs::path weights = model / "transformer/diffusion_pytorch_model.safetensors";
        enlarge(weights);
        const JobId job = pause_between_parts(request);
        fs::last_write_time(weights, fs::last_write_time(weights) + std::chrono::seconds(seconds));
        start_engine();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{2 * kSteps});  // the complete part is kept
        const std::string words = "modification times than when the job began: " + weights.string() + ";";
        const auto names_it = [&](const LogLine& line) {
            return line.level == LogLineLevel::warning && line.text.find(words) != std::string::npos;
        };
        QCOMPARE(std::ranges::count_if(of_type<LogLine>(events), names_it), seconds > 0 ? 1 : 0);
    }

    /// The parts after the damaged one are complete. Decoding early would leave them out and delete them.
    void only_the_damaged_part_is_made_again() {
        const auto four_parts = [this](const QString& name) {
            VideoRequest whole = long_request(name);
            whole.next_prompts.push_back("a red ball moving down");
            return whole;
        };
        recorder_->wait(engine_->jobs().submit(four_parts("whole")));
        const JobId job = pause_after(four_parts("second"), 3 * kSteps + 1);
        QVERIFY(QFile::remove(file(QStringLiteral("jobs/%1/part-2/frames.mkv").arg(job))));
        start_engine();
        engine_->jobs().decode_now(job);
        const auto refused = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(refused[0].error.code()), static_cast<int>(ErrorCode::bad_request));
        start_engine();
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps + 2});
        QCOMPARE(bytes_of(file("second.safetensors")), written_bytes_of(file("whole.safetensors")));
    }

    void a_job_that_is_not_saved_keeps_its_parts_as_long_as_the_program_runs() {
        const QByteArray expected = unbroken_frames();
        start_engine({});
        const JobId job = pause_after(long_request("unsaved"), kSteps + 1);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).at(0).step, kSteps + 1);
        QCOMPARE(engine_->jobs().find(job)->step, kSteps + 1);
        QVERIFY(!temporary_folders().isEmpty());
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{3 * kSteps});
        QCOMPARE(bytes_of(file("unsaved.safetensors")), expected);
        QTRY_COMPARE(temporary_folders(), QStringList());
    }

    void the_finished_parts_of_a_job_that_is_not_saved_can_be_decoded() {
        start_engine({});
        const JobId job = pause_after(long_request("unsaved"), kSteps + 1);
        engine_->jobs().decode_now(job);
        const auto finished = of_type<RunFinished>(recorder_->wait(job, 2));
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.stopped_after_step, kSteps + 1);
    }

    void a_removed_job_that_is_not_saved_leaves_no_parts() {
        start_engine({});
        const JobId job = pause_after(long_request("removed"), kSteps + 1);
        engine_->jobs().remove(job);  // removed a moment later if its thread has not noted the pause yet
        QTRY_COMPARE(temporary_folders(), QStringList());
    }

    void a_job_that_is_not_saved_needs_no_cache_folder() {
        QFile cache(file("cache"));
        QVERIFY(cache.open(QIODevice::WriteOnly));
        start_engine({});
        const JobId job = pause_after(long_request("unsaved"), kSteps + 1);
        QCOMPARE(temporary_folders().size(), qsizetype{1});
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
    }

    void the_next_start_removes_the_folders_of_programs_that_were_killed() {
        engine_.reset();
        const pid_t killed = start_program();
        const pid_t running = start_program();
        QVERIFY(killed > 0 && running > 0);
        ::kill(killed, SIGKILL);
        ::waitpid(killed, nullptr, 0);
        QCOMPARE(temporary_folders().size(), qsizetype{2});
        start_engine();
        const QStringList young = temporary_folders();
        make_folders_old();
        start_engine();
        const QStringList kept = temporary_folders();
        ::kill(running, SIGKILL);
        ::waitpid(running, nullptr, 0);
        QCOMPARE(young.size(), qsizetype{2});  // the programs of young folders may not hold their locks yet
        QCOMPARE(kept.size(), qsizetype{1});
        QVERIFY(kept[0].contains(QStringLiteral("-%1-").arg(running)));
        start_engine();
        QCOMPARE(temporary_folders(), QStringList());
    }

    void the_folders_of_others_are_kept() {
        const QStringList names{"kinescope-20261128-test", "kinescope-files-4194305-0123456789ab",
                                "kinescope-temporary-parts-4194305-x1Y2z3",
                                "kinescope-temporary-parts-another_computer-4194305-x1Y2z3"};
        for (const QString& name : names) {
            QVERIFY(QDir().mkdir(file(name)));
            QFile lock(file(name + "/lock"));
            QVERIFY(lock.open(QIODevice::WriteOnly));
        }
        make_folders_old();
        start_engine();
        QCOMPARE(temporary_folders(), names);
    }

    void a_job_that_is_retried_in_its_last_part_replaces_its_own_log() {
        VideoRequest logged = long_request("logged");
        logged.output.numeric_log = path("log.jsonl");
        const JobId job = pause_after(logged, 2 * kSteps + 1);
        QVERIFY(!bytes_of(file("log.jsonl")).isEmpty());
        engine_->jobs().retry(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const QByteArray header = bytes_of(file("log.jsonl")).split('\n').first();
        QVERIFY2(header.contains("header") && !header.contains("frames.mkv"), header.constData());
    }

    void a_log_that_appears_before_the_last_part_is_not_replaced() {
        VideoRequest logged = long_request("foreign");
        logged.output.numeric_log = path("log.jsonl");
        const JobId job = pause_after(logged, kSteps + 1);
        QFile other(file("log.jsonl"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(failed[0].error.code()), static_cast<int>(ErrorCode::output_exists));
    }

    void a_log_that_an_edit_names_is_not_replaced() {
        VideoRequest logged = request("edited.mp4");
        logged.output.numeric_log = path("log.jsonl");
        const JobId job = pause_after(logged, 1);
        QFile other(file("other.jsonl"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        engine_->jobs().hold();
        engine_->jobs().resume(job);
        logged.output.numeric_log = path("other.jsonl");
        engine_->jobs().edit(job, logged);
        engine_->jobs().release();
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(failed[0].error.code()), static_cast<int>(ErrorCode::output_exists));
    }

    void only_folders_of_parts_are_removed() {
        const JobId job = pause_after(long_request("other"), kSteps + 1);
        QVERIFY(QDir().mkdir(file(QStringLiteral("jobs/%1/part-two").arg(job))));
        recorder_->wait(job);
        engine_->jobs().resume(job);
        recorder_->wait(job, 2);
        QCOMPARE(files_of_job(job), (std::vector<std::string>{"job.json", "part-two"}));
    }
};

QTEST_GUILESS_MAIN(TestKeptParts)
#include "test_kept_parts.moc"
