#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/api/job_queue.h"
#include "core/api/run_event.h"
#include "core/remote/job_choice.h"

namespace kinescope::remote {

/// The queue of several engines that share a jobs folder: which engine has which job, and which jobs may start. The
/// first engine has all jobs that no other one has started. Does not call the engines. Not thread-safe.
class SharedQueue {
public:
    using Seat = std::size_t;

    SharedQueue();

    /// Adds engines behind the first one, which is the first of these.
    void set_seats(const std::vector<EngineSeat>& seats);
    std::vector<EngineSeat> seats() const;

    /// The queue of an engine changed.
    void take(Seat seat, std::vector<Job> jobs);
    /// An event of a job that an engine runs.
    void take(Seat seat, JobId job, const RunEvent& event);
    /// The queue, in the order of the first engine.
    std::vector<Job> jobs() const;
    /// The same for newer lists, one for each engine.
    std::vector<Job> merge(const std::vector<std::vector<Job>>& lists) const;
    /// The newest list of an engine.
    const std::vector<Job>& list_of(Seat seat) const { return engines_[seat].jobs; }
    /// The engine that has a job.
    Seat engine_of(JobId job) const;
    /// The engine that takes orders for a job: the one that has it, or the first one if that one has no process, which
    /// also means that nothing locks the job.
    Seat orders_for(JobId job) const;
    /// The first engine has carried out an order for a job of an engine without a process, and has the job now.
    void give_to_first(JobId job);

    /// A new job, which may start.
    void add(JobId job);
    void let_start(JobId job, RemainingSteps steps);
    void keep_from_starting(JobId job) { startable_.erase(job); }
    void hold() { is_held_ = true; }
    /// All waiting jobs may start.
    void release();
    /// The waiting jobs that may start, in order. None while the queue is held.
    std::vector<StartableJob> startable() const;

    /// The engine is told to start a job. Returns nullopt if the job may no longer start.
    std::optional<RemainingSteps> begin(const SeatChoice& choice);
    bool is_beginning(JobId job) const { return beginning_ == job && job != 0; }
    void note_begun(const SeatChoice& choice);
    void note_refused(const SeatChoice& choice, const Error& error);
    void note_broken(Seat seat) { engines_[seat].seat.is_broken = true; }

    /// The user deleted a job in the engine that has it.
    void note_removed(JobId job);
    /// The deleted jobs that the first engine still lists.
    std::vector<JobId> take_removed();

private:
    struct SeatedEngine {
        EngineSeat seat;
        std::vector<Job> jobs = {};  ///< as the engine last listed them
        JobId running = 0;           ///< the job that it was told to start; 0: none
        bool has_listed = false;     ///< its list has contained that job
    };
    void end_run(SeatedEngine& engine);
    void mend_engines();

    std::vector<SeatedEngine> engines_;
    std::map<JobId, Seat> engine_of_;  ///< of jobs that were started
    std::map<JobId, RemainingSteps> startable_;
    std::set<JobId> tied_;     ///< only the engine that has them can start these
    std::set<JobId> removed_;  ///< until the first engine no longer lists them
    JobId beginning_ = 0;      ///< an engine is being told to start this job; 0: none
    bool is_held_ = false;
};

}  // namespace kinescope::remote
