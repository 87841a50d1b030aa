#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "core/api/engine.h"
#include "core/jobs/job_table.h"
#include "core/jobs/worker.h"
#include "core/pipeline/run_events.h"

namespace kinescope {

/// Makes a job's video. Throws what run_video throws.
using MakeVideo = std::function<RunResult(const JobWork& work, const EventSink& emit)>;

/// The queue: takes jobs in, hands them to the worker one after the other, and tells the observer of each change. The
/// methods are those of Engine.
class JobDesk {
public:
    struct Setup {
        Worker& worker;         ///< outlives the desk's last job
        RunObserver& observer;  ///< so does it
        MakeVideo make_video;
        std::filesystem::path jobs_dir;  ///< as in EngineOptions
        QueueEvents queue_events = QueueEvents::sent;
    };
    explicit JobDesk(Setup setup);

    JobId submit(VideoRequest request);
    void cancel(JobId job);
    std::vector<JobRecord> jobs();
    std::optional<JobRecord> job(JobId job);
    void pause(JobId job);
    void suspend(JobId job);
    void decode_now(JobId job);
    void proceed(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, VideoRequest request);
    void remove(JobId job);
    void hold();
    void release();
    void retry(JobId job);

    /// Stops the running job, which is paused where the queue is kept on disk; nothing begins any more.
    void close();

private:
    enum class Continuation { all_steps, decoding };
    void go_on(JobId job, Continuation continuation);
    void begin_soon();
    void work_on_next();
    std::optional<JobWork> take_next();
    JobWork work_of(JobEntry& entry);
    RunEvent run(const JobWork& work);
    void note_begin(JobId job, const VideoRequest& resolved);
    void note_step(JobId job, const StepCompleted& step);
    void note_save(JobId job, const std::filesystem::path& temporary);
    void put_back(JobId job, const RunEvent& end);
    void announce();

    const Setup setup_;
    std::mutex mutex_;
    std::recursive_mutex telling_;  ///< so that the newest queue is told last
    JobTable table_;
    bool held_ = false;
    bool closed_ = false;
};

}  // namespace kinescope
