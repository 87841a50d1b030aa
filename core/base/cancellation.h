#pragma once

#include <atomic>
#include <memory>

namespace kinescope {

/// Thrown by cancelled work; caught only at the job boundary.
struct Cancelled {};

/// A flag whose copies share one state. Once requested, it stays requested.
class CancellationToken {
public:
    CancellationToken() : requested_(std::make_shared<std::atomic<bool>>(false)) {}

    void request() { requested_->store(true, std::memory_order_relaxed); }
    bool is_requested() const { return requested_->load(std::memory_order_relaxed); }
    void throw_if_requested() const {
        if (is_requested()) throw Cancelled{};
    }

private:
    std::shared_ptr<std::atomic<bool>> requested_;
};

}  // namespace kinescope
