#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace kinescope {

/// A task that follows changes, on one thread at a time. A change during the task makes the same thread run it once
/// more, so that the last run sees the newest state. No lock is held while the task runs.
class CoalescedTask {
public:
    /// Runs the task on this thread. If another thread is running it, that thread runs it once more instead. If the
    /// task throws, changes during it are still followed before the first exception is thrown again.
    template <class Task>
    void run(Task task) {
        {
            const std::lock_guard lock(mutex_);
            is_due_ = true;
            if (std::exchange(is_running_, true)) return;
        }
        std::exception_ptr fault;
        while (begins_again()) {
            try {
                task();
            } catch (...) {
                if (!fault) fault = std::current_exception();
            }
        }
        if (fault) std::rethrow_exception(fault);
    }

private:
    bool begins_again() {
        const std::lock_guard lock(mutex_);
        if (!is_due_) is_running_ = false;
        return std::exchange(is_due_, false);
    }

    std::mutex mutex_;
    bool is_running_ = false;
    bool is_due_ = false;
};

}  // namespace kinescope
