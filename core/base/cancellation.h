#pragma once

#include <atomic>
#include <chrono>
#include <functional>
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

/// Returns true if the caller no longer waits for a result. Empty: it waits to the end.
using IsCancelled = std::function<bool()>;

/// How often something that waits asks whether it is cancelled.
inline constexpr std::chrono::milliseconds kCancellationInterval{100};

}  // namespace kinescope
