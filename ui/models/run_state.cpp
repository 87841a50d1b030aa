#include "ui/models/run_state.h"

namespace kinescope::ui {

QString runStateName(RunState state) {
    switch (state) {
        case RunState::idle:
            return QStringLiteral("idle");
        case RunState::planning:
            return QStringLiteral("planning");
        case RunState::loading:
            return QStringLiteral("loading");
        case RunState::encoding:
            return QStringLiteral("encoding");
        case RunState::denoising:
            return QStringLiteral("denoising");
        case RunState::decoding:
            return QStringLiteral("decoding");
        case RunState::saving:
            return QStringLiteral("saving");
        case RunState::paused:
            return QStringLiteral("paused");
        case RunState::done:
            return QStringLiteral("done");
        case RunState::stopped:
            return QStringLiteral("stopped");
        case RunState::failed:
            return QStringLiteral("failed");
    }
    return {};
}

bool isRunning(RunState state) {
    return state != RunState::idle && state != RunState::paused && state != RunState::done &&
           state != RunState::stopped && state != RunState::failed;
}

RunState stateOf(Phase phase) {
    switch (phase) {
        case Phase::load:
            return RunState::loading;
        case Phase::encode:
            return RunState::encoding;
        case Phase::denoise:
            return RunState::denoising;
        case Phase::decode:
            return RunState::decoding;
        case Phase::save:
            return RunState::saving;
    }
    return RunState::loading;
}

RunState nextState(RunState now, const WindowEvent& event) {
    if (std::holds_alternative<RunStarted>(event)) return RunState::planning;
    if (now == RunState::paused && std::holds_alternative<RunCancelled>(event)) return RunState::stopped;
    if (!isRunning(now)) return now;
    if (const auto* phase = std::get_if<PhaseStarted>(&event)) return stateOf(phase->phase);
    if (std::holds_alternative<RunFinished>(event)) return RunState::done;
    if (std::holds_alternative<RunFailed>(event)) return RunState::failed;
    if (std::holds_alternative<RunCancelled>(event)) return RunState::stopped;
    if (std::holds_alternative<RunPaused>(event)) return RunState::paused;
    return now;
}

}  // namespace kinescope::ui
