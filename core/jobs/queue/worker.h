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
    /// Like post(), for a task that looks for work and perhaps finds none. The task holds a Computing while it
    /// computes.
    void post_search(std::function<void()> work) {
        post({.work = std::move(work), .ended = {}, .begins_as = Activity::searching});
    }
    /// Waits for the running task and drops the waiting ones, and those that arrive later.
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

    /// Runs `function` like call(), but returns nullopt if the worker computes something else. Waits for a search that
    /// computes nothing.
    template <class Function>
    auto call_if_idle(Function function) -> std::optional<decltype(function())> {
        Call<decltype(function())> call(std::move(function));
        if (!post_if_idle(std::move(call.task))) return std::nullopt;
        return call.wait();
    }

    /// While it lives, a search counts as computing. Only for tasks of post_search().
    class Computing {
    public:
        explicit Computing(Worker& worker) : worker_(worker) { worker_.set_activity(Activity::computing); }
        ~Computing() { worker_.set_activity(Activity::searching); }
        Computing(const Computing&) = delete;
        Computing& operator=(const Computing&) = delete;

    private:
        Worker& worker_;
    };

private:
    enum class Activity { idle, searching, computing };

    struct Task {
        std::function<void()> work;
        std::function<void()> ended;  ///< called when the worker no longer counts the task as running; may be empty
        Activity begins_as = Activity::computing;
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
    void set_activity(Activity activity);
    /// Is it still open whether the worker has something to compute? Called with mutex_ held.
    bool is_undecided() const;
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable decided_;
    std::deque<Task> tasks_;
    Activity activity_ = Activity::idle;
    bool stopping_ = false;
    std::promise<void> started_;
    std::shared_future<void> ready_ = started_.get_future().share();
    std::thread thread_;
};

}  // namespace kinescope
