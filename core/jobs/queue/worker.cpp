#include "core/jobs/queue/worker.h"

#include <algorithm>

#include "core/device/backend.h"

namespace kinescope {

Worker::Worker() : thread_([this] { run(); }) {}

void Worker::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        tasks_.clear();
    }
    wake_.notify_one();
    decided_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Worker::post(Task task) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
}

bool Worker::post_if_idle(Task task) {
    {
        std::unique_lock lock(mutex_);
        decided_.wait(lock, [this] { return !is_undecided(); });
        if (activity_ != Activity::idle || stopping_ || !tasks_.empty()) return false;
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return true;
}

void Worker::set_activity(Activity activity) {
    {
        const std::lock_guard lock(mutex_);
        activity_ = activity;
    }
    decided_.notify_all();
}

bool Worker::is_undecided() const {
    if (stopping_ || activity_ == Activity::computing) return false;
    const bool only_searches =
        std::ranges::all_of(tasks_, [](const Task& task) { return task.begins_as == Activity::searching; });
    return only_searches && (activity_ == Activity::searching || !tasks_.empty());
}

void Worker::run() {
    load_cuda_backend();
    apply_numeric_settings(HalfAccumulation::forbidden);
    started_.set_value();
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
            activity_ = task.begins_as;
        }
        if (task.begins_as == Activity::computing) decided_.notify_all();
        task.work();
        set_activity(Activity::idle);
        if (task.ended) task.ended();
    }
}

}  // namespace kinescope
