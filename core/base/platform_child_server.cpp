#include "core/base/child_server.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/api/error.h"
#include "core/base/child_process.h"
#include "core/base/cpu_time.h"
#include "core/base/logging.h"
#include "core/base/platform_shielded_spawn.h"
#include "core/base/stopwatch.h"

extern char** environ;

namespace kinescope {
namespace {

// A message consists of its length (8 bytes in native byte order) and its bytes.
constexpr std::uint64_t kMaxMessageBytes = std::uint64_t{8} << 30;

/// Waits until data can be read. Returns false if the time limit expires before.
bool wait_for_input(int socket, double seconds) {
    pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
    const Stopwatch watch;
    for (;;) {
        const double left = seconds - watch.seconds();
        if (left <= 0) return false;
        const int count = poll(&ready, 1, static_cast<int>(left * 1000) + 1);
        if (count > 0) return true;
        if (count < 0 && errno != EINTR) return true;  // the following read reports the error
    }
}

/// The time that a child takes for an answer.
class AnswerWatch {
public:
    explicit AnswerWatch(pid_t child) : child_(child), cpu_before_(cpu_seconds_of_process(child)) {}

    AnswerTime time() const {
        const auto cpu = cpu_seconds_of_process(child_);
        return {.cpu_seconds = cpu && cpu_before_ ? std::optional(*cpu - *cpu_before_) : std::nullopt,
                .wall_seconds = wall_.seconds()};
    }

private:
    pid_t child_;
    std::optional<double> cpu_before_;
    Stopwatch wall_;
};

/// Waits until data can be read, or a limit is exceeded. Throws Cancelled.
Overrun wait_for_answer(int socket, const AnswerWatch& watch, const AnswerLimits& limits,
                        const IsCancelled& is_cancelled) {
    constexpr double kMost = std::chrono::duration<double>(kCancellationInterval).count();
    for (;;) {
        const AnswerTime time = watch.time();
        if (const Overrun overrun = overrun_of(time, limits); overrun != Overrun::none) return overrun;
        const double seconds = seconds_to_next_look(time, limits);
        if (wait_for_input(socket, is_cancelled ? std::min(seconds, kMost) : seconds)) return Overrun::none;
        if (is_cancelled && is_cancelled()) throw Cancelled{};
    }
}

bool send_all(int socket, const void* data, std::size_t size) {
    for (auto* at = static_cast<const char*>(data); size > 0;) {
        const ssize_t count = ::send(socket, at, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

bool send_message(int socket, std::string_view message) {
    const std::uint64_t size = message.size();
    return send_all(socket, &size, sizeof size) && send_all(socket, message.data(), message.size());
}

enum class End { none, closed, time_over, too_large };

/// Waits until data can be read. Returns false if it waits no longer.
using WaitForInput = std::function<bool(int socket)>;

/// Reads `size` bytes. The buffer grows with the received data, because the announced size is not trusted.
End receive_bytes(int socket, std::size_t size, const WaitForInput& wait, std::string& text) {
    constexpr std::size_t kPart = std::size_t{1} << 20;
    while (text.size() < size) {
        if (!wait(socket)) return End::time_over;
        const std::size_t done = text.size();
        text.resize(done + std::min(kPart, size - done));
        const ssize_t count = ::recv(socket, text.data() + done, text.size() - done, 0);
        text.resize(done + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0 || (count < 0 && errno != EINTR)) return End::closed;
    }
    return End::none;
}

End receive_message(int socket, const WaitForInput& wait, std::string& message) {
    std::string header;
    std::uint64_t size = 0;
    if (const End end = receive_bytes(socket, sizeof size, wait, header); end != End::none) return end;
    std::memcpy(&size, header.data(), sizeof size);
    return size > kMaxMessageBytes ? End::too_large : receive_bytes(socket, size, wait, message);
}

int wait_for_end(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

/// Returns the wait status of a child as soon as it has ended. A thread waits, so that a child that was idle for too
/// long does not remain as a zombie. Without a free thread, the next message notices its end.
std::future<int> status_of(pid_t child) {
    std::packaged_task<int()> wait([child] { return wait_for_end(child); });
    std::future<int> status = wait.get_future();
    try {
        std::thread(std::move(wait)).detach();
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, wait_for_end, child);
    }
    return status;
}

/// Waits for a child for which no thread waits. Does not reap it. Returns false if it still runs after this time.
bool ends_alone_within(pid_t child, std::chrono::seconds patience) {
    constexpr useconds_t kMicroseconds = 5'000;
    const Stopwatch watch;
    for (;;) {
        siginfo_t ended{};
        const int error = ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
        if (error != 0 || ended.si_pid != 0) return true;  // after an error, the caller's wait reports it
        if (watch.seconds() >= static_cast<double>(patience.count())) return false;
        ::usleep(kMicroseconds);
    }
}

bool ends_within(pid_t child, const std::future<int>& status, std::chrono::seconds patience) {
    const std::future_status waited = status.wait_for(patience);
    return waited == std::future_status::deferred ? ends_alone_within(child, patience)
                                                  : waited == std::future_status::ready;
}

/// A child whose file is on a drive that does not answer may end only with the call that it waits for: after this time,
/// it is left alone.
constexpr std::chrono::seconds kEndTime{2};

/// Returns the wait status of a child that ends, or that is killed because it has not ended after some time. nullopt:
/// not even that ends it.
std::optional<int> status_at_end(pid_t child, std::future<int>& status) {
    if (!ends_within(child, status, kEndTime)) ::kill(child, SIGKILL);
    return ends_within(child, status, kEndTime) ? std::optional(status.get()) : std::nullopt;
}

ChildFailed failure_at_end(std::optional<int> status) {
    if (!status) return ChildFailed("does not end");
    if (!WIFSIGNALED(*status)) return ChildFailed("ended with exit code " + std::to_string(WEXITSTATUS(*status)));
    return ChildFailed("was killed by " + signal_name(WTERMSIG(*status)), WTERMSIG(*status));
}

}  // namespace

ChildServer::~ChildServer() {
    stop();
}

/// Starts the child with its stdin and stdout connected to the socket and its stderr discarded.
void ChildServer::start() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(ErrorCode::internal, std::string("Cannot create a socket: ") + std::strerror(errno));
    std::vector<std::string> words = {program_.program.string()};
    words.insert(words.end(), program_.arguments.begin(), program_.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const ShieldedSpawn attributes;  // a program that loads for seconds cannot ignore signals until then
    const int error = posix_spawn(&child_, argv[0], &actions, attributes.get(), argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    socket_ = ends[0];
    if (error == 0) {
        status_ = status_of(child_);
        return;
    }
    ::close(std::exchange(socket_, -1));
    throw Error(ErrorCode::internal, "'" + words.front() + "' cannot be started: " + std::strerror(error));
}

/// Kills the child if it is still running.
void ChildServer::stop() {
    if (socket_ < 0) return;
    ::close(std::exchange(socket_, -1));
    if (!ends_within(child_, status_, std::chrono::seconds(0))) ::kill(child_, SIGKILL);
    if (ends_within(child_, status_, kEndTime)) status_.get();
}

std::string ChildServer::ask(std::string_view message, const IsCancelled& is_cancelled) {
    lock_.lock(is_cancelled);
    const std::lock_guard lock(lock_, std::adopt_lock);
    for (int attempt = 0;; ++attempt) {
        if (socket_ < 0) start();
        if (auto answer = exchange_messages(message, is_cancelled)) return std::move(*answer);
        ::close(std::exchange(socket_, -1));
        const auto status = status_at_end(child_, status_);
        // A child that ended with status 0, or that cannot end, was idle for too long. Start it again, but only once.
        if (status.value_or(0) != 0 || attempt > 0) throw failure_at_end(status);
    }
}

/// Sends a message and returns the answer. Returns nullopt if the child has closed its end of the socket.
std::optional<std::string> ChildServer::exchange_messages(std::string_view message, const IsCancelled& is_cancelled) {
    const AnswerWatch watch(child_);
    if (!send_message(socket_, message)) return std::nullopt;
    std::string answer;
    Overrun overrun = Overrun::none;
    const auto wait = [&](int socket) {
        return (overrun = wait_for_answer(socket, watch, program_.limits, is_cancelled)) == Overrun::none;
    };
    try {
        switch (receive_message(socket_, wait, answer)) {
            case End::none:
                return answer;
            case End::closed:
                return std::nullopt;
            case End::time_over:
                throw ChildFailed(overrun, program_.limits);
            case End::too_large:
                throw ChildFailed("sent an invalid answer");
        }
    } catch (...) {
        stop();
        throw;
    }
    return std::nullopt;
}

namespace {

/// The memory that this process uses now, in bytes.
std::optional<std::int64_t> used_bytes(LimitedMemory memory) {
    std::int64_t all = 0, data = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr) return std::nullopt;
    const int count = std::fscanf(file, "%ld %*d %*d %*d %*d %ld", &all, &data);
    std::fclose(file);
    if (count != 2) return std::nullopt;
    return (memory == LimitedMemory::data ? data : all) * ::sysconf(_SC_PAGESIZE);
}

void limit_memory(const ServiceLimits& limits) {
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const auto used = used_bytes(limits.memory);
    if (!used) return;
    const auto resource = limits.memory == LimitedMemory::data ? RLIMIT_DATA : RLIMIT_AS;
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(*used + limits.memory_bytes));
    ::setrlimit(resource, &limit);
}

/// The parent decides what these signals mean, and the service ends with it. Until now, ShieldedSpawn has blocked them.
void ignore_shielded_signals() {
    sigset_t ignored{};
    sigemptyset(&ignored);
    for (const int signal : kShieldedSignals) {
        std::signal(signal, SIG_IGN);  // drops one that waits
        sigaddset(&ignored, signal);
    }
    pthread_sigmask(SIG_UNBLOCK, &ignored, nullptr);
}

}  // namespace

int serve_parent(const std::function<std::string(std::string_view)>& answer, const ServiceLimits& limits) {
    start_logging({.level = LogLevel::off});  // stdout is the channel for answers
    ignore_shielded_signals();
    end_with_parent(ParentChannel::input);  // a long answer would keep a core busy for nobody
    limit_memory(limits);
    const auto wait = [&](int socket) { return wait_for_input(socket, limits.idle_seconds); };
    for (std::string message; receive_message(STDIN_FILENO, wait, message) == End::none; message.clear())
        if (!send_message(STDOUT_FILENO, answer(message))) return 1;
    return 0;
}

}  // namespace kinescope
