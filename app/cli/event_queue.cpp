#include "app/cli/event_queue.h"

namespace kinescope::cli {

void EventQueue::on_event(JobId job, const RunEvent& event) {
    JobEvent carried{job, event};
    if (auto* preview = std::get_if<PreviewReady>(&carried.event))
        for (FramePtr& frame : preview->frames) frame.reset();
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(carried));
    }
    arrived_.notify_one();
}

std::optional<JobEvent> EventQueue::next(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, timeout, [this] { return !events_.empty(); })) return std::nullopt;
    JobEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
}

}  // namespace kinescope::cli
