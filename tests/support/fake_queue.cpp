#include "tests/support/fake_queue.h"

#include <algorithm>
#include <fstream>

#include "tests/support/fake_engine.h"

namespace kinescope::testing {
namespace {

constexpr std::int64_t kMemoryGivenBack = 8'400'000'000;

RunEvent stoppedAfter(int steps, RunEvent end) {
    if (auto* finished = std::get_if<RunFinished>(&end)) finished->result.stopped_after_step = steps;
    return end;
}

}  // namespace

FakeQueue::FakeQueue(Script script, RunObserver& observer)
    : script_(std::move(script)), observer_(observer), thread_([this] { work(); }) {}

FakeQueue::~FakeQueue() {
    {
        std::lock_guard lock(mutex_);
        quitting_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void FakeQueue::leaveBehind(std::vector<Job> jobs) {
    std::lock_guard lock(mutex_);
    jobs_ = std::move(jobs);
    for (const Job& job : jobs_) {
        last_ = std::max(last_, job.id);
        asleep_.push_back(job.id);
    }
}

void FakeQueue::holdAfter(std::size_t events) {
    std::lock_guard lock(mutex_);
    hold_after_ = events;
}

void FakeQueue::release() {
    std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
}

Job* FakeQueue::find(JobId job) {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [job](const Job& one) { return one.id == job; });
    return found == jobs_.end() ? nullptr : &*found;
}

void FakeQueue::tellQueue() {
    const std::lock_guard telling(telling_);
    std::vector<Job> jobs;
    {
        std::lock_guard lock(mutex_);
        jobs = jobs_;
    }
    changed_.notify_all();
    observer_.on_event(0, QueueChanged{std::move(jobs)});
}

void FakeQueue::change(JobId job, const Change& change) {
    {
        std::lock_guard lock(mutex_);
        Job* record = find(job);
        if (!record) return;
        change(*record);
        std::erase(asleep_, job);
    }
    tellQueue();
}

JobId FakeQueue::submit(VideoRequest request) {
    Job record;
    record.request = std::move(request);
    record.created = "2026-11-21T10:00:00Z";
    {
        std::lock_guard lock(mutex_);
        record.id = ++last_;
        jobs_.push_back(record);
    }
    tellQueue();
    return record.id;
}

void FakeQueue::cancel(JobId job) {
    {
        std::lock_guard lock(mutex_);
        if (job == running_) {
            wish_ = JobState::cancelled;
            changed_.notify_all();
            return;
        }
        const Job* record = find(job);
        if (!record || is_over(record->state)) return;
    }
    change(job, [](Job& record) { record.state = JobState::cancelled; });
    observer_.on_event(job, RunCancelled{});
}

void FakeQueue::pause(JobId job) {
    {
        std::lock_guard lock(mutex_);
        if (job == running_) {
            wish_ = JobState::paused;
            changed_.notify_all();
            return;
        }
    }
    const auto before = this->job(job);
    if (!before || before->state != JobState::waiting) return;
    change(job, [](Job& record) { record.state = JobState::paused; });
    observer_.on_event(job, RunPaused{before->step, 0});
}

void FakeQueue::decode_now(JobId job) {
    {
        std::lock_guard lock(mutex_);
        decoding_.insert(job);
    }
    resume(job);
}

std::optional<Job> FakeQueue::job(JobId job) {
    std::lock_guard lock(mutex_);
    const Job* record = find(job);
    return record == nullptr ? std::nullopt : std::optional(*record);
}

void FakeQueue::resume(JobId job) {
    change(job, [](Job& record) {
        if (can_resume(record.state) || record.state == JobState::failed) record.state = JobState::waiting;
    });
}

void FakeQueue::retry(JobId job) {
    change(job, [this](Job& record) {
        if (record.state == JobState::finished || record.state == JobState::running)
            throw Error(ErrorCode::bad_request, "this job cannot be tried again");
        played_.erase(record.id);
        record.state = JobState::waiting;
        record.step = 0;
        record.error.reset();
    });
}

void FakeQueue::edit(JobId job, VideoRequest request) {
    change(job, [&](Job& record) {
        VideoRequest finished = record.request;
        finished.finish = request.finish;
        const bool keeps_steps = finished == request && (record.state == JobState::failed || can_resume(record.state));
        if (record.state != JobState::waiting && !keeps_steps)
            throw Error(ErrorCode::bad_request, "this job does not wait");
        record.request = std::move(request);
    });
}

void FakeQueue::move(JobId job, int position) {
    {
        std::lock_guard lock(mutex_);
        Job* record = find(job);
        if (!record) return;
        Job moved = *record;
        jobs_.erase(jobs_.begin() + (record - jobs_.data()));
        jobs_.insert(jobs_.begin() + std::min<std::ptrdiff_t>(position, static_cast<std::ptrdiff_t>(jobs_.size())),
                     std::move(moved));
    }
    tellQueue();
}

void FakeQueue::remove(JobId job) {
    cancel(job);
    {
        std::lock_guard lock(mutex_);
        std::erase_if(jobs_, [job](const Job& record) { return record.id == job; });
    }
    tellQueue();
}

void FakeQueue::hold(bool held) {
    {
        std::lock_guard lock(mutex_);
        held_ = held;
        if (!held) asleep_.clear();
    }
    changed_.notify_all();
}

std::vector<Job> FakeQueue::jobs() {
    std::lock_guard lock(mutex_);
    return jobs_;
}

Job* FakeQueue::next() {
    if (held_) return nullptr;
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [this](const Job& job) {
        return job.state == JobState::waiting && std::find(asleep_.begin(), asleep_.end(), job.id) == asleep_.end();
    });
    return found == jobs_.end() ? nullptr : &*found;
}

void FakeQueue::work() {
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return quitting_ || next(); });
            if (quitting_) return;
            job = *next();
            running_ = job.id;
            wish_ = JobState::running;
        }
        const VideoRequest request = with_defaults(job.request, demoCard());
        change(job.id, [&](Job& record) {
            record.state = JobState::running;
            record.request = request;
            record.num_steps = *request.num_inference_steps;
        });
        play(job.id, script_(request));
    }
}

