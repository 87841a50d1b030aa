#include <atomic>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/option_names.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

constexpr FinishId kFinish = 1;

/// Shows the progress. Cancels on Ctrl+C; other signals pause, so that the finished part is kept.
class FinishObserver final : public RunObserver {
public:
    explicit FinishObserver(Progress& progress) : progress_(progress) {}
    void watch(VideoFiles& videos) { videos_ = &videos; }
    void on_event(JobId job, const RunEvent& event) override {
        const auto* finish = std::get_if<FinishProgress>(&event);
        if (finish == nullptr) return;
        if (finish->done > 0) has_frames_ = true;
        progress_.show(job, event);
        const Interrupt interrupt = interrupt_.interrupt();
        if (interrupt == Interrupt::cancel) videos_->cancel_finish(kFinish);
        if (interrupt != Interrupt::shutdown && interrupt != Interrupt::time_limit) return;
        is_paused_ = true;
        videos_->pause_finish(kFinish);
    }
    bool is_paused() const { return is_paused_; }
    RunProgress run_progress() const { return has_frames_ ? RunProgress::some_steps : RunProgress::not_started; }

private:
    Progress& progress_;
    const InterruptGuard interrupt_;
    VideoFiles* videos_ = nullptr;
    std::atomic<bool> is_paused_ = false;
    std::atomic<bool> has_frames_ = false;
};

Json document_of(const FinishResult& result) {
    return {{"output", result.file.string()},
            {"bytes", result.bytes},
            {"width", result.width},
            {"height", result.height},
            {"num_frames", result.num_frames},
            {"fps", number(result.fps)},
            {"scene_cuts", result.num_scene_cuts},
            {"seconds", number(result.seconds)},
            {"peak_memory_bytes", result.peak_memory_bytes},
            {"planned_memory_bytes", result.planned_memory_bytes},
            {"notes", result.notes}};
}

/// Prints the last event of a finished copy, in the form of those of a run.
void print_event(const Session& session, const char* name, const Json& document) {
    Json event = {{"event", name}, {"job", 0}};
    event.update(document);
    session.out << one_line(event) << std::endl;
}

/// Returns the exit code.
int fail(const Session& session, const Progress& progress, const Error& error, RunProgress reached) {
    if (progress.is_json()) {
        print_error(session, error);
        print_event(session, error.code() == ErrorCode::cancelled ? "cancelled" : "failed",
                    {{"error", to_json(error)}});
    } else {
        report(session, error);
    }
    return exit_code_of(error, reached);
}

std::string summary_of(const FinishResult& result) {
    std::string text = std::to_string(result.width) + "x" + std::to_string(result.height) + ", " +
                       std::to_string(result.num_frames) + (result.num_frames == 1 ? " frame, " : " frames, ") +
                       format_number(result.fps) + " fps, " + format_byte_size(result.bytes) + ", " +
                       format_number(result.seconds) + " s, peak memory " + format_byte_size(result.peak_memory_bytes);
    if (result.num_scene_cuts > 0)
        text += ", " + std::to_string(result.num_scene_cuts) +
                (result.num_scene_cuts == 1 ? " scene cut not blended" : " scene cuts not blended");
    return text;
}

}  // namespace

int finish(const Session& session, const FinishArguments& arguments) {
    const auto progress = make_progress(arguments.progress, session.out, session.terminal);
    FinishObserver observer(*progress);
    const auto engine = make_engine_without_queue(session, observer);
    observer.watch(engine->videos());
    FinishResult result;
    try {
        result = engine->videos().finish_video(arguments.request, kFinish);
    } catch (const Error& error) {
        progress->clear();
        if (error.code() != ErrorCode::cancelled || !observer.is_paused())
            return fail(session, *progress, with_option_names(error, {.aliases = arguments.aliases}),
                        observer.run_progress());
        spdlog::warn("{}. {}", error.message(), error.hint());
        if (progress->is_json()) print_event(session, "paused", Json::object());
        return kSuspended;
    }
    progress->clear();
    for (const std::string& note : result.notes) log_note(note);
    spdlog::info("{}", summary_of(result));
    if (progress->is_json()) {
        print_event(session, "finished", document_of(result));
        return kDone;
    }
    print_json(session, document_of(result));
    if (session.format == OutputFormat::human) session.out << result.file.string() << std::endl;
    return kDone;
}

}  // namespace kinescope::cli
