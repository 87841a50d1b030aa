#include <unistd.h>
#include <QTemporaryFile>
#include <algorithm>

#include "core/api/fetched_job.h"
#include "core/base/byte_channel.h"
#include "core/base/piped_child.h"
#include "core/base/sha256.h"
#include "core/base/stopwatch.h"
#include "core/computers/command_words.h"
#include "core/computers/computer_group.h"
#include "core/computers/computer_link.h"
#include "core/computers/file_calls.h"
#include "core/computers/file_names.h"
#include "core/computers/file_store.h"
#include "core/protocol/message.h"
#include "core/remote/message_channel.h"
#include "tests/app/computer_campaign.h"
#include "tests/app/stub_engine.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

template <class Call>
std::optional<Error> error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// A sound, 16 bits, mono, 8 kHz: by default, of half a second.
void write_sound(const fs::path& file, std::uint32_t num_bytes = 8000) {
    const auto little_endian = [](std::uint32_t number) {
        std::string bytes(4, '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(number & 0xff);
            number >>= 8;
        }
        return bytes;
    };
    const std::string format("WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data", 32);
    std::string samples(num_bytes, '\0');
    for (std::size_t i = 1; i < samples.size(); i += 2) samples[i] = static_cast<char>(i % 32);
    std::ofstream(file, std::ios::binary)
        << "RIFF" << little_endian(36 + num_bytes) << format << little_endian(num_bytes) << samples;
}

/// A model with a copy, both on this computer. The map makes the copy that of the other computer; when it is gone, the
/// model itself is found there.
class MovedModel {
public:
    MovedModel() {
        for (const fs::path& copy : {here_, there_})
            fs::copy(KINESCOPE_SOURCE_DIR "/tests/data/wan_t2v/model", copy, fs::copy_options::recursive);
    }
    std::vector<PathMap> map() const { return {{here_, there_}}; }
    void move() const { fs::remove_all(there_); }
    VideoRequest request(const fs::path& output) const {
        VideoRequest request = small_request(output, 1);
        request.model = here_.string();
        request.width = 48;
        request.height = 32;
        return request;
    }

private:
    QTemporaryDir folder_;
    const fs::path here_ = folder_.filePath("here").toStdString();
    const fs::path there_ = folder_.filePath("there").toStdString();
};

/// Speaks to the kept engine without the client's classes.
class RawComputer {
public:
    explicit RawComputer(const std::string& command) : words_(computers::split_command(command)), child_(start()) {
        ignore_closed_readers();
        auto hello = std::get<protocol::Hello>(reader_.next(60).value());
        writer_.send(hello);
    }
    protocol::Answer call(const std::string& name, protocol::Json arguments) {
        writer_.send(protocol::Request{++last_, name, std::move(arguments)});
        while (auto message = reader_.next(60))
            if (auto* answer = std::get_if<protocol::Answer>(&*message); answer != nullptr && answer->id == last_)
                return *answer;
        return {};
    }

private:
    PipedChild start() { return {"/usr/bin/env", {words_.begin() + 1, words_.end()}}; }

    std::vector<std::string> words_;
    PipedChild child_;
    remote::MessageReader reader_{child_.output()};
    remote::MessageWriter writer_{child_.input()};
    protocol::RequestId last_ = 0;
};

/// The standard error of this process, while the object lives.
class StandardError {
public:
    StandardError() : before_(::dup(STDERR_FILENO)) {
        file_.open();
        ::dup2(file_.handle(), STDERR_FILENO);
    }
    ~StandardError() {
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
    }
    QByteArray text() {
        file_.seek(0);
        return file_.readAll();
    }

private:
    QTemporaryFile file_;
    const int before_;
};

}  // namespace

