#pragma once

#include <cstdint>
#include <mutex>
#include <set>

namespace kinescope {

/// The ids of calls that were cancelled. A call may be cancelled before it starts. Thread-safe.
class CancelledCalls {
public:
    void add(std::int64_t id) {
        const std::lock_guard lock(mutex_);
        ids_.insert(id);
    }
    bool contains(std::int64_t id) const {
        const std::lock_guard lock(mutex_);
        return ids_.contains(id);
    }

private:
    mutable std::mutex mutex_;
    std::set<std::int64_t> ids_;
};

}  // namespace kinescope
