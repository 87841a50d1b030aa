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

/// Carries events from the worker thread to the main thread, in order. A preview is carried without its pictures:
/// nobody looks at them here, and they would pile up.
class EventQueue final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override;

    /// The next event; nothing when none came within `timeout`.
    std::optional<JobEvent> next(std::chrono::milliseconds timeout);

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<JobEvent> events_;
};

}  // namespace kinescope::cli
