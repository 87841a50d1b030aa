#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace kinescope {

/// The one thread that touches tensors: runs tasks in the order in which they came. Tasks must not throw.
class Worker {
public:
    Worker();
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void post(std::function<void()> task);
    /// Tasks that have not begun are dropped; the running one is waited for. None runs afterwards.
    void stop();
    /// Waits until the thread has loaded LibTorch's backends and set its switches; not for tasks.
    void wait_until_ready() const { ready_.wait(); }

    /// Runs `function` on the worker and waits; what it throws is thrown here.
    template <class Function>
    auto call(Function function) {
        std::packaged_task<decltype(function())()> task(std::move(function));
        auto future = task.get_future();
        post([&task] { task(); });
        return future.get();
    }

private:
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::promise<void> started_;
    std::shared_future<void> ready_ = started_.get_future().share();
    std::thread thread_;
};

}  // namespace kinescope
