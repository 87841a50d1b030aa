#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/child_process.h"

namespace kinescope {

/// A child that did not answer; what() says how it ended: "was ended by SIGSEGV", "did not answer within 60 s".
class ChildFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A process that answers requests one after the other, so that work on dangerous input can fail there. It is started
/// with the first request, and again after it has ended. Any thread may ask.
class ChildServer {
public:
    /// `request.time_limit_seconds` is for each answer.
    explicit ChildServer(ChildRequest request) : request_(std::move(request)) {}
    ~ChildServer();
    ChildServer(const ChildServer&) = delete;
    ChildServer& operator=(const ChildServer&) = delete;

    /// Throws ChildFailed, and Error(internal) where the child cannot be started.
    std::string ask(std::string_view message);

private:
    void start();
    std::optional<std::string> exchange_messages(std::string_view message);
    void stop();

    const ChildRequest request_;
    std::mutex mutex_;
    int socket_ = -1;
    pid_t child_ = 0;
};

struct ServiceLimits {
    std::int64_t memory_bytes = std::int64_t{4} << 30;  ///< of address space, beyond what the process has at its start
    double idle_seconds = 10;                           ///< without a request; then the service ends
};

/// The child's side: answers requests until the parent is gone or has been silent for a while. Returns the exit code.
int serve_parent(const std::function<std::string(std::string_view)>& answer, const ServiceLimits& limits);

}  // namespace kinescope
