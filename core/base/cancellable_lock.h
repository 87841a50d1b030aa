#pragma once

#include <condition_variable>
#include <mutex>

#include "core/base/cancellation.h"

namespace kinescope {

/// A lock whose owner may keep it for minutes, so that waiting for it can be cancelled. Used with
/// `std::lock_guard(lock, std::adopt_lock)`.
class CancellableLock {
public:
    /// Throws Cancelled.
    void lock(const IsCancelled& is_cancelled) {
        std::unique_lock guard(mutex_);
        while (!freed_.wait_for(guard, kCancellationInterval, [this] { return !is_taken_; }))
            if (is_cancelled && is_cancelled()) throw Cancelled{};
        is_taken_ = true;
    }
    void unlock() {
        {
            const std::lock_guard guard(mutex_);
            is_taken_ = false;
        }
        freed_.notify_one();
    }

private:
    std::mutex mutex_;
    std::condition_variable freed_;
    bool is_taken_ = false;
};

}  // namespace kinescope
