#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::testing {

/// Returns the events of a fake run for a resolved request.
using Script = std::function<std::vector<RunEvent>(const VideoRequest&)>;

/// The queue of the fake engine. Plays one script after another on a separate thread and keeps the guarantees of
/// Engine.
class FakeQueue {
public:
    FakeQueue(Script script, RunObserver& observer);
    /// Stops the thread immediately. The running job keeps its state.
    ~FakeQueue();

    /// Adds jobs that an earlier session left behind.
    void leaveBehind(std::vector<Job> jobs);
    /// Makes scripts pause after their first `events` events, until release() is called or the job ends.
    void holdAfter(std::size_t events);
    void release();

    JobId submit(VideoRequest request);
    void cancel(JobId job);
    void pause(JobId job);
    void decode_now(JobId job);
    void resume(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, VideoRequest request);
    void remove(JobId job);
    void retry(JobId job);
    void hold(bool held);
    std::vector<Job> jobs();
    std::optional<Job> job(JobId job);

private:
    using Change = std::function<void(Job&)>;

    void work();
    Job* next();
    Job* find(JobId job);
    void change(JobId job, const Change& change);
    void tellQueue();
    void play(JobId job, const std::vector<RunEvent>& events);
    /// Returns the next state of the job. Blocks while the script is paused.
    JobState wish(JobId job, std::size_t event);
    void end(JobId job, const RunEvent& event);

    Script script_;
    RunObserver& observer_;
    std::mutex mutex_;
    std::mutex telling_;  ///< held while the queue is reported, so that the newest queue is reported last
    std::condition_variable changed_;
    std::vector<Job> jobs_;
    std::vector<JobId> asleep_;
    std::map<JobId, std::size_t> played_;  ///< number of events already played for paused jobs
    std::set<JobId> decoding_;             ///< jobs that are only decoded, without further steps
    JobId last_ = 0;
    JobId running_ = 0;
    JobState wish_ = JobState::running;
    std::size_t hold_after_ = static_cast<std::size_t>(-1);
    bool released_ = false;
    bool held_ = false;
    bool quitting_ = false;
    std::thread thread_;
};

}  // namespace kinescope::testing
