#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace kinescope {

/// Distributes numbered tasks. Threads request the next task when they are free.
class DynamicTasks {
public:
    DynamicTasks(std::int64_t count, std::int64_t threads) : count_(count), threads_(threads) {}

    std::optional<std::int64_t> next() {
        const auto task = next_.fetch_add(1, std::memory_order_relaxed);
        return task < count_ ? std::optional(task) : std::nullopt;
    }

    /// Consecutive tasks, for work that is faster on several tasks together.
    struct Batch {
        std::int64_t first = 0;
        std::int64_t count = 0;  ///< 0 if no tasks are left
    };
    /// Returns at most `most` tasks. Returns fewer toward the end, so that all threads finish at about the same time
    /// (guided self-scheduling: Polychronopoulos & Kuck 1987).
    Batch next_batch(std::int64_t most) {
        auto first = next_.load(std::memory_order_relaxed);
        while (first < count_) {
            const auto rest = count_ - first;
            const auto count = std::clamp<std::int64_t>(threads_ == 1 ? rest : rest / (2 * threads_), 1, most);
            if (next_.compare_exchange_weak(first, first + count, std::memory_order_relaxed)) return {first, count};
        }
        return {};
    }

private:
    std::int64_t count_, threads_;
    std::atomic<std::int64_t> next_ = 0;
};

/// Runs `work` on every thread until no tasks are left. at::parallel_for gives every thread the same amount of work, so
/// that all threads wait for a core that is slower or busy (measured while another program was busy: products at 200
/// instead of 260 GFLOP/s).
void parallel_for_dynamic(std::int64_t count, const std::function<void(DynamicTasks&)>& work);

}  // namespace kinescope
