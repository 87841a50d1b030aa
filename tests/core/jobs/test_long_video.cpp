#include <QTest>
#include <algorithm>

#include "core/api/byte_size.h"
#include "core/jobs/plan/timings.h"
#include "core/jobs/queue/part_result.h"
#include "core/media/frame_sink.h"
#include "core/models/model_family.h"
#include "tests/core/jobs/long_video_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

RunResult took(double load, double encode, double denoise) {
    RunResult result;
    result.seconds_by_phase = {{"load", load}, {"encode", encode}, {"denoise", denoise}};
    return result;
}

/// A request for the built-in model.
TimedRequest on_cpu(const ResolvedRequest& request) {
    const ModelFiles files = read_model_files(KINESCOPE_SOURCE_DIR "/resources/demo_model");
    return {.request = request, .device = "cpu", .evaluation_work = find_family(files).evaluation_work(files, request)};
}

}  // namespace

/// Makes videos of several parts: their frames, steps, progress and plans.
class TestLongVideo : public LongVideoFixture {
    Q_OBJECT

private:
    /// Runs a job that fails before its first step.
    void expect_refused(const VideoRequest& request, ErrorCode code) {
        const auto events = recorder_->wait(engine_->jobs().submit(request));
        const auto failed = of_type<RunFailed>(events);
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(failed[0].error.code()), static_cast<int>(code));
        QVERIFY(of_type<StepCompleted>(events).empty());
    }

    std::vector<FramePtr> frames_of(const QString& name) { return engine_->videos().read_frames(path(name), {}); }

    QString notes_of(const VideoRequest& request) {
        QStringList notes;
        for (const std::string& note : engine_->catalog().plan(request).notes) notes << QString::fromStdString(note);
        return notes.join('\n');
    }

    /// The size of frames of 32 x 32 px without compression.
    static QString bytes_of_frames(int count) {
        return QString::fromStdString(format_byte_size(std::int64_t{32} * 32 * 3 * count));
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void all_parts_are_one_job_and_one_video() {
        const JobId job = engine_->jobs().submit(long_request("long"));
        const auto events = recorder_->wait(job);
        const auto finished = of_type<RunFinished>(events);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(events).size(), std::size_t{1});
        const auto steps = of_type<StepCompleted>(events);
        QCOMPARE(steps.size(), std::size_t{3 * kSteps});
        for (int step = 0; step < 3 * kSteps; ++step) {
            QCOMPARE(steps[static_cast<std::size_t>(step)].step, step);
            QCOMPARE(steps[static_cast<std::size_t>(step)].num_steps, 3 * kSteps);
        }
        const VideoDescription video = engine_->videos().describe_video(path("long.mp4"));
        QCOMPARE(video.num_frames, finished[0].result.num_frames);
        QCOMPARE(video.num_frames, whole_frames(long_request("long"), engine_->catalog().card("builtin"), 0));
        QCOMPARE(files_of_job(job), std::vector<std::string>{"job.json"});
        QCOMPARE(QDir(folder_->path()).entryList({"*.mkv"}, QDir::Files), QStringList());
    }

    void the_parts_are_those_that_single_jobs_make() {
        VideoRequest whole = long_request("whole");
        whole.output.file = path("whole.mkv");
        whole.output.codec = "ffv1";
        recorder_->wait(engine_->jobs().submit(whole));
        const QByteArray expected = bytes_of(file("whole.safetensors"));
        VideoRequest part = request("part1.mkv");
        part.output.codec = "ffv1";
        recorder_->wait(engine_->jobs().submit(part));
        for (int next = 0; next < 2; ++next) {
            part.continue_video = part.output.file;
            part.prompt = whole.next_prompts[static_cast<std::size_t>(next)];
            part.seed = *part.seed + 1;
            part.output.file = path(QStringLiteral("part%1.mkv").arg(next + 2));
            if (next == 1) part.output.frames = path("part.safetensors");
            recorder_->wait(engine_->jobs().submit(part));
        }
        QVERIFY(!expected.isEmpty());
        QCOMPARE(bytes_of(file("part.safetensors")), expected);
        const std::vector<FramePtr> frames = frames_of("whole.mkv");
        const std::vector<FramePtr> of_parts = frames_of("part3.mkv");
        QCOMPARE(frames.size(), of_parts.size());
        for (std::size_t i = 0; i < frames.size(); ++i) QVERIFY(frames[i]->pixels == of_parts[i]->pixels);
    }

    /// The parts before the last one are kept without loss.
    void the_first_frames_are_those_of_the_first_part() {
        VideoRequest alone = request("alone");
        recorder_->wait(engine_->jobs().submit(alone));
        VideoRequest whole = request("whole");
        whole.next_prompts = {"a red ball moving right"};
        recorder_->wait(engine_->jobs().submit(whole));
        const std::vector<FramePtr> expected = frames_of("alone");
        const std::vector<FramePtr> frames = frames_of("whole");
        const int overlap = overlap_frames(engine_->catalog().card("builtin"), kFrames);
        QCOMPARE(expected.size(), std::size_t{kFrames});
        QVERIFY(frames.size() > expected.size());
        for (std::size_t i = 0; i < expected.size() - static_cast<std::size_t>(overlap); ++i)
            QVERIFY2(frames[i]->pixels == expected[i]->pixels, qPrintable(QString("frame %1").arg(i)));
    }

    void the_settings_of_the_video_make_it_again() {
        const JobId job = engine_->jobs().submit(long_request("long"));
        recorder_->wait(job);
        const VideoRequest settings = engine_->videos().read_settings(path("long.mp4"));
        const VideoRequest asked = long_request("long");
        QCOMPARE(settings.prompt, asked.prompt);
        QCOMPARE(settings.next_prompts, asked.next_prompts);
        QCOMPARE(*settings.seed, *asked.seed);
        QVERIFY(!settings.continue_video);
        QCOMPARE(engine_->jobs().find(job)->request.next_prompts, asked.next_prompts);
        VideoRequest again = settings;
        again.output.file = path("again.mp4");
        recorder_->wait(engine_->jobs().submit(again));
        QCOMPARE(bytes_of(file("again.mp4")), bytes_of(file("long.mp4")));
    }

    void a_later_session_goes_on_within_the_second_part() {
        const QByteArray expected = unbroken_frames();
        const JobId job = pause_after(long_request("paused"), kSteps + 2);
        start_engine();
        const auto kept = engine_->jobs().find(job);
        QVERIFY(kept && kept->state == JobState::paused);
        QCOMPARE(kept->step, kSteps + 2);
        QCOMPARE(kept->num_steps, 3 * kSteps);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunStarted>(events).at(0).part, 1);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{2 * kSteps - 2});
        QCOMPARE(bytes_of(file("paused.safetensors")), expected);
    }

    void the_finished_steps_are_decoded_to_a_shorter_video_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("parts");
        QTest::newRow("within a part") << kSteps + 2 << 2;
        QTest::newRow("after a part") << 2 * kSteps << 2;
        QTest::newRow("after the first part") << kSteps << 1;
        QTest::newRow("in the first part") << 1 << 1;
    }

    void the_finished_steps_are_decoded_to_a_shorter_video() {
        QFETCH(int, steps);
        QFETCH(int, parts);
        VideoRequest request = long_request("short");
        request.output.numeric_log = path("short.jsonl");
        const JobId job = pause_after(request, steps);
        engine_->jobs().decode_now(job);
        const auto finished = of_type<RunFinished>(recorder_->wait(job, 2));
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.status, RunStatus::stopped);
        QCOMPARE(finished[0].result.stopped_after_step, steps);
        const std::string stored = "\"stopped_after_step\":" + std::to_string(steps);
        QVERIFY(read_comment(path("short.mp4")).find(stored) != std::string::npos);
        QCOMPARE(engine_->videos().read_settings(path("short.mp4")).next_prompts, request.next_prompts);
        const QList<QByteArray> log = bytes_of(file("short.jsonl")).trimmed().split('\n');
        QVERIFY2(log.last().contains("\"status\":\"stopped\""), log.last().constData());
        const int frames = engine_->videos().describe_video(path("short.mp4")).num_frames;
        QVERIFY2(frames > (parts - 1) * kFrames && frames <= parts * kFrames, qPrintable(QString::number(frames)));
    }

    /// The faults of the last part are found before hours are spent on the others.
    void the_first_part_does_not_start_without_what_the_last_one_needs() {
        QFile taken(file("taken.mp4"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        VideoRequest upscaled = long_request("upscaled");
        upscaled.finish.upscaler = path("gone.safetensors");
        for (const VideoRequest& request : {long_request("taken"), upscaled}) {
            const auto events = recorder_->wait(engine_->jobs().submit(request));
            QCOMPARE(of_type<RunFailed>(events).size(), std::size_t{1});
            QVERIFY(of_type<StepCompleted>(events).empty());
        }
    }

    void a_long_video_does_not_replace_its_source() {
        VideoRequest source = request("clip.mp4");
        recorder_->wait(engine_->jobs().submit(source));
        const QByteArray before = bytes_of(file("clip.mp4"));
        VideoRequest whole = long_request("clip");
        whole.continue_video = path("clip.mp4");
        whole.output.overwrite = OverwriteMode::overwrite;
        expect_refused(whole, ErrorCode::bad_request);
        QCOMPARE(bytes_of(file("clip.mp4")), before);
    }

    void an_output_that_cannot_be_written_is_found_before_the_first_part() {
        VideoRequest unknown = long_request("codec");
        unknown.output.codec = "no-such-codec";
        expect_refused(unknown, ErrorCode::codec_missing);
        QVERIFY(QDir().mkdir(file("frames")));
        QFile frame(file("frames/0001.png"));
        QVERIFY(frame.open(QIODevice::WriteOnly));
        VideoRequest folder = long_request("folder");
        folder.output.file = path("frames");
        expect_refused(folder, ErrorCode::output_exists);
        QCOMPARE(QDir(folder_->path()).entryList({"*.part*", "codec*", "folder*"}, QDir::Files | QDir::Hidden),
                 QStringList());
    }

    /// The network is deleted while the job is paused.
    void a_resumed_job_without_its_upscaler_makes_no_part() {
        const JobId job = pause_after(long_request("finish"), kSteps + 1);
        VideoRequest changed = engine_->jobs().find(job)->request;
        changed.finish.upscaler = path("gone.safetensors");
        engine_->jobs().edit(job, changed);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFailed>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps + 1});
    }

    void the_result_counts_the_parts_of_earlier_sessions() {
        const JobId job = pause_after(long_request("counted"), kSteps + 1);
        const auto folder = path(QStringLiteral("jobs/%1/part-1").arg(job));
        PartResult part = read_part_result(folder);
        part.run.status = RunStatus::healed;
        part.run.guard_actions = 2;
        part.run.known_overrides = 3;
        part.run.peak_memory_bytes = std::int64_t{1} << 50;
        part.run.warnings = {{.step = 1, .site = "transformer.latents", .found = {.text = "text"}}};
        write_part_result(folder, part);
        start_engine();
        engine_->jobs().resume(job);
        const auto finished = of_type<RunFinished>(recorder_->wait(job));
        QCOMPARE(finished.size(), std::size_t{1});
        const RunResult& whole = finished[0].result;
        QCOMPARE(whole.status, RunStatus::healed);
        QVERIFY(whole.guard_actions >= 2);
        QVERIFY(whole.known_overrides >= 3);
        QCOMPARE(whole.peak_memory_bytes, std::int64_t{1} << 50);
        QCOMPARE(whole.warnings.at(0).site, std::string("transformer.latents"));
    }

    /// The parts are joined when the last one is made.
    void each_part_keeps_only_its_own_frames() {
        const JobId job = pause_after(long_request("kept"), 2 * kSteps + 1);
        for (int part = 1; part <= 2; ++part) {
            const auto video = path(QStringLiteral("jobs/%1/part-%2/frames.mkv").arg(job).arg(part));
            QCOMPARE(engine_->videos().describe_video(video).num_frames, kFrames);
        }
    }

    void only_the_last_finished_part_keeps_its_steps() {
        const JobId job = pause_after(long_request("steps"), 2 * kSteps + 1);
        const auto has_steps = [&](int part) {
            return QFile::exists(file(QStringLiteral("jobs/%1/part-%2/step.safetensors").arg(job).arg(part)));
        };
        QVERIFY(!has_steps(1));
        QVERIFY(has_steps(2) && has_steps(3));
    }

    void a_continued_video_begins_its_first_part() {
        recorder_->wait(engine_->jobs().submit(request("clip.mp4")));
        VideoRequest whole = long_request("continued");
        whole.continue_video = path("clip.mp4");
        const JobId job = pause_after(whole, 2 * kSteps + 1);
        QVERIFY(QFile::remove(file("clip.mp4")));
        engine_->jobs().resume(job);
        const auto finished = of_type<RunFinished>(recorder_->wait(job, 2));
        QCOMPARE(finished.size(), std::size_t{1});
        const int frames = engine_->videos().describe_video(path("continued.mp4")).num_frames;
        QVERIFY2(frames > 3 * kFrames && frames < 4 * kFrames, qPrintable(QString::number(frames)));
    }

    void a_job_that_was_killed_after_its_last_rename_has_its_result() {
        QByteArray job_file;
        recorder_->on_progress = [&](JobId job, const PhaseProgress& progress) {
            if (progress.phase == Phase::save) job_file = bytes_of(file(QStringLiteral("jobs/%1/job.json").arg(job)));
        };
        const JobId job = engine_->jobs().submit(long_request("killed"));
        const RunResult made = of_type<RunFinished>(recorder_->wait(job)).at(0).result;
        engine_.reset();
        QFile file_of_job(file(QStringLiteral("jobs/%1/job.json").arg(job)));
        QVERIFY(file_of_job.open(QIODevice::WriteOnly) && file_of_job.write(job_file) == job_file.size());
        file_of_job.close();
        start_engine();
        QCOMPARE(engine_->jobs().find(job)->state, JobState::interrupted);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QVERIFY(of_type<StepCompleted>(events).empty());
        const RunResult found = of_type<RunFinished>(events).at(0).result;
        QCOMPARE(found.output, made.output);
        QCOMPARE(found.num_frames, made.num_frames);
        QCOMPARE(found.status, made.status);
        QCOMPARE(found.output_bytes, made.output_bytes);
        QCOMPARE(found.guard_actions, made.guard_actions);
        QCOMPARE(found.seconds_by_phase.at("denoise"), made.seconds_by_phase.at("denoise"));
    }

    void a_job_that_is_paused_after_a_part_makes_no_further_one() {
        recorder_->on_phase = [this](JobId job, const PhaseStarted& phase) {
            if (phase.phase == Phase::save) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const auto events = recorder_->wait(engine_->jobs().submit(long_request("between")));
        recorder_->on_phase = {};
        QCOMPARE(of_type<RunPaused>(events).at(0).step, kSteps);
        for (const PhaseStarted& phase : of_type<PhaseStarted>(events)) QVERIFY(phase.phase <= Phase::save);
        QCOMPARE(std::ranges::count(of_type<PhaseStarted>(events), Phase::load, &PhaseStarted::phase), 1);
    }

    /// The first part encodes only a prompt or, with an input video, runs only some of the steps.
    void the_plan_adds_the_times_of_all_parts() {
        const Plan single = engine_->catalog().plan(request("single.mp4"));
        const ResolvedRequest first = resolve_request(single.request, single.card, 0);
        ResolvedRequest later = first;
        later.content.continue_video = "part.mkv";
        const Timings timings(default_timings_file());
        timings.learn(on_cpu(first), took(1, 2, 9));
        timings.learn(on_cpu(later), took(2, 5, 12));
        const Plan plan = engine_->catalog().plan(long_request("planned"));
        QCOMPARE(plan.seconds, (1 + 2 + 9) + 2 * (2 + 5 + 12.0));
        QCOMPARE(std::ranges::find(plan.phases, Phase::encode, &PhasePlan::phase)->seconds, 2 + 2 * 5.0);

        recorder_->wait(engine_->jobs().submit(request("input.mp4")));
        VideoRequest changed = long_request("changed");
        changed.video = path("input.mp4");
        changed.strength = 0.4;
        ResolvedRequest input = first;
        input.content.video = "input.mp4";
        timings.learn(on_cpu(input), took(1, 4, 9));
        QCOMPARE(engine_->catalog().plan(changed).seconds, (1 + 4 + 9.0 / kSteps) + 2 * (2 + 5 + 12));
    }

    void the_plan_contains_the_time_of_joining() {
        const Plan single = engine_->catalog().plan(request("single.mp4"));
        const ResolvedRequest first = resolve_request(single.request, single.card, 0);
        const Timings timings(default_timings_file());
        timings.learn(on_cpu(first), took(1, 2, 9));
        const double before = engine_->catalog().plan(long_request("planned")).seconds;
        timings.learn_joining(first, 2 * kFrames, 4);
        QCOMPARE(engine_->catalog().plan(long_request("planned")).seconds, before + 4);
        QCOMPARE(engine_->catalog().plan(request("single.mp4")).seconds, 1 + 2 + 9.0);
    }

    /// What a run learns is what the plan of the same video contains.
    void the_time_of_joining_is_learned() {
        recorder_->wait(engine_->jobs().submit(long_request("joined")));
        const Plan plan = engine_->catalog().plan(long_request("planned"));
        const Timings timings(default_timings_file());
        QVERIFY(timings.estimate_joining(resolve_request(plan.request, plan.card, 0), 2 * kFrames) > 0);
    }

    /// The frames before the last part are enlarged when the parts are joined.
    void the_time_of_joining_includes_the_finish_steps() {
        const auto joining = [this](const VideoRequest& request) {
            const Plan plan = engine_->catalog().plan(request);
            const Timings timings(default_timings_file());
            return timings.estimate_joining(resolve_request(plan.request, plan.card, 0), 2 * kFrames);
        };
        VideoRequest upscaled = long_request("upscaled");
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        recorder_->wait(engine_->jobs().submit(upscaled));
        QVERIFY(joining(upscaled) > 0);
        QCOMPARE(joining(long_request("plain")), 0.0);
    }

    /// The first part and the last one contain the frames of the video that is continued.
    void the_plan_contains_the_time_of_both_copies_of_a_continued_video() {
        recorder_->wait(engine_->jobs().submit(request("clip.mp4")));
        VideoRequest whole = long_request("planned");
        whole.continue_video = path("clip.mp4");
        const Plan before = engine_->catalog().plan(whole);
        ResolvedRequest kept = resolve_request(before.request, before.card, 0);
        kept.output.file = "part.mkv";
        kept.output.codec = "ffv1";
        Timings(default_timings_file()).learn_joining(kept, kFrames, 4);
        QCOMPARE(engine_->catalog().plan(whole).seconds, before.seconds + 4);
    }

    void the_time_of_joining_is_not_that_of_decoding() {
        const auto events = recorder_->wait(engine_->jobs().submit(long_request("joined")));
        const RunResult whole = of_type<RunFinished>(events).at(0).result;
        QVERIFY(whole.seconds_by_phase.contains("join"));
        double sum = 0;
        for (const auto& [phase, seconds] : whole.seconds_by_phase) sum += seconds;
        QVERIFY2(sum <= whole.seconds, qPrintable(QString("%1 s of %2 s").arg(sum).arg(whole.seconds)));
    }

    void the_progress_of_finish_steps_counts_the_frames_of_all_parts() {
        VideoRequest upscaled = long_request("upscaled");
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        const auto events = recorder_->wait(engine_->jobs().submit(upscaled));
        const RunResult result = of_type<RunFinished>(events).at(0).result;
        const auto progress = of_type<FinishProgress>(events);
        QCOMPARE(progress.size(), static_cast<std::size_t>(result.num_frames) + 1);
        QCOMPARE(progress.back().stage, FinishStage::file);
        for (const FinishProgress& frame : progress) QCOMPARE(frame.total, result.num_frames);
    }

    void the_progress_of_finish_steps_counts_the_frames_of_the_continued_video_data() {
        QTest::addColumn<int>("parts");
        QTest::newRow("one part") << 1;
        QTest::newRow("three parts") << 3;
    }

    void the_progress_of_finish_steps_counts_the_frames_of_the_continued_video() {
        QFETCH(int, parts);
        recorder_->wait(engine_->jobs().submit(request("clip.mp4")));
        VideoRequest upscaled = long_request("upscaled");
        if (parts == 1) upscaled.next_prompts.clear();
        upscaled.continue_video = path("clip.mp4");
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        const auto events = recorder_->wait(engine_->jobs().submit(upscaled));
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto progress = of_type<FinishProgress>(events);
        const int frames = engine_->videos().describe_video(path("upscaled.mp4")).num_frames;
        QCOMPARE(progress.size(), static_cast<std::size_t>(frames) + 1);
        for (const FinishProgress& frame : progress) QCOMPARE(frame.total, frames);
    }

    void the_plan_states_the_disk_space_of_all_frames_that_are_kept() {
        recorder_->wait(engine_->jobs().submit(request("clip.mp4")));
        VideoRequest whole = long_request("planned");
        QVERIFY(notes_of(whole).contains("take up to " + bytes_of_frames(2 * kFrames)));
        whole.continue_video = path("clip.mp4");
        QVERIFY(notes_of(whole).contains("take up to " + bytes_of_frames(3 * kFrames)));
    }

    void a_plan_needs_no_prompts() {
        VideoRequest empty = long_request("empty");
        empty.next_prompts.back().clear();
        QVERIFY(engine_->catalog().plan(empty).peak_memory_bytes > 0);
        empty.prompt.clear();
        QVERIFY(engine_->catalog().plan(empty).peak_memory_bytes > 0);
        expect_refused(empty, ErrorCode::bad_request);
    }

    void a_retried_job_starts_with_its_first_part() {
        const QByteArray expected = unbroken_frames();
        const JobId job = pause_after(long_request("retried"), kSteps + 1);
        engine_->jobs().retry(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunStarted>(events).back().part, 0);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps + 1 + 3 * kSteps});
        QCOMPARE(bytes_of(file("retried.safetensors")), expected);
    }
};

QTEST_GUILESS_MAIN(TestLongVideo)
#include "test_long_video.moc"
