#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace kinescope {

/// The only thread that computes with tensors. Runs tasks in the order in which they arrive. Tasks must not throw.
class Worker {
public:
    Worker();
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void post(std::function<void()> work) { post({.work = std::move(work), .ended = {}}); }
    /// Waits for the running task and drops the waiting ones.
    void stop();
    /// Waits until LibTorch's backends are loaded and configured; does not wait for tasks.
    void wait_until_ready() const { ready_.wait(); }

    /// Runs `function` on the worker, waits for it and returns its result or rethrows its exception. Throws
    /// std::future_error if stop() drops the task.
    template <class Function>
    auto call(Function function) {
        Call<decltype(function())> call(std::move(function));
        post(std::move(call.task));
        return call.wait();
    }

    /// Runs `function` like call(), but returns nullopt immediately if the worker has another task.
    template <class Function>
    auto call_if_idle(Function function) -> std::optional<decltype(function())> {
        Call<decltype(function())> call(std::move(function));
        if (!post_if_idle(std::move(call.task))) return std::nullopt;
        return call.wait();
    }

private:
    struct Task {
        std::function<void()> work;
        std::function<void()> ended;  ///< called when the worker no longer counts the task as running; may be empty
    };

    /// A task with a result. wait() returns when the worker is idle again, so that a call_if_idle() that follows
    /// immediately succeeds.
    template <class Result>
    struct Call {
        template <class Function>
        explicit Call(Function function) {
            auto work = std::make_shared<std::packaged_task<Result()>>(std::move(function));
            auto end = std::make_shared<std::promise<void>>();
            result = work->get_future();
            ended = end->get_future();
            task = {.work = [work] { (*work)(); }, .ended = [end] { end->set_value(); }};
        }
        Result wait() {
            ended.get();
            return result.get();
        }

        Task task;
        std::future<Result> result;
        std::future<void> ended;
    };

    void post(Task task);
    bool post_if_idle(Task task);
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;
    bool is_working_ = false;
    bool stopping_ = false;
    std::promise<void> started_;
    std::shared_future<void> ready_ = started_.get_future().share();
    std::thread thread_;
};

}  // namespace kinescope
