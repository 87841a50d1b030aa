#include "core/remote/job_ledger.h"

#include <algorithm>
#include <utility>

#include "core/api/job_end.h"
#include "core/remote/engine_end.h"

namespace kinescope::remote {

namespace {

template <class... Events>
bool is_one_of(const RunEvent& event) {
    return (std::holds_alternative<Events>(event) || ...);
}

/// Describes the progress that an event reports; empty: none.
std::string place_of(JobId job, const RunEvent& event) {
    const std::string name = "job " + std::to_string(job);
    if (const auto* phase = std::get_if<PhaseStarted>(&event))
        return name + " began the phase " + to_string(phase->phase);
    if (const auto* step = std::get_if<StepCompleted>(&event))
        return name + " finished step " + std::to_string(step->step + 1) + " of " + std::to_string(step->num_steps);
    return std::holds_alternative<RunFinished>(event) ? name + " finished" : "";
}

std::optional<Error> device_loss_in(const RunEvent& event) {
    const auto* failed = std::get_if<RunFailed>(&event);
    const bool is_lost = failed != nullptr && failed->error.code() == ErrorCode::device_lost;
    return is_lost ? std::optional(failed->error) : std::nullopt;
}

/// The last event of a job that ended just before its process did; nullopt if it has not ended.
std::optional<RunEvent> missed_event(const Job& job) {
    switch (job.state) {
        case JobState::finished:
            return RunFinished{{.output = job.output,
                                .numeric_log = job.request.output.numeric_log,
                                .status = RunStatus::completed,
                                .num_frames = job.request.num_frames.value_or(0)}};
        case JobState::failed:
            return RunFailed{job.error.value_or(Error(ErrorCode::internal, "the job failed"))};
        case JobState::cancelled:
            return RunCancelled{job.step, job.output};
        case JobState::paused:
            return RunPaused{.step = job.step};
        default:
            return std::nullopt;
    }
}

/// Whether a pause or cancellation of the job has no effect, so that no last event follows.
bool has_stopped(const Job& job, JobIntent intent) {
    if (intent == JobIntent::pause && job.state == JobState::paused) return true;
    return is_over(job.state) && (intent == JobIntent::pause || intent == JobIntent::cancel);
}

}  // namespace

bool is_last_event(const RunEvent& event) {
    return is_one_of<RunFinished, RunFailed, RunCancelled, RunPaused>(event);
}

std::optional<JobIntent> JobLedger::note(JobId job, JobIntent intent) {
    const auto found = intents_.find(job);
    const auto earlier = found == intents_.end() ? std::nullopt : std::optional(found->second);
    const auto listed = std::ranges::find(jobs_, job, &Job::id);
    if (!earlier && listed != jobs_.end() && has_stopped(*listed, intent)) return earlier;
    intents_[job] = intent;
    if (intent == JobIntent::run || intent == JobIntent::decode) ended_by_.erase(job);  // the user continues it
    return earlier;
}

void JobLedger::take_back(JobId job, JobIntent refused, std::optional<JobIntent> earlier) {
    const auto found = intents_.find(job);
    if (found == intents_.end() || found->second != refused) return;  // the job has ended, or another call followed
    if (earlier)
        found->second = *earlier;
    else
        intents_.erase(found);
}

Delivery JobLedger::take(JobId job, const RunEvent& event) {
    if (const auto* queue = std::get_if<QueueChanged>(&event)) take(queue->jobs);
    if (job == 0 || is_one_of<QueueChanged, EngineEnded>(event)) return Delivery::at_once;
    if (std::string place = place_of(job, event); !place.empty()) last_place_ = std::move(place);
    if (const auto* step = std::get_if<StepCompleted>(&event)) count(job, *step);
    lost_device_ = device_loss_in(event);
    if (!is_last_event(event) || lost_device_) {
        running_ = job;
        return lost_device_ ? Delivery::never : Delivery::at_once;
    }
    intents_.erase(job);
    last_ended_ = job;
    if (running_ == job) running_ = 0;
    end(job, event);
    if (is_one_of<RunFinished>(event)) ended_by_.erase(job);
    return Delivery::at_once;
}

/// The process may end before it sends the list that follows the last event of a job.
void JobLedger::end(JobId job, const RunEvent& event) {
    const auto found = std::ranges::find(jobs_, job, &Job::id);
    if (found != jobs_.end()) record_end(event, *found);
}

/// Lists of jobs are not sent after each step.
void JobLedger::count(JobId job, const StepCompleted& step) {
    const auto found = std::ranges::find(jobs_, job, &Job::id);
    if (found == jobs_.end()) return;
    found->step = step.step + 1;
    found->num_steps = step.num_steps;
}

/// A job can end its process before its first event.
void JobLedger::take(const std::vector<Job>& jobs) {
    jobs_ = jobs;
    const auto runs = [this](const Job& job) {
        const bool has_ended = job.id == last_ended_ && !intents_.contains(job.id);  // the list is older than its end
        return job.state == JobState::running && !has_ended;
    };
    if (const auto found = std::ranges::find_if(jobs, runs); found != jobs.end()) running_ = found->id;
}

Recovery JobLedger::recover(const std::vector<Job>& jobs, const Error& cause, Suspect suspect) {
    jobs_ = jobs;
    Recovery recovery;
    if (suspect != Suspect::nobody) recover_running(jobs, recovery, cause, suspect);
    for (const Job& job : jobs)
        if (const auto order = order_for(job, recovery, cause)) recovery.orders.push_back(*order);
    for (const auto& [id, intent] : std::exchange(intents_, {})) {
        const bool is_known = std::ranges::any_of(jobs, [id = id](const Job& job) { return job.id == id; });
        if (is_known || intent == JobIntent::remove) continue;
        if (id != recovery.job) recovery.last_events.emplace_back(id, RunFailed{cause});
    }
    for (const JobOrder& order : recovery.orders) intents_[order.job] = order.intent;
    running_ = 0;
    lost_device_.reset();
    return recovery;
}

Recovery JobLedger::stop(const Error& cause) {
    Recovery recovery;
    recovery.job = std::exchange(running_, 0);
    const Error reason = std::exchange(lost_device_, std::nullopt).value_or(cause);
    for (Job& job : jobs_)
        if (job.state == JobState::running) job.state = JobState::interrupted;
    if (recovery.job == 0) return recovery;
    recovery.after = AfterEngineEnd::set_aside;
    recovery.last_events.emplace_back(recovery.job, RunFailed{reason});
    intents_.erase(recovery.job);
    return recovery;
}

void JobLedger::recover_running(const std::vector<Job>& jobs, Recovery& recovery, const Error& cause, Suspect suspect) {
    // Jobs that earlier processes left are interrupted, too.
    const auto is_running = [this](const Job& job) {
        if (running_ != 0) return job.id == running_;
        return job.state == JobState::interrupted && intents_.contains(job.id);
    };
    const auto found = std::ranges::find_if(jobs, is_running);
    if (found == jobs.end()) {
        if (running_ == 0) return;
        recovery.job = running_;
        recovery.after = AfterEngineEnd::lost;
        recovery.last_events.emplace_back(running_, RunFailed{cause});
        return;
    }
    const bool goes_on = lost_device_ && found->state == JobState::failed;
    if (auto event = missed_event(*found); event && !goes_on) {
        recovery.last_events.emplace_back(found->id, std::move(*event));
        intents_.erase(found->id);
        return;
    }
    recovery.job = found->id;
    const bool is_set_aside = suspect == Suspect::job && ++ended_by_[found->id] >= kMostEndedEngines;
    recovery.after = is_set_aside ? AfterEngineEnd::set_aside : AfterEngineEnd::goes_on;
}

bool JobLedger::may_start(const Job& job) const {
    return released_ && job.state == JobState::waiting;
}

std::optional<JobOrder> JobLedger::order_for(const Job& job, Recovery& recovery, const Error& cause) {
    const bool ran = job.id == recovery.job;
    const bool can_start = job.state == JobState::waiting || job.state == JobState::interrupted;
    if (!can_start && !ran) return std::nullopt;
    const auto found = intents_.find(job.id);
    if (found == intents_.end() && !ran && !may_start(job)) return std::nullopt;
    const JobIntent intent = found == intents_.end() ? JobIntent::run : found->second;
    const bool starts = intent == JobIntent::run || intent == JobIntent::decode;
    if (ran && !starts) {  // it ends as the user wants
        recovery.job = 0;
        recovery.after = AfterEngineEnd::no_job;
    }
    if (ran && !starts && job.state == JobState::failed) {  // its engine lost the device; it is over
        recovery.last_events.emplace_back(job.id, RunFailed{lost_device_.value_or(cause)});
        return intent == JobIntent::remove ? std::optional(JobOrder{job.id, intent}) : std::nullopt;
    }
    if (ran && intent == JobIntent::pause) {
        recovery.last_events.emplace_back(job.id, RunPaused{.step = job.step});
        return std::nullopt;
    }
    if (ran && starts && recovery.after == AfterEngineEnd::set_aside) {
        recovery.last_events.emplace_back(job.id, RunFailed{lost_device_.value_or(cause)});
        return std::nullopt;
    }
    return JobOrder{job.id, intent};
}

}  // namespace kinescope::remote
