#include "core/computers/sent_queue.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "core/api/fetched_job.h"
#include "core/api/job_end.h"
#include "core/base/utc_time.h"
#include "core/computers/connection_error.h"
#include "core/computers/file_names.h"
#include "core/computers/request_paths.h"
#include "core/remote/engine_end.h"

namespace kinescope::computers {

namespace {

bool is_shown(const SentJob& sent) {
    return !sent.is_removed;
}

Job shown_job(const SentJob& sent) {
    Job job = sent.job;
    if (sent.stage == Stage::fetching && job.state == JobState::running) job.waits_for = kResultsOnTheWayReason;
    return job;
}

bool is_wanted(const SentJob& sent) {
    return !sent.is_removed && !is_over(sent.job.state) && sent.job.state != JobState::paused;
}

/// The last event of a run that ended while there was no connection.
RunEvent last_event_of(const Job& there) {
    if (there.state == JobState::failed)
        return RunFailed{there.error.value_or(Error(ErrorCode::internal, "the job failed"))};
    if (there.state == JobState::cancelled) return RunCancelled{there.step, there.output};
    if (there.state == JobState::paused) return RunPaused{.step = there.step};
    return RunFinished{{.output = there.output,
                        .numeric_log = there.request.output.numeric_log,
                        .status = RunStatus::completed,
                        .num_frames = there.request.num_frames.value_or(0)}};
}

/// The engine there ends then; the next one can use the device again.
bool is_of_lost_device(const Job& there) {
    return there.state == JobState::failed && there.error && there.error->code() == ErrorCode::device_lost;
}

bool is_of_lost_device(const RunEvent& last_event) {
    const auto* failed = std::get_if<RunFailed>(&last_event);
    return failed != nullptr && failed->error.code() == ErrorCode::device_lost;
}

/// The connection does not say how the engine ended, but its last messages may.
LocalizableMessage end_there(const std::string& computer) {
    return {"ended_there", {{"computer", computer}}, "the engine on '" + computer + "' ended unexpectedly"};
}

LocalizableMessage device_loss_there(const std::string& computer, const Error& error) {
    return {"device_lost", {{"computer", computer}, {"error", error.message()}}, computer + ": " + error.message()};
}

/// Returns true for the last event of a run that has stopped here already: an answer may show that earlier.
bool is_known(const SentJob& sent, const RunEvent& last_event) {
    return (sent.job.state == JobState::paused && std::holds_alternative<RunPaused>(last_event)) ||
           (sent.job.state == JobState::failed && std::holds_alternative<RunFailed>(last_event));
}

bool runs_there(const SentJob& sent) {
    return sent.stage == Stage::there && (sent.job.state == JobState::running || sent.job.state == JobState::waiting);
}

}  // namespace

/// As in the local queue, jobs that are over are not listed in the next session, except failed ones.
SentQueue::SentQueue(Setup setup) : setup_(std::move(setup)), sent_(read_sent_jobs(setup_.ledger)) {
    for (SentJob& sent : sent_.jobs)
        if (sent.job.state == JobState::cancelled) sent.is_removed = true;
    std::erase_if(sent_.jobs, [](const SentJob& sent) {
        const bool is_past = sent.job.state == JobState::finished || sent.job.state == JobState::cancelled;
        return (sent.stage == Stage::done && is_past) || (sent.is_removed && !sent.is_sent);
    });
}

void SentQueue::change(const std::function<void(Events&)>& change) {
    Events events;
    {
        const std::lock_guard lock(mutex_);
        change(events);
        try {
            save_sent_jobs(setup_.ledger, sent_);
        } catch (const Error& error) {  // as in the local queue: the job still runs
            events.emplace_back(0, LogLine{LogLineLevel::warning, error.message()});
        }
        std::ranges::move(events, std::back_inserter(due_));
        is_queue_due_ = true;
    }
    setup_.on_work();
    announce_due();
}

void SentQueue::announce(JobId job, RunEvent event) {
    {
        const std::lock_guard lock(mutex_);
        due_.emplace_back(job, std::move(event));
    }
    announce_due();
}

void SentQueue::announce_due() {
    announcing_.run([this] {
        Events events;
        {
            const std::lock_guard lock(mutex_);
            events = std::exchange(due_, {});
            if (std::exchange(is_queue_due_, false)) events.emplace_back(0, QueueChanged{list_locked()});
        }
        send(events);
    });
}

/// An event that the observer cannot take does not hold up the others.
void SentQueue::send(const Events& events) {
    std::exception_ptr fault;
    for (const auto& [job, event] : events) {
        try {
            setup_.observer.on_event(job, event);
        } catch (...) {
            if (!fault) fault = std::current_exception();
        }
    }
    if (fault) std::rethrow_exception(fault);
}

void SentQueue::change_job(JobId job, const std::function<void(SentJob&, Events&)>& edit) {
    change([&](Events& events) {
        if (SentJob* sent = find_sent(job)) edit(*sent, events);
    });
}

void SentQueue::change_job(const std::string& token, const std::function<void(SentJob&, Events&)>& edit) {
    change([&](Events& events) {
        if (SentJob* sent = find_token(token)) edit(*sent, events);
    });
}

SentJob* SentQueue::find_sent(JobId job) {
    const auto found = std::ranges::find(sent_.jobs, job, [](const SentJob& sent) { return sent.job.id; });
    return found == sent_.jobs.end() ? nullptr : &*found;
}

/// Finds the job that has this id there, see bind(). An earlier job may have had it, because an engine with an empty
/// queue counts from 1 again.
SentJob* SentQueue::find_there(JobId there) {
    const auto found = std::ranges::find_if(
        sent_.jobs, [there](const SentJob& sent) { return sent.stage == Stage::there && sent.there == there; });
    return found == sent_.jobs.end() || there == 0 ? nullptr : &*found;
}

/// Notes the id that the job of a token has there, and that other jobs no longer have it.
SentJob* SentQueue::bind(const std::string& token, JobId there) {
    for (SentJob& sent : sent_.jobs)
        if (sent.there == there && sent.token != token) sent.there = 0;
    SentJob* sent = find_token(token);
    if (sent == nullptr) return nullptr;
    sent->there = there;
    if (sent->stage == Stage::here) sent->stage = Stage::there;
    return sent->stage == Stage::there ? sent : nullptr;
}

SentJob* SentQueue::find_token(const std::string& token) {
    const auto found = std::ranges::find(sent_.jobs, token, &SentJob::token);
    return found == sent_.jobs.end() || token.empty() ? nullptr : &*found;
}

std::vector<Job> SentQueue::list_locked() const {
    std::vector<Job> jobs;
    for (const SentJob& sent : sent_.jobs)
        if (is_shown(sent)) jobs.push_back(shown_job(sent));
    return jobs;
}

std::vector<Job> SentQueue::list() {
    const std::lock_guard lock(mutex_);
    return list_locked();
}

std::optional<Job> SentQueue::find(JobId job) {
    const std::lock_guard lock(mutex_);
    const SentJob* sent = find_sent(job);
    return sent != nullptr && is_shown(*sent) ? std::optional(shown_job(*sent)) : std::nullopt;
}

JobId SentQueue::submit(VideoRequest request) {
    JobId id = 0;
    change([&](Events&) {
        SentJob sent;
        sent.job.id = id = ++sent_.last_id;
        sent.job.created = utc_now();
        sent.job.request = request;
        sent.own = std::move(request);
        sent.token = make_token();
        sent_.jobs.push_back(std::move(sent));
    });
    return id;
}

/// What has not been sent needs no order.
void SentQueue::give_order(SentJob& sent, Order order) {
    if (!sent.is_sent) return;
    sent.order = order;
    ++sent.order_number;
}

void SentQueue::cancel(JobId job) {
    change_job(job, [this](SentJob& sent, Events& events) {
        if (is_over(sent.job.state) || sent.stage == Stage::fetching) return;
        give_order(sent, Order::cancel);
        if (sent.is_sent) return;
        sent.job.state = JobState::cancelled;
        events.emplace_back(sent.job.id, RunCancelled{});
    });
}

void SentQueue::pause(JobId job, PausePoint point) {
    change_job(job, [&](SentJob& sent, Events& events) {
        if (is_over(sent.job.state) || sent.stage == Stage::fetching) return;
        give_order(sent, point == PausePoint::at_once ? Order::pause_at_once : Order::pause);
        if (sent.is_sent || sent.job.state != JobState::waiting) return;
        sent.job.state = JobState::paused;
        events.emplace_back(sent.job.id, RunPaused{});
    });
}

/// A job that was not sent, or whose results were not fetched, starts with that.
void SentQueue::begin_again(SentJob& sent) {
    sent.job.error.reset();
    sent.deaths = 0;
    sent.job.state = sent.stage == Stage::fetching ? JobState::running : JobState::waiting;
}

void SentQueue::resume(JobId job) {
    change_job(job, [this](SentJob& sent, Events&) {
        if (sent.job.state == JobState::waiting || sent.job.state == JobState::running ||
            sent.job.state == JobState::finished || sent.job.state == JobState::cancelled)
            return;
        if (has_lost_results(sent)) return start_over(sent);
        begin_again(sent);
        if (sent.stage == Stage::there) give_order(sent, Order::resume);
    });
}

void SentQueue::decode_now(JobId job) {
    change_job(job, [this](SentJob& sent, Events&) {
        if (sent.stage != Stage::there || !(can_resume(sent.job.state) || sent.job.state == JobState::failed)) return;
        if (sent.job.step == 0)
            throw Error(ErrorCode::bad_request,
                        "job " + std::to_string(sent.job.id) + " has no finished step to decode");
        begin_again(sent);
        give_order(sent, Order::decode);
    });
}

void SentQueue::start(JobId job, RemainingSteps steps) {
    steps == RemainingSteps::skipped ? decode_now(job) : resume(job);
}

void SentQueue::hand_over(JobId job) {
    throw Error(ErrorCode::unsupported,
                "job " + std::to_string(job) + " cannot be handed over: it belongs to another computer");
}

/// Results that did not arrive are fetched again: starting over would delete them there.
void SentQueue::retry(JobId job) {
    change_job(job, [this](SentJob& sent, Events&) {
        if (sent.job.state == JobState::finished || sent.job.state == JobState::running)
            throw Error(ErrorCode::bad_request,
                        "job " + std::to_string(sent.job.id) + " cannot start over: it is running or finished");
        if (sent.stage == Stage::fetching && !has_lost_results(sent)) return begin_again(sent);
        start_over(sent);
    });
}

/// The request is translated again, because its models may have been moved there.
void SentQueue::start_over(SentJob& sent) {
    VideoRequest request = sent.own;
    request.seed = sent.job.request.seed;
    send_again(sent, std::move(request));
}

/// Deleted jobs, which the user does not see, do not count.
std::ptrdiff_t SentQueue::index_of(int position) const {
    auto place = sent_.jobs.begin();
    for (int before = 0; place != sent_.jobs.end(); ++place)
        if (is_shown(*place) && before++ >= position) break;
    return place - sent_.jobs.begin();
}

void SentQueue::move(JobId job, int position) {
    change([&](Events&) {
        const auto found = std::ranges::find(sent_.jobs, job, [](const SentJob& sent) { return sent.job.id; });
        if (found == sent_.jobs.end()) return;
        SentJob moved = std::move(*found);
        sent_.jobs.erase(found);
        sent_.jobs.insert(sent_.jobs.begin() + index_of(position), std::move(moved));
    });
}

void SentQueue::edit(JobId job, VideoRequest request) {
    change([&](Events&) {
        SentJob* sent = find_sent(job);
        if (sent == nullptr || sent->job.state != JobState::waiting)
            throw Error(ErrorCode::bad_request,
                        "job " + std::to_string(job) + " cannot be changed: it is no longer waiting");
        send_again(*sent, std::move(request));
    });
}

/// Withdraws what has been sent, and queues the request under a new token. `sent` may refer to nothing afterwards.
void SentQueue::send_again(SentJob& sent, VideoRequest request) {
    SentJob withdrawn;
    withdrawn.job.id = sent.job.id;
    withdrawn.job.created = sent.job.created;
    withdrawn.job.request = request;
    withdrawn.own = std::move(request);
    withdrawn.token = make_token();
    std::swap(sent, withdrawn);
    if (!withdrawn.is_sent) return;
    withdrawn.is_removed = true;
    withdrawn.job.id = ++sent_.last_id;
    sent_.jobs.push_back(std::move(withdrawn));
}

void SentQueue::remove(JobId job) {
    change([&](Events&) {
        SentJob* sent = find_sent(job);
        if (sent == nullptr) return;
        sent->is_removed = true;
        if (!sent->is_sent || sent->stage == Stage::done)
            std::erase_if(sent_.jobs, [job](const SentJob& each) { return each.job.id == job; });
    });
}

void SentQueue::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void SentQueue::release() {
    {
        const std::lock_guard lock(mutex_);
        held_ = false;
    }
    setup_.on_work();
}

void SentQueue::take(JobId there, const RunEvent& event) {
    if (const auto* queue = std::get_if<QueueChanged>(&event)) return take_queue(queue->jobs);
    if (there == 0) {
        if (const auto* line = std::get_if<LogLine>(&event))
            announce(0, LogLine{line->level, setup_.computer + ": " + line->text});
        return;
    }
    if (is_of_lost_device(event)) {  // the engine there ends; reconcile() decides
        const std::string& reason = std::get<RunFailed>(event).error.message();
        return announce(0, LogLine{LogLineLevel::warning, setup_.computer + ": " + reason});
    }
    if (ends_run(event)) {
        change([&](Events& events) {
            SentJob* sent = find_there(there);
            if (sent == nullptr || is_known(*sent, event)) return;
            end_run(*sent, event, events);
            ended_since_question_.insert(sent->token);
        });
        return;
    }
    {
        RunEvent own = event;
        const std::lock_guard lock(mutex_);
        auto* started = std::get_if<RunStarted>(&own);
        SentJob* sent = started != nullptr ? bind(token_in(started->request.output.file), there) : find_there(there);
        if (sent == nullptr || sent->is_removed) return;
        if (started != nullptr) {
            started->request = with_own_paths(started->request, sent->own);
            sent->job.request = started->request;
            sent->job.state = JobState::running;
            started_since_question_.insert(sent->token);
        }
        if (const auto* step = std::get_if<StepCompleted>(&own)) {
            sent->job.step = step->step + 1;
            sent->job.num_steps = step->num_steps;
        }
        due_.emplace_back(sent->job.id, std::move(own));
    }
    announce_due();
}

/// Jobs that have ended or paused are left to their last event, which says more than the list and may be newer than it.
/// RunStarted says when they go on.
void SentQueue::take_queue(const std::vector<Job>& there) {
    change([&](Events&) {
        for (const Job& job : there) {
            SentJob* sent = bind(token_in(job.request.output.file), job.id);
            if (sent == nullptr) continue;
            sent->job.waits_for = job.waits_for;
            sent->job.num_steps = job.num_steps;
            sent->job.step = std::max(sent->job.step, job.step);
            const bool is_stopped = is_over(sent->job.state) || sent->job.state == JobState::paused;
            if (!is_stopped && (job.state == JobState::running || job.state == JobState::waiting))
                sent->job.state = job.state;
        }
    });
}

void SentQueue::end_run(SentJob& sent, const RunEvent& last_event, Events& events) {
    sent.is_sent = true;
    const auto* cancelled = std::get_if<RunCancelled>(&last_event);
    const bool has_results =
        std::holds_alternative<RunFinished>(last_event) || (cancelled != nullptr && !cancelled->output.empty());
    if (has_results) {
        sent.stage = Stage::fetching;
        sent.job.state = JobState::running;
        sent.last_event = last_event;
        sent.is_partial = cancelled != nullptr;
        sent.order = Order::none;
        return;
    }
    RunEvent own = last_event;
    if (auto* failed = std::get_if<RunFailed>(&own)) {
        failed->error = error_there(setup_.computer, failed->error);
        sent.job.state = JobState::failed;
        sent.job.error = failed->error;
    } else if (const auto* paused = std::get_if<RunPaused>(&own)) {
        sent.job.state = JobState::paused;
        sent.job.step = paused->step;
    } else {
        sent.job.state = JobState::cancelled;
    }
    if (!sent.is_removed) events.emplace_back(sent.job.id, std::move(own));
}

void SentQueue::note_question() {
    const std::lock_guard lock(mutex_);
    ended_since_question_.clear();
    started_since_question_.clear();
}

void SentQueue::reconcile(const std::vector<Job>& there, const std::vector<std::string>& last_lines) {
    change([&](Events& events) {
        for (const Job& job : there) bind(token_in(job.request.output.file), job.id);
        for (SentJob& sent : sent_.jobs) {
            if (std::ranges::none_of(there, [&sent](const Job& job) { return job.id == sent.there; })) sent.there = 0;
            if (!sent.is_sent || (sent.stage != Stage::here && sent.stage != Stage::there)) continue;
            const auto found =
                std::ranges::find(there, sent.token, [](const Job& job) { return token_in(job.request.output.file); });
            if (found != there.end()) {
                compare(sent, *found, last_lines, events);
            } else if (sent.stage == Stage::there) {
                sent.stage = Stage::here;
                sent.is_sent = false;
                sent.order = Order::none;
                if (!is_over(sent.job.state))
                    end_run(sent,
                            RunFailed{Error(ErrorCode::engine_lost, "the job is no longer in the queue there",
                                            "Start it again.", {{"cause", "job_gone"}})},
                            events);
                sent.is_sent = false;
            }
        }
    });
}

void SentQueue::compare(SentJob& sent, const Job& there, const std::vector<std::string>& last_lines, Events& events) {
    bind(sent.token, there.id);
    if (ended_since_question_.contains(sent.token)) return;
    sent.job.step = there.step;
    sent.job.num_steps = there.num_steps;
    sent.job.waits_for = there.waits_for;
    const bool goes_on = sent.order == Order::none && !sent.is_removed;
    switch (there.state) {
        case JobState::running:
            sent.job.state = JobState::running;
            return;
        case JobState::waiting:  // it may have been left by an engine that ended
            if (started_since_question_.contains(sent.token)) return;
            sent.job.state = JobState::waiting;
            if (goes_on) give_order(sent, Order::resume);
            return;
        case JobState::interrupted:
            if (goes_on && sent.job.state == JobState::interrupted) return;  // it is set aside
            sent.job.state = JobState::waiting;
            if (goes_on) survive(sent, {.cause = end_there(setup_.computer), .last_lines = last_lines}, events);
            return;
        case JobState::finished:
            return end_run(sent, last_event_of(there), events);
        case JobState::failed:
            if (is_of_lost_device(there) && runs_there(sent) && goes_on &&
                sent.deaths + 1 < remote::kMostEndedEngines) {
                sent.job.state = JobState::waiting;
                return survive(sent, {.cause = device_loss_there(setup_.computer, *there.error)}, events);
            }
            [[fallthrough]];
        case JobState::cancelled:
        case JobState::paused:
            if (sent.job.state == there.state || sent.order == Order::resume || sent.order == Order::decode) return;
            if (sent.job.state == JobState::waiting || sent.job.state == JobState::running)
                end_run(sent, last_event_of(there), events);
    }
}

/// Continues a job whose engine has ended there, or sets it aside.
void SentQueue::survive(SentJob& sent, EngineEnded end, Events& events) {
    const bool goes_on = ++sent.deaths < remote::kMostEndedEngines;
    end.job = goes_on ? AfterEngineEnd::goes_on : AfterEngineEnd::set_aside;
    if (goes_on) give_order(sent, Order::resume);
    const LocalizableMessage cause = end.cause;
    events.emplace_back(sent.job.id, std::move(end));
    if (goes_on) return;
    sent.job.state = JobState::interrupted;
    events.emplace_back(sent.job.id, RunFailed{remote::lost_error(cause)});
}

std::vector<SentJob> SentQueue::open_jobs() {
    const std::lock_guard lock(mutex_);
    std::vector<SentJob> open;
    for (const SentJob& sent : sent_.jobs) {
        const bool waits_here = sent.stage == Stage::here && !sent.is_sent && !sent.is_removed;
        if (is_open(sent) && !(held_ && waits_here)) open.push_back(sent);
    }
    return open;
}

bool SentQueue::may_be_sent(const std::string& token) {
    const std::lock_guard lock(mutex_);
    const SentJob* sent = find_token(token);
    return sent != nullptr && is_wanted(*sent);
}

bool SentQueue::may_be_fetched(const std::string& token) {
    const std::lock_guard lock(mutex_);
    const SentJob* sent = find_token(token);
    return sent != nullptr && !sent->is_removed;
}

bool SentQueue::begin_sending(const std::string& token) {
    bool begins = false;
    change_job(token, [&begins](SentJob& sent, Events&) {
        begins = is_wanted(sent);
        if (begins) sent.is_sent = true;
    });
    return begins;
}

void SentQueue::note_sent(const std::string& token, const Job& there) {
    change_job(token, [&](SentJob& sent, Events& events) {
        if (sent.stage == Stage::here || sent.stage == Stage::there) compare(sent, there, {}, events);
    });
}

void SentQueue::note_order_given(const SentJob& given) {
    change_job(given.token, [&given](SentJob& sent, Events&) {
        if (sent.order_number == given.order_number) sent.order = Order::none;
    });
}

void SentQueue::note_paused(const std::string& token, const Job& there) {
    change_job(token, [&](SentJob& sent, Events& events) {
        const bool has_stopped =
            there.state == JobState::paused || (there.state == JobState::failed && !is_of_lost_device(there));
        if (has_stopped && runs_there(sent) && sent.order == Order::none) end_run(sent, last_event_of(there), events);
    });
}

void SentQueue::note_fetched(const std::string& token, const RunEvent& last_event) {
    change_job(token, [&](SentJob& sent, Events& events) {
        const auto* finished = std::get_if<RunFinished>(&last_event);
        const auto* cancelled = std::get_if<RunCancelled>(&last_event);
        sent.job.state = finished != nullptr ? JobState::finished : JobState::cancelled;
        sent.job.output = finished != nullptr    ? finished->result.output
                          : cancelled != nullptr ? cancelled->output
                                                 : std::filesystem::path();
        sent.stage = Stage::cleaning;
        sent.last_event.reset();
        sent.job.error.reset();
        if (!sent.is_removed) events.emplace_back(sent.job.id, last_event);
    });
}

void SentQueue::note_done(const std::string& token) {
    change_job(token, [](SentJob& sent, Events&) { sent.stage = Stage::done; });
}

/// Ignores the error of a job that the user stopped before it was sent.
void SentQueue::note_failed(const std::string& token, const Error& error) {
    change_job(token, [&](SentJob& sent, Events& events) {
        if (sent.stage == Stage::here && !is_wanted(sent)) return;
        sent.job.state = JobState::failed;
        sent.job.error = error;
        sent.order = Order::none;
        if (!sent.is_removed) events.emplace_back(sent.job.id, RunFailed{error});
    });
}

void SentQueue::forget(const std::string& token) {
    change([&](Events&) { std::erase_if(sent_.jobs, [&](const SentJob& each) { return each.token == token; }); });
}

int SentQueue::num_open() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(std::ranges::count_if(sent_.jobs, [](const SentJob& sent) {
        return !sent.is_removed && (runs_there(sent) || is_open(sent) || can_resume(sent.job.state));
    }));
}

}  // namespace kinescope::computers
