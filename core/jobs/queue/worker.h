#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace kinescope {

/// The only thread that computes with tensors. Runs tasks in the order of their arrival. Tasks must not throw.
class Worker {
public:
    Worker();
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void post(std::function<void()> task);
    /// Waits for the running task and drops the others.
    void stop();
    /// Waits until LibTorch's backends are loaded and configured; does not wait for tasks.
    void wait_until_ready() const { ready_.wait(); }

    /// Runs `function` on the worker, waits for it and returns its result or rethrows its exception.
    template <class Function>
    auto call(Function function) {
        std::packaged_task<decltype(function())()> task(std::move(function));
        auto future = task.get_future();
        post([&task] { task(); });
        return future.get();
    }

    /// The same, but returns nullopt at once if the worker has something else to do.
    template <class Function>
    auto call_if_idle(Function function) -> std::optional<decltype(function())> {
        std::packaged_task<decltype(function())()> task(std::move(function));
        auto future = task.get_future();
        if (!post_if_idle([&task] { task(); })) return std::nullopt;
        return future.get();
    }

private:
    bool post_if_idle(std::function<void()> task);
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    bool is_working_ = false;
    bool stopping_ = false;
    std::promise<void> started_;
    std::shared_future<void> ready_ = started_.get_future().share();
    std::thread thread_;
};

}  // namespace kinescope
