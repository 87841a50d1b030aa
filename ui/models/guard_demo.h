#pragma once

#include <QObject>
#include <array>
#include <optional>

#include "core/api/guard_demo.h"
#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Runs the guard demonstration: the same video in fp16 without the guard, in fp16 with it, and in float32. Waits for
/// the current job first.
class GuardDemo : public QObject {
    Q_OBJECT

public:
    enum class State { idle, waiting, running, done, failed };
    /// The runs of the demonstration, in order.
    static constexpr std::array kRuns{GuardDemoRun::unguarded, GuardDemoRun::guarded, GuardDemoRun::reference};

    explicit GuardDemo(EngineBridge& bridge, QObject* parent = nullptr);

    /// Starts the demonstration. Does nothing if it is already waiting or running.
    void start();

    State state() const { return state_; }
    /// Returns the result of a run, or nullptr if that run has not ended.
    const GuardDemoResult* result(GuardDemoRun run) const;
    /// Returns true if `run` is in progress.
    bool isCurrent(GuardDemoRun run) const;
    /// Returns the reason why the demonstration failed.
    const std::optional<Error>& error() const { return error_; }

Q_SIGNALS:
    void changed();

private:
    void proceed();
    void askNext();
    void keep(const GuardDemoResult& result);
    void fail(const Error& error);
    bool isBusy() const;

    EngineBridge& bridge_;
    State state_ = State::idle;
    std::size_t finished_ = 0;
    std::array<GuardDemoResult, kRuns.size()> results_;
    std::optional<Error> error_;
};

}  // namespace kinescope::ui