JobState FakeQueue::wish(JobId job, std::size_t event) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        return event < hold_after_ || released_ || quitting_ || wish_ != JobState::running || running_ != job;
    });
    return quitting_ ? JobState::interrupted : wish_;
}

void FakeQueue::end(JobId job, const RunEvent& event) {
    const auto enter = [&](Job& record) {
        if (const auto* failed = std::get_if<RunFailed>(&event)) {
            record.state = JobState::failed;
            record.error = failed->error;
        } else if (const auto* finished = std::get_if<RunFinished>(&event)) {
            record.state = JobState::finished;
            record.output = finished->result.output;
        } else if (std::holds_alternative<RunPaused>(event)) {
            record.state = JobState::paused;
        } else {
            record.state = JobState::cancelled;
        }
    };
    {
        std::lock_guard lock(mutex_);
        running_ = 0;
        if (Job* record = find(job)) enter(*record);
    }
    observer_.on_event(job, event);
    tellQueue();
}

void FakeQueue::play(JobId job, const std::vector<RunEvent>& events) {
    std::size_t played = 0;
    int steps = 0;
    bool decodes = false;
    {
        std::lock_guard lock(mutex_);
        played = played_[job];
        decodes = decoding_.erase(job) > 0;
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
        const bool told = i < played && !std::holds_alternative<RunStarted>(events[i]) &&
                          !std::holds_alternative<PhaseStarted>(events[i]);
        const bool is_step = std::holds_alternative<StepCompleted>(events[i]);
        if (decodes && i >= played && is_step) continue;
        if (is_step) ++steps;
        if (told) continue;
        const JobState wanted = wish(job, i);
        if (wanted == JobState::interrupted) return;
        if (wanted == JobState::cancelled) return end(job, RunCancelled{steps, {}});
        if (wanted == JobState::paused) {
            std::unique_lock lock(mutex_);
            played_[job] = i;
            lock.unlock();
            return end(job, RunPaused{steps, kMemoryGivenBack});
        }
        if (const auto* finished = std::get_if<RunFinished>(&events[i]))
            std::ofstream(finished->result.output) << "a video";
        const bool last =
            std::holds_alternative<RunFinished>(events[i]) || std::holds_alternative<RunFailed>(events[i]);
        if (last) return end(job, decodes ? stoppedAfter(steps, events[i]) : events[i]);
        observer_.on_event(job, events[i]);
        if (std::holds_alternative<StepCompleted>(events[i]))
            change(job, [steps](Job& record) { record.step = steps; });
    }
}

}  // namespace kinescope::testing
