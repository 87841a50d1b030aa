#include "ui/bridge/stage.h"

namespace kinescope::ui {
namespace {

bool endsWork(const WindowEvent& event) {
    return std::holds_alternative<RunFinished>(event) || std::holds_alternative<RunFailed>(event) ||
           std::holds_alternative<RunCancelled>(event) || std::holds_alternative<RunPaused>(event);
}

}  // namespace

void Stage::expect(JobId job) {
    if (!live_) job_ = job;
}

bool Stage::admits(JobId job, const WindowEvent& event) {
    if (job == 0) return true;
    const bool begins = std::holds_alternative<RunStarted>(event);
    if (job != job_ && !begins) {
        const bool ends_unseen =
            std::holds_alternative<RunCancelled>(event) || std::holds_alternative<RunPaused>(event);
        if (live_ || ends_unseen) return false;
    }
    job_ = job;
    if (begins) live_ = true;
    if (endsWork(event)) live_ = false;
    return true;
}

}  // namespace kinescope::ui
