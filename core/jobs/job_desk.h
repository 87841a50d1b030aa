#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/api/run_event.h"
#include "core/base/cancellation.h"
#include "core/jobs/worker.h"
#include "core/pipeline/run_events.h"

namespace kinescope {

/// A job in the hands of the worker.
struct JobWork {
    JobId id = 0;
    VideoRequest request;
    CancellationToken stop;
};

/// Makes a job's video. Throws what run_video throws.
using MakeVideo = std::function<RunResult(const JobWork& work, const EventSink& emit)>;

/// The queue: takes jobs in, hands them to the worker one after the other, and tells the observer of each change. The
/// methods are those of Engine.
class JobDesk {
public:
    /// `worker` and `observer` outlive the desk's last job.
    JobDesk(Worker& worker, RunObserver& observer, MakeVideo make_video);

    JobId submit(VideoRequest request);
    void cancel(JobId job);
    std::vector<JobRecord> jobs();
    void pause(JobId job);
    void proceed(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, VideoRequest request);
    void remove(JobId job);
    void hold();
    void release();
    void retry(JobId job);

    /// Asks the running job to stop; nothing begins any more.
    void close();

private:
    struct Entry {
        JobRecord record;
        CancellationToken stop;
        bool goes_when_over = false;  ///< removed while it ran
    };
    using Entries = std::vector<Entry>;

    Entries::iterator find(JobId job);
    void work_on_next();
    void begin_soon();
    std::optional<JobWork> take_next();
    RunEvent run(const JobWork& work, int& steps_done);
    void put_back(JobId job, const RunEvent& end);
    void announce();

    Worker& worker_;
    RunObserver& observer_;
    const MakeVideo make_video_;
    std::mutex mutex_;
    std::recursive_mutex telling_;  ///< so that the newest queue is told last
    Entries entries_;
    JobId last_job_ = 0;
    bool held_ = false;
    bool closed_ = false;
};

}  // namespace kinescope
