#include "core/base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <system_error>
#include <thread>

#include "core/api/error.h"
#include "core/base/platform_shielded_spawn.h"
#include "core/base/stopwatch.h"

extern char** environ;

namespace kinescope {

namespace {

/// Redirects the child's stdout to the pipe, and its stdin and stderr to /dev/null.
class SpawnActions {
public:
    explicit SpawnActions(int standard_output) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, standard_output, STDOUT_FILENO);
    }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

[[noreturn]] void refuse(const ChildRequest& request, int error) {
    throw Error(ErrorCode::internal, "'" + request.program.string() + "' cannot be started: " + std::strerror(error));
}

pid_t spawn(const ChildRequest& request, int standard_output) {
    std::vector<std::string> words = {request.program.string()};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const SpawnActions actions(standard_output);
    const ShieldedSpawn attributes;
    pid_t child = 0;
    const int error = posix_spawn(&child, argv[0], actions.get(), attributes.get(), argv.data(), environ);
    if (error != 0) refuse(request, error);
    return child;
}

enum class ReadEnd { closed, silent, cancelled };

/// Reads until the other end is closed, nothing arrives for the time limit, or the caller no longer waits.
ReadEnd read_all(int pipe, const ChildRequest& request, std::string& output) {
    Stopwatch silence;
    std::array<char, 4096> buffer{};
    while (silence.seconds() < request.time_limit_seconds) {
        if (request.is_cancelled && request.is_cancelled()) return ReadEnd::cancelled;
        pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
        const int num_ready = poll(&ready, 1, static_cast<int>(kCancellationInterval.count()));
        if (num_ready == 0) continue;
        const ssize_t count = num_ready < 0 ? num_ready : read(pipe, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return ReadEnd::closed;
        output.append(buffer.data(), static_cast<std::size_t>(count));
        silence = Stopwatch();
    }
    return ReadEnd::silent;
}

}  // namespace

ChildEnd run_child(const ChildRequest& request) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(request, errno);
    pid_t child = 0;
    try {
        child = spawn(request, ends[1]);
    } catch (...) {
        close(ends[0]);
        close(ends[1]);
        throw;
    }
    close(ends[1]);
    ChildEnd end;
    const ReadEnd why = read_all(ends[0], request, end.output);
    end.timed_out = why == ReadEnd::silent;
    if (why != ReadEnd::closed) kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (why == ReadEnd::cancelled) throw Cancelled{};
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
    return end;
}

void end_with_parent(ParentChannel channel) {
    const int descriptor = channel == ParentChannel::input ? STDIN_FILENO : STDOUT_FILENO;
    try {
        std::thread([descriptor] {
            pollfd parent{.fd = descriptor, .events = 0, .revents = 0};  // a closed end is always reported
            while (poll(&parent, 1, -1) < 0 && errno == EINTR) {
            }
            _exit(0);
        }).detach();
    } catch (const std::system_error&) {
        return;  // without a free thread, the process ends when it uses the channel again
    }
}

std::string signal_name(int signal) {
    static const std::map<int, const char*> names = {
        {SIGFPE, "SIGFPE"},   {SIGSEGV, "SIGSEGV"}, {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGABRT, "SIGABRT"},
        {SIGBUS, "SIGBUS"},   {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},
        {SIGQUIT, "SIGQUIT"}, {SIGUSR1, "SIGUSR1"}, {SIGXCPU, "SIGXCPU"}, {SIGSYS, "SIGSYS"}};
    const auto found = names.find(signal);
    return found == names.end() ? "signal " + std::to_string(signal) : found->second;
}

}  // namespace kinescope