/// The other computer is another home folder on this one; ssh is left out. See test_computers_ssh.
class TestComputers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_video_from_another_computer_equals_a_local_one() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        QCOMPARE(computer.engine().status().state, ComputerState::idle);
        VideoRequest request = small_request(computer.file("out/a.mp4"), 1);
        request.output.numeric_log = computer.file("out/a.jsonl");
        const JobId job = computer->jobs().submit(request);
        const auto events = computer.recorder.wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const RunResult result = of_type<RunFinished>(events)[0].result;
        QCOMPARE(result.output, request.output.file);
        QCOMPARE(result.numeric_log, request.output.numeric_log);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{4});
        QVERIFY(of_type<RunStarted>(events).at(0).request.output.file == request.output.file);
        QVERIFY(bytes_of(request.output.file) == local_videos(1)[0]);
        QVERIFY(bytes_of(request.output.numeric_log).find("\"step\"") != std::string::npos);
        QTRY_COMPARE(computer.engine().status().num_open_jobs, 0);
        QCOMPARE(computer.names(), (QStringList{"a.jsonl", "a.mp4"}));
        QVERIFY(fs::is_empty(there.engine_folder() / "files/results"));
        QCOMPARE(computer->jobs().list().at(0).state, JobState::finished);
        QCOMPARE(computer->catalog().plan(request).request.output.file, request.output.file);
        const ComputerFacts facts = computer.engine().facts();
        QVERIFY(!facts.devices.empty());
        QVERIFY(facts.num_models >= 1);
        QVERIFY(facts.free_disk_bytes && *facts.free_disk_bytes > 0);
        QCOMPARE(facts.num_open_jobs, 0);
        QVERIFY(there.engine_process() > 0);
        computer.close();
        there.wait_until_idle();
        QTRY_COMPARE(there.engine_process(), 0);
    }

    void inputs_travel_with_the_request() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        VideoRequest request = small_request(computer.file("out/a.mp4"), 1);
        request.finish.audio.file = computer.file("sound.wav");
        write_sound(request.finish.audio.file);
        const JobId job = computer->jobs().submit(request);
        const auto events = computer.recorder.wait(job);
        for (const RunFailed& failed : of_type<RunFailed>(events)) QFAIL(failed.error.what());
        QCOMPARE(of_type<RunStarted>(events).at(0).request.finish.audio.file, request.finish.audio.file);
        // The settings name the user's file, not the copy on the other computer.
        const VideoRequest settings = computer->videos().read_settings(request.output.file);
        QCOMPARE(settings.finish.audio.file, request.finish.audio.file);
        const std::string name = sha256_of_file(request.finish.audio.file) + ".wav";
        QVERIFY(bytes_of(there.engine_folder() / "files/inputs" / name) == bytes_of(request.finish.audio.file));
        request.output.file = computer.file("out/b.mp4");
        request.output.numeric_log = request.finish.audio.file;  // a name that is taken
        const auto refused = of_type<RunFailed>(computer.recorder.wait(computer->jobs().submit(request)));
        QCOMPARE(refused.at(0).error.code(), ErrorCode::output_exists);
        request.output.numeric_log.clear();
        request.finish.audio.file = computer.file("none.wav");
        const auto failed = of_type<RunFailed>(computer.recorder.wait(computer->jobs().submit(request)));
        QCOMPARE(failed.at(0).error.code(), ErrorCode::file_not_found);
        // Frames arrive in the order in which this computer would read them, even if they are not pictures.
        fs::create_directory(computer.file("frames"));
        for (const char* file : {"2.png", "10.png", "notes.txt"}) std::ofstream(computer.file("frames") / file) << file;
        request.finish.audio.file.clear();
        request.video = computer.file("frames");
        request.output.file = computer.file("out/c.mp4");
        computer.recorder.wait(computer->jobs().submit(request));
        std::vector<std::string> arrived;
        for (const auto& entry : fs::recursive_directory_iterator(there.engine_folder() / "files/inputs"))
            if (entry.is_regular_file() && !entry.path().filename().string().ends_with(".wav"))
                arrived.push_back(entry.path().filename().string() + " " + bytes_of(entry.path()));
        std::ranges::sort(arrived);
        QCOMPARE(arrived, (std::vector<std::string>{"000000.png 2.png", "000001.png 10.png"}));
    }

    void frames_replace_those_of_an_earlier_video() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        VideoRequest request = small_request(computer.file("out/frames"), 1, 1);
        const fs::path folder = request.output.file;
        const auto run = [&](int num_frames) {
            request.num_frames = num_frames;
            return computer.recorder.wait(computer->jobs().submit(request));
        };
        const auto num_files = [&folder] {
            return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
        };
        QCOMPARE(of_type<RunFinished>(run(9)).size(), std::size_t{1});
        QCOMPARE(num_files(), std::ptrdiff_t{9});
        request.output.overwrite = OverwriteMode::overwrite;
        const auto finished = of_type<RunFinished>(run(5));
        QCOMPARE(finished.at(0).result.output, folder);
        QCOMPARE(num_files(), std::ptrdiff_t{5});
        QTRY_COMPARE(computer.engine().status().num_open_jobs, 0);
        QCOMPARE(std::distance(fs::directory_iterator(folder.parent_path()), fs::directory_iterator()),
                 std::ptrdiff_t{1});
        std::ofstream(folder / "mine.txt") << "mine";
        const auto failed = of_type<RunFailed>(run(9));
        QCOMPARE(failed.at(0).error.code(), ErrorCode::output_exists);
        QCOMPARE(num_files(), std::ptrdiff_t{6});
    }

    /// Inputs are named by their contents, but each video records the path that its own sender has.
    void two_senders_of_equal_inputs_get_their_own_paths_back() {
        const OtherComputer there;
        UsedComputer first(there.command());
        UsedComputer second(there.command());
        const JobId before = first->jobs().submit(small_request(first.file("out/before.mp4"), 1, 1000));
        std::vector<std::pair<UsedComputer*, VideoRequest>> senders;
        for (UsedComputer* computer : {&first, &second}) {
            VideoRequest request = small_request(computer->file("out/a.mp4"), 1);
            request.finish.audio.file = computer->file("sound.wav");
            write_sound(request.finish.audio.file);
            senders.emplace_back(computer, request);
        }
        std::vector<JobId> jobs;
        for (const auto& [computer, request] : senders) {
            jobs.push_back((*computer)->jobs().submit(request));
            QTRY_COMPARE_WITH_TIMEOUT(first.engine().facts().num_open_jobs, 1 + static_cast<int>(jobs.size()), 60'000);
        }
        first->jobs().cancel(before);
        for (std::size_t i = 0; i < senders.size(); ++i) {
            UsedComputer& computer = *senders[i].first;
            const VideoRequest& request = senders[i].second;
            for (const RunFailed& failed : of_type<RunFailed>(computer.recorder.wait(jobs[i])))
                QFAIL(failed.error.what());
            const VideoRequest settings = computer->videos().read_settings(request.output.file);
            QCOMPARE(settings.finish.audio.file, request.finish.audio.file);
            QVERIFY(settings.originals.empty());
        }
    }

    void a_file_beside_an_input_does_not_change_its_path() {
        const QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        EventRecorder recorder;
        const auto engine = local_engine(folder.filePath("jobs"), recorder);
        VideoRequest request = small_request(path / "a.mp4", 1);
        request.finish.audio.file = path / "sound.wav";
        write_sound(request.finish.audio.file);
        std::ofstream(path / ".sound.wav.origin") << "/somewhere/else.wav";
        recorder.wait(engine->jobs().submit(request));
        QCOMPARE(engine->videos().read_settings(request.output.file).finish.audio.file, request.finish.audio.file);
    }

    void questions_that_need_the_same_input_send_it_once() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        VideoRequest request = small_request(computer.file("out/a.mp4"), 1);
        request.finish.audio.file = computer.file("sound.wav");
        constexpr std::uint32_t kManyParts = std::uint32_t{48} << 20;
        write_sound(request.finish.audio.file, kManyParts);
        std::array<std::optional<Error>, 4> errors;
        {
            std::vector<std::jthread> threads;
            for (std::optional<Error>& error : errors)
                threads.emplace_back([&] { error = error_of([&] { computer->catalog().plan(request); }); });
        }
        for (const std::optional<Error>& error : errors) QVERIFY2(!error, error ? error->what() : "");
    }

    void a_model_that_was_moved_there_is_found_again() {
        const MovedModel model;
        const OtherComputer there;
        UsedComputer computer(there.command(), kVersion, model.map());
        VideoRequest request = model.request(computer.file("out/1.mp4"));
        const auto end_of = [&computer](const VideoRequest& wanted) {
            const auto events = computer.recorder.wait(computer->jobs().submit(wanted));
            const auto failed = of_type<RunFailed>(events);
            return failed.empty() ? QString() : QString::fromStdString(failed[0].error.message());
        };
        QCOMPARE(end_of(request), QString());
        model.move();
        request.output.file = computer.file("out/2.mp4");
        QCOMPARE(end_of(request), QString());
        QCOMPARE(computer.names(), (QStringList{"1.mp4", "2.mp4"}));
    }

    void a_job_whose_model_was_moved_there_can_start_over() {
        const MovedModel model;
        const OtherComputer there;
        UsedComputer computer(there.command(), kVersion, model.map());
        std::atomic<int> steps = 0;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        VideoRequest request = model.request(computer.file("out/1.mp4"));
        request.num_inference_steps = 100;
        const JobId job = computer->jobs().submit(request);
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        computer->jobs().pause(job, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(computer.recorder.wait(job)).size(), std::size_t{1});
        model.move();
        computer->jobs().resume(job);
        QCOMPARE(of_type<RunFailed>(computer.recorder.wait(job, 2)).size(), std::size_t{1});
        computer->jobs().retry(job);
        const auto events = computer.recorder.wait(job, 3);
        QCOMPARE(of_type<RunFailed>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QTRY_VERIFY_WITH_TIMEOUT(fs::is_empty(there.engine_folder() / "files/results"), 30'000);
    }

    void jobs_survive_killed_connections() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        const CampaignEnd end = run_with_kills(computer, 5, 1);
        QCOMPARE(end.num_kills, 10);
        QCOMPARE(end.num_right, 10);
        QCOMPARE(end.num_events, 10);
        QCOMPARE(end.names.size(), 10);
        QCOMPARE(end.left_there, std::size_t{0});
    }

    void jobs_go_on_while_this_program_is_closed() {
        constexpr int kSteps = 400;  // the run must not be over when the program is back
        const OtherComputer there;
        UsedComputer computer(there.command());
        std::atomic<int> steps = 0;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1, kSteps));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        computer.close();
        computer.open();
        const auto events = computer.recorder.wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(bytes_of(computer.file("out/1.mp4")) == local_videos(1, kSteps)[0]);
        // The program that was started again has been told where the run is.
        const auto begins = [](const RunEvent& event) { return std::holds_alternative<RunStarted>(event); };
        QCOMPARE(std::ranges::count_if(events, begins), std::ptrdiff_t{2});
        const auto again = std::ranges::find_if(std::ranges::find_if(events, begins) + 1, events.end(), begins);
        QVERIFY(std::get<RunStarted>(*again).request.output.file == computer.file("out/1.mp4"));
        QCOMPARE(std::get<PhaseStarted>(*(again + 1)).phase, Phase::denoise);
    }

    void a_job_goes_on_after_the_engine_there_was_killed() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        std::atomic<int> steps = 0;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1, 40));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        const pid_t engine = there.engine_process();
        QVERIFY(engine > 0);
        // The log of weeks is long. It must not hide how the engine ended.
        std::ofstream(there.engine_folder() / "engine.log", std::ios::app) << std::string(2'000'000, '\n');
        ::kill(engine, SIGKILL);
        const auto events = computer.recorder.wait(job);
        for (const RunFailed& failed : of_type<RunFailed>(events)) QFAIL(failed.error.what());
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(bytes_of(computer.file("out/1.mp4")) == local_videos(1, 40)[0]);
        const auto ends = of_type<EngineEnded>(events);
        QCOMPARE(ends.size(), std::size_t{1});
        QCOMPARE(ends[0].cause.code, std::string("ended_there"));
        QVERIFY(ends[0].last_lines.back().find("the engine was ended by SIGKILL") == 0);
        QCOMPARE(ends[0].job, AfterEngineEnd::goes_on);
    }

    /// Only the program that has started an engine can say how it ended.
    void the_end_of_an_engine_that_was_found_running_is_not_made_up() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        std::atomic<int> steps = 0;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1, 400));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        computer.close();
        computer.open();
        steps = 0;
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        ::kill(there.engine_process(), SIGKILL);
        const auto ends = of_type<EngineEnded>(computer.recorder.wait(job));
        QCOMPARE(ends.size(), std::size_t{1});
        QVERIFY(std::ranges::find(ends[0].last_lines, "the engine ended") == ends[0].last_lines.end());
    }

    void jobs_are_cancelled_paused_and_removed_there() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        std::atomic<int> steps = 0;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const JobId first = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1, 200));
        const JobId second = computer->jobs().submit(small_request(computer.file("out/2.mp4"), 2));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        computer->jobs().pause(first, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(computer.recorder.wait(first)).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(second)).size(), std::size_t{1});
        QCOMPARE(computer->jobs().find(first)->state, JobState::paused);
        computer->jobs().resume(first);
        QTRY_COMPARE_WITH_TIMEOUT(computer->jobs().find(first)->state, JobState::running, 60'000);
        computer->jobs().cancel(first);
        QCOMPARE(of_type<RunCancelled>(computer.recorder.wait(first, 2)).size(), std::size_t{1});
        computer->jobs().remove(first);
        computer->jobs().remove(second);
        QVERIFY(computer->jobs().list().empty());
        QTRY_COMPARE_WITH_TIMEOUT(computer.engine().status().num_open_jobs, 0, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(fs::is_empty(there.engine_folder() / "files/results"), 30'000);
    }

    /// The result of the first job arrives only after the second one was paused.
    void orders_do_not_wait_for_results() {
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/slow_computer until_paused");
        const JobId fetched = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        const JobId running = computer->jobs().submit(small_request(computer.file("out/2.mp4"), 2));
        QTRY_VERIFY_WITH_TIMEOUT(is_fetched(computer->jobs().find(fetched).value()), 60'000);
        computer->jobs().pause(running, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(computer.recorder.wait(running)).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(fetched)).size(), std::size_t{1});
        QCOMPARE(bytes_of(computer.file("out/1.mp4")), std::string(10, 'x'));
        QCOMPARE(computer->jobs().find(running)->state, JobState::paused);
    }

    void a_finished_job_that_is_in_use_there_is_deleted_later() {
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/slow_computer in_use");
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(job)).size(), std::size_t{1});
        computer->jobs().submit(small_request(computer.file("out/2.mp4"), 2));
        QTRY_COMPARE_WITH_TIMEOUT(computer.engine().status().num_open_jobs, 1, 30'000);
        QCOMPARE(computer->jobs().find(job)->state, JobState::finished);
    }

    /// Otherwise its run would write files that remain there.
    void the_results_of_a_removed_job_are_deleted_after_its_run() {
        const QTemporaryDir folder;
        const fs::path early = folder.filePath("early").toStdString();
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/slow_computer ends_late " + early.string());
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QTRY_COMPARE_WITH_TIMEOUT(computer->jobs().find(job)->state, JobState::running, 60'000);
        computer->jobs().remove(job);
        const auto is_forgotten = [&computer] {
            return bytes_of(computer.file("ledger.json")).find("\"token\"") == std::string::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(is_forgotten(), 30'000);
        QVERIFY(!fs::exists(early));
    }

    void a_removed_job_leaves_no_part_of_its_result() {
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/slow_computer endless");
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QTRY_COMPARE_WITH_TIMEOUT(computer.names(), (QStringList{".1.mp4.part"}), 60'000);
        computer->jobs().remove(job);
        QTRY_COMPARE_WITH_TIMEOUT(computer.names(), QStringList(), 10'000);
        QTRY_COMPARE(computer.engine().status().num_open_jobs, 0);
    }

    /// The run stays the same job of the window, which waits for its last event.
    void a_run_that_stops_while_its_command_changes_has_a_last_event() {
        const OtherComputer there;
        const QTemporaryDir home;
        const fs::path folder = home.path().toStdString();
        StubScript script;
        EventRecorder recorder;
        std::atomic<int> steps = 0;
        recorder.on_step = [&](JobId, const StepCompleted&) { ++steps; };
        const auto group = computers::make_computer_group(
            [&script](RunObserver& observer) { return std::make_unique<StubEngine>(script, observer); },
            {.version = kVersion, .list = folder / "computers.json", .ledgers = folder / "ledgers"}, recorder);
        Computers& computers = *computers_of(*group);
        const Computer right{"studio", there.command(), {}};
        const Computer wrong{"studio", "no-such-program serve --keep", {}};
        computers.save({right});
        computers.choose("studio");
        const JobId finished = group->jobs().submit(small_request(folder / "1.mp4", 1));
        QCOMPARE(of_type<RunFinished>(recorder.wait(finished)).size(), std::size_t{1});
        steps = 0;
        const JobId stopped = group->jobs().submit(small_request(folder / "2.mp4", 2, 800));
        QTRY_VERIFY_WITH_TIMEOUT(steps > 1, 60'000);
        computers.save({wrong});
        QCOMPARE(computers.list().at(0).computer, wrong);
        QCOMPARE(computers.chosen(), std::string("studio"));
        QCOMPARE(group->jobs().list().size(), std::size_t{2});  // those that are over stay, too
        group->jobs().pause(stopped, PausePoint::at_once);
        QTRY_COMPARE(computers.list().at(0).state, ComputerState::unreachable);
        computers.save({right});
        QCOMPARE(of_type<RunPaused>(recorder.wait(stopped)).size(), std::size_t{1});
        QCOMPARE(group->jobs().find(stopped)->state, JobState::paused);
        QCOMPARE(group->jobs().find(finished)->state, JobState::finished);
        QCOMPARE(computers.computer_of(stopped), std::string("studio"));
    }

    void a_file_with_the_name_of_the_video_is_not_replaced() {
        const OtherComputer there;
        UsedComputer computer(there.command());
        std::atomic<bool> began = false;
        computer.recorder.on_step = [&](JobId, const StepCompleted&) {
            if (!began.exchange(true)) std::ofstream(computer.file("out/1.mp4")) << "mine";
        };
        fs::create_directories(computer.file("out"));
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QCOMPARE(of_type<RunFailed>(computer.recorder.wait(job)).at(0).error.code(), ErrorCode::output_exists);
        QCOMPARE(bytes_of(computer.file("out/1.mp4")), std::string("mine"));
        fs::remove(computer.file("out/1.mp4"));
        computer->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(job, 2)).size(), std::size_t{1});
        QVERIFY(bytes_of(computer.file("out/1.mp4")) == local_videos(1)[0]);
    }

    void what_cannot_be_reached_is_named_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("lines");
        QTest::newRow("no program here") << "no-such-program serve"
                                         << "no_program_here"
                                         << "";
        QTest::newRow("no program there") << "sh -c 'exec no-such-kinescope serve'"
                                          << "no_program"
                                          << "exec: no-such-kinescope: not found";
        QTest::newRow("unknown host") << "ssh no-such-host.invalid kinescope-cli serve --keep"
                                      << "unknown_host"
                                      << "ssh: Could not resolve hostname";
        QTest::newRow("no server") << "ssh -p 1 127.0.0.1 kinescope-cli serve --keep"
                                   << "refused"
                                   << "ssh: connect to host 127.0.0.1";
        QTest::newRow("text") << "echo hello"
                              << "not_engine"
                              << "";
        QTest::newRow("text and messages") << "sh -c 'echo looking for paper >&2; echo hello'"
                                           << "not_engine"
                                           << "looking for paper";
        QTest::newRow("echo") << "cat"
                              << "not_engine"
                              << "";
        QTest::newRow("no output") << "true"
                                   << "other"
                                   << "";
        QTest::newRow("messages") << "sh -c 'echo out of paper >&2'"
                                  << "other"
                                  << "out of paper";
    }
    void what_cannot_be_reached_is_named() {
        QFETCH(QString, command);
        UsedComputer computer(command.toStdString());
        const auto error = error_of([&] { computer.engine().facts(); });
        QTEST(QString::fromStdString(error.value().arguments().at("cause")), "cause");
        QFETCH(QString, lines);
        const auto told = error.value().arguments().find("lines");
        const std::string printed = told == error.value().arguments().end() ? "" : told->second;
        QVERIFY2(QString::fromStdString(printed).contains(lines), printed.c_str());
        QCOMPARE(printed.empty(), lines.isEmpty());
        QCOMPARE(computer.engine().status().state, ComputerState::unreachable);
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QCOMPARE(computer->jobs().find(job)->state, JobState::waiting);
        computer->jobs().cancel(job);
        QCOMPARE(of_type<RunCancelled>(computer.recorder.wait(job)).size(), std::size_t{1});
    }

    /// The output of a process stays open while another process holds it.
    void the_end_of_a_command_is_noticed_although_its_output_is_held() {
        UsedComputer computer("sh -c 'sleep 200 & echo out of paper >&2'");
        const Stopwatch watch;
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(watch.seconds() < 60, qPrintable(QString::number(watch.seconds())));
        QCOMPARE(error.value().arguments().at("cause"), std::string("other"));
        QCOMPARE(error->arguments().at("lines"), std::string("out of paper"));
    }

    void a_command_can_end_before_the_engine_that_it_started() {
        const OtherComputer there;
        UsedComputer computer("sh -c 'exec 3<&0; " + there.command() + " <&3 3<&- &'");
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    void another_command_replaces_one_that_hangs() {
        const OtherComputer there;
        UsedComputer computer("sh -c 'sleep 200; true'");
        std::optional<Error> error;
        const std::jthread user([&] { error = error_of([&] { computer.engine().facts(); }); });
        QTRY_COMPARE(computer.engine().status().state, ComputerState::connecting);
        const Stopwatch watch;
        computer.engine().change({"studio", there.command(), {}});
        QVERIFY2(watch.seconds() < 60, qPrintable(QString::number(watch.seconds())));
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    /// Orders name jobs by ids that another engine gives to other jobs, so that the queues are compared first.
    void an_order_does_not_reach_a_connection_that_is_newer_than_its_id() {
        const OtherComputer there;
        std::atomic<int> first_seen = -1;
        std::optional<computers::ComputerLink> link;
        link.emplace(
            Computer{"studio", there.command(), {}}, kVersion,
            computers::ComputerLink::Receiver{.on_event = [](JobId, const RunEvent&) {},
                                              .on_change =
                                                  [&] {
                                                      if (first_seen < 0 && link->state() == ComputerState::connected)
                                                          first_seen = link->generation();
                                                  }});
        const auto order = [&link](int generation) {
            return error_of([&] { link->call_over(generation, "jobs.list", protocol::Json::array()); });
        };
        QVERIFY(order(0).has_value());
        QCOMPARE(link->generation(), 0);  // an order does not connect
        QCOMPARE(link->open(), 1);
        QCOMPARE(first_seen.load(), 1);
        QVERIFY(!order(1).has_value());
        ::kill(newest_connection(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(order(1).has_value(), 20'000);
        QCOMPARE(link->open(), 2);
        QVERIFY(order(1).has_value());
        QVERIFY(!order(2).has_value());
    }

    void a_connection_that_hangs_is_given_up_on_request() {
        std::stop_source cancel;
        computers::ComputerLink link({"studio", "sh -c 'sleep 100; true'", {}}, "1",
                                     {.on_event = [](JobId, const RunEvent&) {}, .on_change = [] {}},
                                     computers::ConnectionTest{cancel.get_token()});
        const Stopwatch watch;
        const std::jthread user([&cancel] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            cancel.request_stop();
        });
        const auto error = error_of([&] { link.call("jobs.list", protocol::Json::array(), remote::AfterLoss::fail); });
        QCOMPARE(error.value().code(), ErrorCode::engine_lost);
        QVERIFY(watch.seconds() < 60);  // without the request, it is waited for until it ends
    }

    /// ssh does not end, either, while a program there holds its output.
    void a_test_ends_a_command_that_goes_on_after_the_answer() {
        const OtherComputer there;
        const QTemporaryDir folder;
        EventRecorder recorder;
        const fs::path end = folder.filePath("end").toStdString();
        const Computer computer{"studio", "sh -c '" + there.command() + "; sleep 20; touch " + end.string() + "'", {}};
        const auto group = computers::make_computer_group(
            [&folder](RunObserver& observer) { return local_engine(folder.filePath("jobs"), observer); },
            {.version = kVersion,
             .list = folder.filePath("computers.json").toStdString(),
             .ledgers = folder.filePath("ledgers").toStdString()},
            recorder);
        QVERIFY(computers_of(*group)->test(computer, {}).num_models >= 1);
        QVERIFY(!fs::exists(end));  // the command did not reach its end
    }

    void a_list_of_computers_that_could_not_be_read_is_not_replaced() {
        const QTemporaryDir folder;
        EventRecorder recorder;
        const fs::path list = folder.filePath("computers.json").toStdString();
        std::ofstream(list) << "{";
        const auto group = computers::make_computer_group(
            [&folder](RunObserver& observer) { return local_engine(folder.filePath("jobs"), observer); },
            {.version = kVersion, .list = list, .ledgers = folder.filePath("ledgers").toStdString()}, recorder);
        const auto error = error_of([&] { computers_of(*group)->save({{"studio", "ssh studio", {}}}); });
        QVERIFY(error.has_value());
        QVERIFY(error->message().find(list.string()) != std::string::npos);
        QCOMPARE(bytes_of(list), std::string("{"));
    }

    /// A script takes the part of sbatch.
    void a_cluster_whose_controller_does_not_answer_is_named() {
        const QTemporaryDir shared;
        const fs::path folder = shared.path().toStdString();
        const OtherComputer there;
        const auto answer = [&folder](const std::string& script) {
            std::ofstream(folder / "sbatch") << "#!/bin/sh\n" << script << '\n';
            fs::permissions(folder / "sbatch", fs::perms(0755));
        };
        answer("echo 'sbatch: error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
        UsedComputer computer("env PATH=" + folder.string() + ":/usr/bin:/bin " + there.command().substr(4) +
                              " --slurm --shared-dir " + folder.string());
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(error.value().message().find("does not reach the cluster's controller") != std::string::npos,
                 error->what());
        answer("exit 0");
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    void another_version_is_named() {
        const OtherComputer there;
        UsedComputer computer(there.command(), "9.9.9");
        const auto error = error_of([&] { computer.engine().facts(); });
        QCOMPARE(error.value().arguments().at("cause"), std::string("other_version"));
        QCOMPARE(error->arguments().at("engine"), std::string(kVersion));
        QCOMPARE(error->arguments().at("program"), std::string("9.9.9"));
    }

    /// A window tries to connect as long as a job is open.
    void an_engine_of_another_version_ends_although_programs_ask_for_it() {
        const OtherComputer there;
        UsedComputer(there.command()).engine().facts();
        const pid_t outdated = there.engine_process();
        QVERIFY(outdated > 0);
        UsedComputer computer(there.command(), "9.9.9");
        QTRY_VERIFY_WITH_TIMEOUT(error_of([&] { computer.engine().facts(); }) && there.engine_process() != outdated,
                                 60'000);
    }

    void a_folder_that_cannot_be_written_there_is_named() {
        const OtherComputer there;
        fs::create_directories(there.engine_folder().parent_path());
        std::ofstream(there.engine_folder()) << "not a folder";
        UsedComputer computer(there.command());
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(error.value().arguments().at("cause") == "not_writable", error->what());
        fs::remove(there.engine_folder());
    }

    void hostile_requests_are_refused_by_name() {
        using protocol::Json;
        const OtherComputer there;
        RawComputer raw(there.command());
        const std::string hash(64, 'a');
        const auto code = [&](const char* name, Json arguments) {
            const auto error = raw.call(name, std::move(arguments)).error;
            return error ? to_string(error->code()) : std::string_view("none");
        };
        const Json bytes = Json::binary({1, 2, 3});
        QCOMPARE(code("files.put", {"../../.ssh/authorized_keys", 3, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 0, "text"}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 2, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 1, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, -3, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 1e30, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", Json::array({"inputs/" + hash})), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 0, bytes}), "none");
        QCOMPARE(code("files.finish", {"inputs/" + hash, hash}), "bad_request");
        QCOMPARE(code("files.get", {"results/../../jobs/1/job.json", 0, 1}), "bad_request");
        QCOMPARE(code("files.get", {"/etc/passwd", 0, 1}), "bad_request");
        QCOMPARE(code("files.list", Json::array({".."})), "bad_request");
        QCOMPARE(code("files.remove", Json::array({"../.."})), "bad_request");
        QCOMPARE(code("models.match", Json::array({7})), "bad_request");
        QCOMPARE(code("jobs.submit_once", {"no token", Json::object()}), "bad_request");
        QCOMPARE(code("files.explode", Json::array()), "unsupported");
        QCOMPARE(code("files.about", Json::array()), "none");
        QVERIFY(!fs::exists(there.engine_folder() / ".ssh"));
    }

    /// A lost connection may deliver a request after its job was deleted.
    void a_withdrawn_request_is_not_queued() {
        using protocol::Json;
        const QTemporaryDir folder;
        const fs::path files = fs::path(folder.path().toStdString()) / "files";
        const auto calls = computers::file_calls(std::make_shared<computers::FileStore>(files), {});
        StubScript script;
        EventRecorder recorder;
        StubEngine engine(script, recorder);
        const auto error_in = [&](const std::string& name, const Json& arguments) {
            return error_of([&] { std::ranges::find(calls, name, &remote::Call::name)->run(engine, arguments, {}); });
        };
        const std::string token = computers::make_token();
        VideoRequest request;
        request.output.file = files / "results" / token / "video.mp4";
        script.jobs = {Job{.id = 1, .request = request}};
        QVERIFY(error_in("files.remove", Json::array({token})).has_value());  // its job would run without a folder
        script.jobs.clear();
        QVERIFY(!error_in("files.remove", Json::array({token})));
        QVERIFY(error_in("jobs.submit_once", Json::array({token, protocol::to_document(request)})).has_value());
        QVERIFY(script.submitted.empty());
    }

    void a_hostile_computer_is_refused_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("words");
        QTest::newRow("a name outside") << "outside"
                                        << "is not";
        QTest::newRow("another job") << "another_job"
                                     << "is not a result of this job";
        QTest::newRow("wrong hash") << "wrong_hash"
                                    << "another SHA-256";
        QTest::newRow("short part") << "short_part"
                                    << "wrong length";
        QTest::newRow("long part") << "long_part"
                                   << "wrong length";
        QTest::newRow("too large") << "too_large"
                                   << "bytes";
        QTest::newRow("negative size") << "negative"
                                       << "bytes";
        QTest::newRow("no list") << "no_list"
                                 << "not a list";
    }
    void a_hostile_computer_is_refused() {
        QFETCH(QString, mode);
        QFETCH(QString, words);
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/hostile_computer " + mode.toStdString());
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        const auto failed = of_type<RunFailed>(computer.recorder.wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(failed[0].error.message()).contains(words), failed[0].error.what());
        QVERIFY(!fs::exists(computer.file("out/1.mp4")));
        QVERIFY(!fs::exists(computer.file("evil")));
    }

    /// They could clear it, rename its window or inject input.
    void messages_of_a_hostile_computer_do_not_control_the_terminal() {
        QByteArray printed;
        {
            StandardError standard_error;
            UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/hostile_computer escapes");
            computer.recorder.wait(computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1)));
            computer.close();
            printed = standard_error.text();
        }
        QVERIFY2(printed.contains("]0;evil"), printed);
        QVERIFY2(printed.contains("last words"), printed);
        for (const char* control : {"\x1b", "\a", "\r", "\xc2\x9b"}) QVERIFY2(!printed.contains(control), printed);
    }
};

QTEST_GUILESS_MAIN(TestComputers)
#include "test_computers.moc"
