#include <atomic>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/option_names.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

constexpr ExportId kExport = 1;

/// Notes how far the export came, and cancels it on a signal.
class ExportObserver final : public RunObserver {
public:
    void watch(VideoFiles& videos) { videos_ = &videos; }
    void on_event(JobId, const RunEvent& event) override {
        const auto* progress = std::get_if<ExportProgress>(&event);
        if (progress == nullptr) return;
        if (progress->done > 0) has_frames_ = true;
        const Interrupt interrupt = interrupt_.interrupt();
        if (interrupt == Interrupt::none) return;
        is_stopped_by_user_ = interrupt == Interrupt::cancel;
        videos_->cancel_export(kExport);
    }
    bool is_stopped_by_user() const { return is_stopped_by_user_; }
    RunProgress run_progress() const { return has_frames_ ? RunProgress::some_steps : RunProgress::not_started; }

private:
    const InterruptGuard interrupt_;
    VideoFiles* videos_ = nullptr;
    std::atomic<bool> has_frames_ = false;
    std::atomic<bool> is_stopped_by_user_ = true;
};

}  // namespace

int export_clip(const Session& session, const ExportRequest& request) {
    ExportObserver observer;
    const auto engine = make_engine_without_queue(session, observer);
    observer.watch(engine->videos());
    ExportResult result;
    try {
        result = engine->videos().export_video(request, kExport);
    } catch (const Error& error) {
        report(session, with_option_names(error, RequestArguments()));
        if (error.code() == ErrorCode::cancelled && !observer.is_stopped_by_user()) return kSuspended;
        return exit_code_of(error, observer.run_progress());
    }
    print_json(session, {{"output", result.file.string()}, {"bytes", result.bytes}});
    if (session.format == OutputFormat::human)
        session.out << result.file.string() << ", " << format_byte_size(result.bytes) << std::endl;
    return kDone;
}

}  // namespace kinescope::cli
