#include "core/jobs/queue/worker.h"

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
    if (thread_.joinable()) thread_.join();
}

void Worker::post(Task task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
}

bool Worker::post_if_idle(Task task) {
    {
        const std::lock_guard lock(mutex_);
        if (is_working_ || stopping_ || !tasks_.empty()) return false;
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return true;
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
            is_working_ = true;
        }
        task.work();
        {
            const std::lock_guard lock(mutex_);
            is_working_ = false;
        }
        if (task.ended) task.ended();
    }
}

}  // namespace kinescope
