#include "core/remote/shared_queue.h"

#include <algorithm>
#include <iterator>

#include "core/remote/job_ledger.h"

namespace kinescope::remote {

namespace {

const Job* find_in(const std::vector<Job>& jobs, JobId job) {
    const auto found = std::ranges::find(jobs, job, &Job::id);
    return found == jobs.end() ? nullptr : &*found;
}

}  // namespace

SharedQueue::SharedQueue() : engines_(1) {
    engines_.front().seat.is_default = true;
}

void SharedQueue::set_seats(const std::vector<EngineSeat>& seats) {
    for (Seat seat = 0; seat < seats.size(); ++seat) {
        if (seat == engines_.size()) engines_.push_back({});
        EngineSeat& known = engines_[seat].seat;
        known.device = seats[seat].device;
        known.is_default = seats[seat].is_default;
        known.memory_bytes = seats[seat].memory_bytes;
    }
}

std::vector<EngineSeat> SharedQueue::seats() const {
    std::vector<EngineSeat> seats;
    for (const SeatedEngine& engine : engines_) seats.push_back(engine.seat);
    return seats;
}

/// A deleted job ends without a last event if its engine ended in between.
void SharedQueue::take(Seat seat, std::vector<Job> jobs) {
    SeatedEngine& engine = engines_[seat];
    engine.jobs = std::move(jobs);
    const bool is_listed = find_in(engine.jobs, engine.running) != nullptr;
    if (!is_listed && engine.has_listed) end_run(engine);
    if (is_listed) engine.has_listed = true;
    if (seat == 0) std::erase_if(removed_, [&](JobId job) { return find_in(engine.jobs, job) == nullptr; });
}

/// An engine that lost its process starts its job again by itself.
void SharedQueue::take(Seat seat, JobId job, const RunEvent& event) {
    SeatedEngine& engine = engines_[seat];
    if (std::holds_alternative<RunStarted>(event)) {
        engine.running = job;
        engine.seat.is_free = false;
        engine.seat.is_broken = false;
        engine_of_[job] = seat;
        startable_.erase(job);
    }
    const auto* ended = std::get_if<EngineEnded>(&event);
    if (ended != nullptr) engine.seat.is_broken = !ended->restart_failure.empty();
    if (job == engine.running && is_last_event(event)) end_run(engine);
}

void SharedQueue::end_run(SeatedEngine& engine) {
    engine.running = 0;
    engine.has_listed = false;
    engine.seat.is_free = true;
}

std::vector<Job> SharedQueue::jobs() const {
    std::vector<std::vector<Job>> lists;
    for (const SeatedEngine& engine : engines_) lists.push_back(engine.jobs);
    return merge(lists);
}

std::vector<Job> SharedQueue::merge(const std::vector<std::vector<Job>>& lists) const {
    std::vector<Job> merged;
    for (const Job& first : lists[0]) {
        const Seat seat = engine_of(first.id);
        const Job* job = seat < lists.size() ? find_in(lists[seat], first.id) : nullptr;
        if (job == nullptr && removed_.contains(first.id)) continue;
        merged.push_back(job == nullptr ? first : *job);
    }
    for (Seat seat = 1; seat < lists.size(); ++seat)
        std::ranges::copy_if(lists[seat], std::back_inserter(merged), [&](const Job& job) {
            return engine_of(job.id) == seat && find_in(lists[0], job.id) == nullptr;
        });
    return merged;
}

SharedQueue::Seat SharedQueue::engine_of(JobId job) const {
    const auto found = engine_of_.find(job);
    return found == engine_of_.end() ? 0 : found->second;
}

SharedQueue::Seat SharedQueue::orders_for(JobId job) const {
    const Seat seat = engine_of(job);
    return engines_[seat].seat.is_broken ? 0 : seat;
}

void SharedQueue::give_to_first(JobId job) {
    const auto found = engine_of_.find(job);
    if (found == engine_of_.end() || found->second == 0) return;
    std::erase_if(engines_[found->second].jobs, [job](const Job& listed) { return listed.id == job; });
    engine_of_.erase(found);
    tied_.erase(job);
}

/// The id may have belonged to a job that was deleted.
void SharedQueue::add(JobId job) {
    engine_of_.erase(job);
    tied_.erase(job);
    removed_.erase(job);
    let_start(job, RemainingSteps::computed);
}

void SharedQueue::let_start(JobId job, RemainingSteps steps) {
    startable_[job] = steps;
    mend_engines();
}

void SharedQueue::release() {
    is_held_ = false;
    for (const Job& job : jobs())
        if (job.state == JobState::waiting) startable_.try_emplace(job.id, RemainingSteps::computed);
    mend_engines();
}

/// What the user asks for is tried again.
void SharedQueue::mend_engines() {
    for (SeatedEngine& engine : engines_) engine.seat.is_broken = false;
}

std::vector<StartableJob> SharedQueue::startable() const {
    std::vector<StartableJob> found;
    if (is_held_) return found;
    for (const Job& job : jobs()) {
        if (job.state != JobState::waiting || !startable_.contains(job.id)) continue;
        StartableJob startable{.id = job.id, .device = job.request.device, .home = {}};
        const bool has_begun = job.step > 0 && engine_of_.contains(job.id);
        if (has_begun || tied_.contains(job.id)) startable.home = engine_of(job.id);
        found.push_back(std::move(startable));
    }
    return found;
}

std::optional<RemainingSteps> SharedQueue::begin(const SeatChoice& choice) {
    const auto found = startable_.find(choice.job);
    SeatedEngine& engine = engines_[choice.seat];
    if (is_held_ || found == startable_.end() || !engine.seat.is_free) return std::nullopt;
    beginning_ = choice.job;
    engine.running = choice.job;
    engine.seat.is_free = false;
    return found->second;
}

void SharedQueue::note_begun(const SeatChoice& choice) {
    beginning_ = 0;
    startable_.erase(choice.job);
    engine_of_[choice.job] = choice.seat;
}

void SharedQueue::note_refused(const SeatChoice& choice, const Error& error) {
    beginning_ = 0;
    SeatedEngine& engine = engines_[choice.seat];
    if (engine.running == choice.job) end_run(engine);
    if (error.code() == ErrorCode::engine_lost)
        engine.seat.is_broken = true;
    else if (engine_of(choice.job) != choice.seat)
        tied_.insert(choice.job);
    else
        startable_.erase(choice.job);
}

void SharedQueue::note_removed(JobId job) {
    startable_.erase(job);
    if (engine_of(job) != 0) removed_.insert(job);
}

std::vector<JobId> SharedQueue::take_removed() {
    std::vector<JobId> jobs;
    for (const JobId job : removed_)
        if (find_in(engines_[0].jobs, job) != nullptr && find_in(engines_[engine_of(job)].jobs, job) == nullptr)
            jobs.push_back(job);
    return jobs;
}

}  // namespace kinescope::remote
