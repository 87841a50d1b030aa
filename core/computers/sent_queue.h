#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/api/job_queue.h"
#include "core/api/run_event.h"
#include "core/base/coalesced_task.h"
#include "core/computers/sent_job.h"

namespace kinescope::computers {

/// The queue of the jobs that this computer has given to another one. Keeps and saves what is to be done; the courier
/// does it. Does not use the connection. Thread-safe; no lock is held while the observer or `on_work` is called.
class SentQueue final : public JobQueue {
public:
    struct Setup {
        std::string computer;          ///< its name, for messages
        std::filesystem::path ledger;  ///< where the jobs are saved
        RunObserver& observer;
        std::function<void()> on_work;  ///< there may be something to do
    };
    /// Throws Error(bad_config or file_unreadable) for a damaged ledger.
    explicit SentQueue(Setup setup);

    JobId submit(VideoRequest request) override;
    std::vector<Job> list() override;
    std::optional<Job> find(JobId job) override;
    void cancel(JobId job) override;
    void pause(JobId job, PausePoint point) override;
    void resume(JobId job) override;
    void decode_now(JobId job) override;
    void start(JobId job, RemainingSteps steps) override;
    /// Throws Error(unsupported): a job belongs to one computer.
    void hand_over(JobId job) override;
    /// A request that has been sent is withdrawn and sent again, with the seed of its run. If only its results are
    /// missing here, they are fetched again.
    void retry(JobId job) override;
    void move(JobId job, int position) override;
    /// A request that has been sent is withdrawn and sent again.
    void edit(JobId job, VideoRequest request) override;
    void remove(JobId job) override;
    /// Requests that have not been sent wait until release(). Jobs there go on.
    void hold() override;
    void release() override;

    /// An event of the engine there.
    void take(JobId there, const RunEvent& event);
    /// Call this before requesting jobs from the engine there: what starts or ends until reconcile() or note_sent() is
    /// newer than the answer.
    void note_question();
    /// Compares with the queue there after a new connection. `last_lines`: the last messages of the
    /// engine there, if it has ended.
    void reconcile(const std::vector<Job>& there, const std::vector<std::string>& last_lines = {});

    // For the courier. A token names a job better than its id: an edited job keeps its id, but is sent under a new
    // token. Unknown tokens are those of requests that were replaced before they were sent.
    /// The jobs for which something is to be done, in order.
    std::vector<SentJob> open_jobs();
    /// False: the user does not want it any more.
    bool may_be_sent(const std::string& token);
    /// False: the user does not want its results any more.
    bool may_be_fetched(const std::string& token);
    /// The request may arrive from now on. Returns false if the user does not want that any more.
    bool begin_sending(const std::string& token);
    /// The request has arrived. `there`: its job, whose first events may have come before its id was known.
    void note_sent(const std::string& token, const Job& there);
    /// `given`: the job with the order that the other computer was told. A newer order stays.
    void note_order_given(const SentJob& given);
    /// A job as it is there after it was told to pause. If it had stopped before, that has no further event.
    void note_paused(const std::string& token, const Job& there);
    void note_fetched(const std::string& token, const RunEvent& last_event);
    void note_done(const std::string& token);
    void note_failed(const std::string& token, const Error& error);
    void forget(const std::string& token);
    /// The number of jobs that are not over here: also of those that can continue.
    int num_open();

private:
    using Events = std::vector<std::pair<JobId, RunEvent>>;
    /// Changes the jobs under the lock, saves them, then sends the events and the queue. The changes of several threads
    /// are sent in the order in which they were made, by one of them.
    void change(const std::function<void(Events&)>& change);
    /// The same for a change of one job that may be missing.
    void change_job(JobId job, const std::function<void(SentJob&, Events&)>& change);
    void change_job(const std::string& token, const std::function<void(SentJob&, Events&)>& change);
    SentJob* find_sent(JobId job);
    SentJob* find_there(JobId there);
    SentJob* bind(const std::string& token, JobId there);
    SentJob* find_token(const std::string& token);
    std::vector<Job> list_locked() const;
    std::ptrdiff_t index_of(int position) const;
    void give_order(SentJob& sent, Order order);
    void take_queue(const std::vector<Job>& there);
    void compare(SentJob& sent, const Job& there, const std::vector<std::string>& last_lines, Events& events);
    void survive(SentJob& sent, EngineEnded end, Events& events);
    void end_run(SentJob& sent, const RunEvent& last_event, Events& events);
    void begin_again(SentJob& sent);
    void start_over(SentJob& sent);
    void send_again(SentJob& sent, VideoRequest request);
    void announce(JobId job, RunEvent event);
    void announce_due();
    void send(const Events& events);

    const Setup setup_;
    std::mutex mutex_;
    Events due_;  ///< not yet sent, in the order of the changes
    bool is_queue_due_ = false;
    SentJobs sent_;
    bool held_ = false;
    std::set<std::string> ended_since_question_;    ///< tokens
    std::set<std::string> started_since_question_;  ///< tokens
    CoalescedTask announcing_;
};

}  // namespace kinescope::computers
