#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "core/api/run_event.h"

namespace kinescope::cli {

struct JobEvent {
    JobId job = 0;
    RunEvent event;
};

/// Passes events from the worker thread to the main thread, in order. Drops the frames of previews, because the command
/// line does not show them and they would fill the memory.
class EventQueue final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override;

    /// Returns the next event, or nullopt if none arrives within `timeout`.
    std::optional<JobEvent> next(std::chrono::milliseconds timeout);

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<JobEvent> events_;
};

}  // namespace kinescope::cli
