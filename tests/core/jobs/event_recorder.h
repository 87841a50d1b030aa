#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "core/api/job_end.h"

namespace kinescope::testing {

/// Records all events. Tests can wait for the end of a job.
class EventRecorder final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override {
        {
            const std::lock_guard lock(mutex_);
            events_[job].push_back(event);
        }
        if (const auto* step = std::get_if<StepCompleted>(&event); step != nullptr && on_step) on_step(job, *step);
        if (const auto* phase = std::get_if<PhaseStarted>(&event); phase != nullptr && on_phase) on_phase(job, *phase);
        if (const auto* progress = std::get_if<PhaseProgress>(&event); progress != nullptr && on_progress)
            on_progress(job, *progress);
        if (const auto* preview = std::get_if<PreviewReady>(&event); preview != nullptr && on_preview)
            on_preview(job, *preview);
        if (ends_run(event)) ended_.notify_all();
    }

    /// Waits until a job has ended `times` times, at most 2 minutes. Returns all its events.
    std::vector<RunEvent> wait(JobId job, int times = 1) {
        std::unique_lock lock(mutex_);
        ended_.wait_for(lock, std::chrono::seconds(120), [&] {
            return std::count_if(events_[job].begin(), events_[job].end(), ends_run<RunEvent>) >= times;
        });
        return events_[job];
    }

    // Called on the worker thread.
    std::function<void(JobId, const StepCompleted&)> on_step;
    std::function<void(JobId, const PhaseStarted&)> on_phase;
    std::function<void(JobId, const PhaseProgress&)> on_progress;
    std::function<void(JobId, const PreviewReady&)> on_preview;

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    std::map<JobId, std::vector<RunEvent>> events_;
};

template <class Event>
std::vector<Event> of_type(const std::vector<RunEvent>& events) {
    std::vector<Event> found;
    for (const RunEvent& event : events) {
        if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
    }
    return found;
}

}  // namespace kinescope::testing
