#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <string>

#include "core/api/error.h"
#include "core/base/piped_child.h"
#include "core/base/stopwatch.h"

extern char** environ;

namespace kinescope {

namespace {

struct ChildPipe {
    ByteChannel read_end;
    ByteChannel write_end;
    std::array<int, 2> descriptors{};
};

[[noreturn]] void refuse_to_start(const std::filesystem::path& program, int error) {
    std::map<std::string, std::string> values{{"path", program.string()}};
    if (error == ENOENT) values["reason"] = "missing";
    throw Error(ErrorCode::engine_lost, "'" + program.string() + "' cannot be started: " + std::strerror(error),
                "Install Kinescope again if the program is missing.", values);
}

ChildPipe make_pipe(const std::filesystem::path& program) {
    ChildPipe pipe;
    if (::pipe2(pipe.descriptors.data(), O_CLOEXEC) != 0) refuse_to_start(program, errno);
    pipe.read_end = ByteChannel(pipe.descriptors[0]);
    pipe.write_end = ByteChannel(pipe.descriptors[1]);
    return pipe;
}

/// Connects the child's standard streams, and restores the signals that this process ignores.
class SpawnSetup {
public:
    SpawnSetup(int input, int output, int errors) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
        posix_spawnattr_init(&attributes_);
        sigset_t defaults{};
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes_, &defaults);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnSetup() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;

    int spawn(std::vector<std::string> words, pid_t& child) const {
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        return posix_spawn(&child, argv[0], &actions_, &attributes_, argv.data(), environ);
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

PipedChild::PipedChild(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    ChildPipe input = make_pipe(program);
    ChildPipe output = make_pipe(program);
    ChildPipe errors = make_pipe(program);
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    pid_t child = 0;
    const SpawnSetup setup(input.descriptors[0], output.descriptors[1], errors.descriptors[1]);
    if (const int error = setup.spawn(std::move(words), child); error != 0) refuse_to_start(program, error);
    pid_ = child;
    input_ = std::move(input.write_end);
    output_ = std::move(output.read_end);
    errors_ = std::move(errors.read_end);
}

PipedChild::~PipedChild() {
    if (is_over_) return;
    kill();
    wait(0);
}

void PipedChild::kill() {
    ::kill(static_cast<pid_t>(pid_), SIGKILL);
}

bool PipedChild::has_ended() const {
    if (is_over_) return true;
    siginfo_t ended{};
    const int error = ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return error == 0 && ended.si_pid != 0;
}

std::optional<ChildStatus> PipedChild::wait(double seconds) {
    constexpr useconds_t kMicroseconds = 5'000;
    constexpr double kSecondsToDie = 5;
    is_over_ = true;
    const auto child = static_cast<pid_t>(pid_);
    int status = 0;
    const Stopwatch watch;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (watch.seconds() >= seconds) kill();
        if (watch.seconds() >= seconds + kSecondsToDie) return std::nullopt;
        ::usleep(kMicroseconds);
    }
    if (WIFSIGNALED(status)) return ChildStatus{.exit_code = 0, .signal = WTERMSIG(status)};
    return ChildStatus{.exit_code = WEXITSTATUS(status), .signal = 0};
}

}  // namespace kinescope
