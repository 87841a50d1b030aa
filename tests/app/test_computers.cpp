#include <algorithm>

#include "core/api/fetched_job.h"
#include "core/base/sha256.h"
#include "core/computers/computer_group.h"
#include "tests/app/computer_campaign.h"
#include "tests/app/stub_engine.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

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

}  // namespace

/// The other computer is another home folder on this one; ssh is left out. See also
/// test_computer_connections, test_hostile_computers and test_computers_ssh.
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
        QVERIFY(contents_of(request.output.file) == local_videos(1)[0]);
        QVERIFY(contents_of(request.output.numeric_log).find("\"step\"") != std::string::npos);
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
        QVERIFY(contents_of(there.engine_folder() / "files/inputs" / name) == contents_of(request.finish.audio.file));
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
                arrived.push_back(entry.path().filename().string() + " " + contents_of(entry.path()));
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
        QVERIFY(contents_of(computer.file("out/1.mp4")) == local_videos(1, kSteps)[0]);
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
        QVERIFY(contents_of(computer.file("out/1.mp4")) == local_videos(1, 40)[0]);
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
        QCOMPARE(contents_of(computer.file("out/1.mp4")), std::string(10, 'x'));
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
            return contents_of(computer.file("ledger.json")).find("\"token\"") == std::string::npos;
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
        QCOMPARE(contents_of(computer.file("out/1.mp4")), std::string("mine"));
        fs::remove(computer.file("out/1.mp4"));
        computer->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(job, 2)).size(), std::size_t{1});
        QVERIFY(contents_of(computer.file("out/1.mp4")) == local_videos(1)[0]);
    }
};

QTEST_GUILESS_MAIN(TestComputers)
#include "test_computers.moc"
