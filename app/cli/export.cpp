#include <optional>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

constexpr ExportId kExport = 1;

/// Cancels the export on Ctrl+C.
class ExportInterrupter final : public RunObserver {
public:
    void watch(VideoFiles& videos) { videos_ = &videos; }
    void on_event(JobId, const RunEvent& event) override {
        const bool is_progress = std::holds_alternative<ExportProgress>(event);
        if (is_progress && interrupt_.interrupt() != Interrupt::none) videos_->cancel_export(kExport);
    }

private:
    const InterruptGuard interrupt_;
    VideoFiles* videos_ = nullptr;
};

}  // namespace

int export_clip(const Session& session, const ExportRequest& request) {
    ExportInterrupter interrupter;
    const auto engine = make_engine_without_queue(session, interrupter);
    interrupter.watch(engine->videos());
    const ExportResult result = engine->videos().export_video(request, kExport);
    print_json(session, {{"output", result.file.string()}, {"bytes", result.bytes}});
    if (session.format == OutputFormat::human)
        session.out << result.file.string() << ", " << format_byte_size(result.bytes) << std::endl;
    return kDone;
}

}  // namespace kinescope::cli
