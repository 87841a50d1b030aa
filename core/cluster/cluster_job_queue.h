#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/api/job_queue.h"
#include "core/base/coalesced_task.h"
#include "core/base/local_socket.h"
#include "core/cluster/attempt_events.h"
#include "core/cluster/cluster_job.h"

namespace kinescope::cluster {

/// A queue whose jobs run on a Slurm cluster, each as a batch of one video. They go on without this process; the next
/// one with the same file of jobs picks them up. Slurm decides about the order, so move() throws Error(unsupported). A
/// thread does everything that blocks. Thread-safe; no lock is held while the observer is called.
class ClusterJobQueue final : public JobQueue {
public:
    struct Setup {
        std::filesystem::path jobs_file;                              ///< where the jobs are saved
        std::filesystem::path shared_dir;                             ///< of the batches
        SlurmOptions options;                                         ///< memory_bytes comes from `memory_for`
        std::function<std::int64_t(const VideoRequest&)> memory_for;  ///< throws Error for a request that cannot run
        /// Reads the frames of a finished video, which replace the preview. Empty: the preview stays.
        std::function<std::vector<FramePtr>(const std::filesystem::path&)> read_frames = {};
        RunCommand run = run_command;
        double poll_seconds = 5;
        RunObserver& observer;
    };
    /// Throws Error(bad_config or file_unreadable) for damaged jobs, and what check_submission throws if there is no
    /// job that Slurm could have.
    explicit ClusterJobQueue(Setup setup);
    ~ClusterJobQueue() override;

    JobId submit(VideoRequest request) override;
    std::vector<Job> list() override;
    std::optional<Job> find(JobId job) override;
    void cancel(JobId job) override;
    void pause(JobId job, PausePoint point) override;
    void resume(JobId job) override;
    void decode_now(JobId job) override;
    void start(JobId job, RemainingSteps steps) override;
    void hand_over(JobId job) override;
    void retry(JobId job) override;
    void move(JobId job, int position) override;
    void edit(JobId job, VideoRequest request) override;
    void remove(JobId job) override;
    void hold() override;
    void release() override;

private:
    /// A batch of this process.
    struct Followed {
        ClusterBatch batch;
        AttemptEventReader events = {};
        std::optional<RunResult> result = {};
        bool is_cancelled = false;  ///< Slurm has accepted the cancellation of the last submission
    };

    void check_options();
    /// Changes the jobs under the lock, saves and reports them.
    void change(const std::function<void(ClusterJobs&)>& edit);
    void change_job(JobId job, const std::function<void(ClusterJob&)>& edit);
    /// The same for a wish of the user, with which the thread begins at once.
    void order(JobId job, const std::function<void(ClusterJob&)>& edit);
    void wake();
    void submit_again(JobId job, Wish wish);
    void run();
    bool wait();
    void work();
    void handle(const ClusterJob& job, const SqueueAnswer* answer);
    bool is_held();
    void handle_unsubmitted(const ClusterJob& job);
    void submit_batch(const ClusterJob& job);
    void submit_all(const ClusterJob& job, ClusterBatch& batch);
    void forget_batch(const ClusterJob& job);
    void drop_batch(const ClusterJob& job, const SqueueAnswer* answer);
    void follow_batch(const ClusterJob& job, Followed& followed, BatchView& view);
    void show_frames(const Job& job);
    void end(const ClusterJob& job, const RunEvent& last_event, const std::function<void(ClusterJob&)>& edit);
    void fail(const ClusterJob& job, const Error& error);
    void tell_trouble(const std::optional<Error>& trouble);
    Followed& followed(const ClusterJob& job);

    const Setup setup_;
    const FileLock only_one_runs_;
    std::mutex mutex_;  ///< guards the members down to stops_
    std::condition_variable changed_;
    ClusterJobs jobs_;
    bool held_ = false;
    bool has_work_ = true;
    bool stops_ = false;
    CoalescedTask announcing_;
    std::map<JobId, Followed> followed_;  ///< used by the thread alone, as is the next one
    bool is_full_ = false;                ///< the shared storage
    std::string trouble_;                 ///< what was told last
    std::thread thread_;                  ///< the last member: uses the others
};

}  // namespace kinescope::cluster
