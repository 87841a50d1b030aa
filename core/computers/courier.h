#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/computers/computer_link.h"
#include "core/computers/file_transfer.h"
#include "core/computers/request_paths.h"
#include "core/computers/sent_queue.h"

namespace kinescope::computers {

/// Converts requests of this computer to requests of another one: looks for models there and sends inputs. Thread-safe.
class RequestTranslator {
public:
    RequestTranslator(Computer computer, ComputerLink& link, FileTransfer& files)
        : computer_(std::move(computer)), link_(link), files_(files) {}

    /// Throws Error(file_not_found), which names all models that are missing there, the errors of FileTransfer, and
    /// Stopped.
    VideoRequest translate(const VideoRequest& request, const std::string& token, const GoOn& go_on);
    /// The path of a model there; kBuiltinModel, and a path that does not exist here, stay as they are.
    std::filesystem::path model_there(const std::filesystem::path& model);
    /// Lets models be looked for again, because those here and there may have been replaced or moved.
    void forget_models();

private:
    std::filesystem::path mapped(const std::filesystem::path& path) const;
    std::filesystem::path ask_for_model(const std::filesystem::path& model);

    const Computer computer_;
    ComputerLink& link_;
    FileTransfer& files_;
    std::mutex mutex_;
    std::map<std::filesystem::path, std::filesystem::path> found_;  ///< models that were found there
};

/// Does what the queue of a computer says, on threads of its own: one connects, compares the queues after a new
/// connection, sends inputs and requests, and fetches results; the other one gives orders, which do not wait for the
/// transfers.
class Courier {
public:
    Courier(ComputerLink& link, SentQueue& queue, FileTransfer& files, RequestTranslator& translator);
    ~Courier();
    Courier(const Courier&) = delete;
    Courier& operator=(const Courier&) = delete;

    /// There may be something to do. Returns at once.
    void wake();
    /// Stops soon; the destructor waits for it.
    void stop();

private:
    void run();
    void work();
    void reconcile();
    void run_orders();
    void give_orders();
    void attempt(const SentJob& sent, const std::function<void()>& action);
    void handle(const SentJob& sent);
    void send(const SentJob& sent);
    void give(const SentJob& sent, int connection);
    std::optional<Job> find_there(const protocol::Json& job, int connection);
    void fetch(const SentJob& sent);
    void clean(const SentJob& sent);
    bool delete_there(const SentJob& sent);
    void drop_parts(const SentJob& sent);
    bool wait(double seconds);
    bool wait_for_orders();
    bool stops();
    bool is_reconciled() const;

    ComputerLink& link_;
    SentQueue& queue_;
    FileTransfer& files_;
    RequestTranslator& translator_;
    std::atomic<int> reconciled_ = 0;  ///< the connection after which the queues were compared
    std::mutex mutex_;                 ///< guards the members down to stops_
    std::condition_variable changed_;
    bool has_work_ = true;
    bool has_orders_ = false;
    bool stops_ = false;
    std::thread orders_thread_;
    std::thread thread_;
};

}  // namespace kinescope::computers
