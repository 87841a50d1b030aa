#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/answer_limits.h"
#include "core/base/cancellable_lock.h"

namespace kinescope {

/// Thrown if the child did not answer. what() states the reason: "was killed by SIGSEGV", "sent an invalid answer".
class ChildFailed : public std::runtime_error {
public:
    /// `signal`: the one that killed the child; 0: none.
    explicit ChildFailed(const std::string& reason, int signal = 0) : std::runtime_error(reason), signal_(signal) {}
    ChildFailed(Overrun overrun, const AnswerLimits& limits)
        : std::runtime_error(overrun_text(overrun, limits)), overrun_(overrun) {}

    int signal() const { return signal_; }
    /// The limit for which the child was killed.
    Overrun overrun() const { return overrun_; }

private:
    int signal_ = 0;
    Overrun overrun_ = Overrun::none;
};

/// The program of a ChildServer, and the limits of each answer.
struct ServerProgram {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without argv[0]
    AnswerLimits limits = {};
};

/// A child process that answers requests one after the other, so that untrusted input cannot crash this process. It
/// starts with the first request, and again if it has ended. Thread-safe.
class ChildServer {
public:
    explicit ChildServer(ServerProgram program) : program_(std::move(program)) {}
    ~ChildServer();
    ChildServer(const ChildServer&) = delete;
    ChildServer& operator=(const ChildServer&) = delete;

    /// Returns the child's answer. Throws ChildFailed, or Error(internal) if the child cannot be started. Soon after
    /// `is_cancelled` returns true, it throws Cancelled: if the child works on this request, it is ended; if it works
    /// on an earlier one, it goes on.
    std::string ask(std::string_view message, const IsCancelled& is_cancelled = {});

private:
    void start();
    std::optional<std::string> exchange_messages(std::string_view message, const IsCancelled& is_cancelled);
    void stop();

    const ServerProgram program_;
    CancellableLock lock_;
    int socket_ = -1;
    int child_ = 0;            ///< process id
    std::future<int> status_;  ///< the wait status, as soon as the child has ended
};

/// `address_space`: all mappings. `data`: without files that are mapped read-only, which may be larger than the main
/// memory.
enum class LimitedMemory { address_space, data };

struct ServiceLimits {
    std::int64_t memory_bytes = std::int64_t{4} << 30;  ///< in addition to that at the start
    LimitedMemory memory = LimitedMemory::address_space;
    double idle_seconds = 10;  ///< the service ends after this time without a request
};

/// The child's side: switches logging off and answers requests until the parent has ended or the idle time is over.
/// Returns the exit code.
int serve_parent(const std::function<std::string(std::string_view)>& answer, const ServiceLimits& limits);

}  // namespace kinescope
