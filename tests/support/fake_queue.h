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

/// What a fake run tells, made from the resolved request.
using Script = std::function<std::vector<RunEvent>(const VideoRequest&)>;

/// The queue of the fake engine: plays one script after the other on a thread of its own, with the promises of Engine.
class FakeQueue {
public:
    FakeQueue(Script script, RunObserver& observer);
    /// Ends the thread where it is; the job that runs is left as it is.
    ~FakeQueue();

    /// Jobs as an earlier program left them.
    void leaveBehind(std::vector<JobRecord> jobs);
    /// A script waits behind its first `events` until release() or the end of its job.
    void holdAfter(std::size_t events);
    void release();

    JobId submit(VideoRequest request);
    void cancel(JobId job);
    void pause(JobId job);
    void suspend(JobId job);
    void decode_now(JobId job);
    void proceed(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, VideoRequest request);
    void remove(JobId job);
    void retry(JobId job);
    void hold(bool held);
    std::vector<JobRecord> jobs();
    std::optional<JobRecord> job(JobId job);

private:
    using Change = std::function<void(JobRecord&)>;

    void work();
    JobRecord* next();
    JobRecord* find(JobId job);
    void change(JobId job, const Change& change);
    void tellQueue();
    void play(JobId job, const std::vector<RunEvent>& events);
    /// What the job's owner wants of it; blocks while the script is held.
    JobState wish(JobId job, std::size_t event);
    void end(JobId job, const RunEvent& event);

    Script script_;
    RunObserver& observer_;
    std::mutex mutex_;
    std::mutex telling_;  ///< the newest queue is told last
    std::condition_variable changed_;
    std::vector<JobRecord> jobs_;
    std::vector<JobId> asleep_;
    std::map<JobId, std::size_t> played_;  ///< events of paused jobs
    std::set<JobId> decoding_;             ///< jobs that make no further step
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
