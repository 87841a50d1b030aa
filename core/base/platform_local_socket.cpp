#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "core/api/error.h"
#include "core/base/full_disk.h"
#include "core/base/local_socket.h"
#include "core/base/log_line.h"
#include "core/base/stopwatch.h"

extern char** environ;

namespace kinescope {

namespace {

/// The longest time that a reader may stop reading.
constexpr time_t kSecondsToWrite = 60;

/// Short pauses of loops that wait for another process.
constexpr useconds_t kPauseMicroseconds = 20'000;

[[noreturn]] void throw_unusable(const std::filesystem::path& path, const std::string& what, int error) {
    const bool full = shortage_of(error) != Shortage::none;
    throw Error(full ? ErrorCode::disk_full : ErrorCode::output_not_writable,
                "'" + path.string() + "' " + what + ": " + std::generic_category().message(error),
                full ? "Free some space." : "Check that the folder exists and belongs to you.",
                {{"path", path.string()}});
}

/// A name for a socket that fits into sockaddr_un, also in a folder with a long name.
class SocketName {
public:
    explicit SocketName(const std::filesystem::path& socket)
        : folder_(::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        address_.sun_family = AF_UNIX;
        const std::string name =
            "/proc/self/fd/" + std::to_string(folder_) + "/" + socket.filename().string().substr(0, 60);
        std::memcpy(address_.sun_path, name.c_str(), name.size() + 1);
    }
    ~SocketName() {
        if (folder_ >= 0) ::close(folder_);
    }
    SocketName(const SocketName&) = delete;
    SocketName& operator=(const SocketName&) = delete;

    bool is_valid() const { return folder_ >= 0; }
    const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }
    static constexpr socklen_t size() { return sizeof(sockaddr_un); }

private:
    int folder_;
    sockaddr_un address_{};
};

LocalConnection connection_of(int descriptor) {
    const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return {ByteChannel(descriptor), ByteChannel(copy)};
}

bool is_of_this_user(int descriptor) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

LocalListener::LocalListener(std::filesystem::path socket) : socket_(std::move(socket)) {
    constexpr int kWaiting = 16;
    const SocketName name(socket_);
    if (name.is_valid()) descriptor_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor_ < 0) throw_unusable(socket_, "cannot be created", errno);
    ::unlink(socket_.c_str());
    if (::bind(descriptor_, name.address(), SocketName::size()) == 0 && ::listen(descriptor_, kWaiting) == 0) return;
    const int error = errno;
    ::close(descriptor_);
    throw_unusable(socket_, "cannot be created", error);
}

LocalListener::~LocalListener() {
    ::unlink(socket_.c_str());
    ::close(descriptor_);
}

std::optional<LocalConnection> LocalListener::accept(double seconds) {
    pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(seconds * 1000)) <= 0) return std::nullopt;
    const int peer = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) return std::nullopt;
    if (!is_of_this_user(peer)) {
        ::close(peer);
        return std::nullopt;
    }
    const timeval longest{.tv_sec = kSecondsToWrite, .tv_usec = 0};
    ::setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof(longest));
    return connection_of(peer);
}

std::optional<LocalConnection> connect_locally(const std::filesystem::path& socket) {
    const SocketName name(socket);
    const int descriptor = name.is_valid() ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (descriptor < 0) return std::nullopt;
    if (::connect(descriptor, name.address(), SocketName::size()) == 0 && is_of_this_user(descriptor))
        return connection_of(descriptor);
    ::close(descriptor);
    return std::nullopt;
}

RelayEnd relay(ParentChannels& parent, LocalConnection connection) {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    const int socket = connection.out.descriptor();
    std::atomic<bool> parent_ended = false;
    std::thread forward([&] {
        std::array<std::uint8_t, kPart> part{};
        for (;;) {
            std::array<pollfd, 2> ready{{{.fd = parent.in.descriptor(), .events = POLLIN, .revents = 0},
                                         {.fd = socket, .events = 0, .revents = 0}}};
            if (::poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) continue;
            if ((ready[1].revents & (POLLHUP | POLLERR)) != 0) return;
            const std::size_t count = parent.in.read_some(part);
            if (count == 0) {
                parent_ended = true;
                break;
            }
            if (connection.out.write(std::span(part).first(count)) != ByteChannel::Result::done) break;
        }
        ::shutdown(socket, SHUT_WR);  // the engine ends the connection
    });
    std::array<std::uint8_t, kPart> part{};
    while (const std::size_t count = connection.in.read_some(part))
        if (parent.out.write(std::span(part).first(count)) != ByteChannel::Result::done) {
            parent_ended = true;
            break;
        }
    ::shutdown(socket, SHUT_RDWR);  // wakes the other thread
    const RelayEnd end = parent_ended ? RelayEnd::parent : RelayEnd::engine;
    forward.join();
    return end;
}

void make_private_folder(const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder.parent_path(), failure);
    if (failure) throw_unusable(folder, "cannot be created", failure.value());
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) throw_unusable(folder, "cannot be created", errno);
    struct stat found {};
    if (::lstat(folder.c_str(), &found) != 0) throw_unusable(folder, "cannot be read", errno);
    if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 077) != 0)
        throw_unusable(folder, "must be a folder that only you can use", EPERM);
}

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
    return name.data();
}

FileLock::FileLock(const std::filesystem::path& file, double seconds)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (descriptor_ < 0) throw_unusable(file, "cannot be opened", errno);
    const Stopwatch watch;
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error != EWOULDBLOCK && error != EINTR) {
            log_warning("'" + file.string() + "' cannot be locked: " + std::generic_category().message(error) +
                        ". Do not start this program twice.");
            return;
        }
        if (watch.seconds() > seconds) {
            ::close(descriptor_);
            throw Error(ErrorCode::engine_lost, "'" + file.string() + "' is locked by another process",
                        "Another engine may be ending. Try again.", {{"path", file.string()}});
        }
        ::usleep(kPauseMicroseconds);
    }
}

FileLock::~FileLock() {
    ::close(descriptor_);
}

DetachedProgram::DetachedProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                 const std::filesystem::path& log) {
    const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (output < 0) throw_unusable(log, "cannot be written", errno);
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t child = 0;
    const int error = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(output);
    if (error != 0)
        throw Error(ErrorCode::engine_lost, "'" + program.string() + "' cannot be started: " + std::strerror(error), {},
                    {{"path", program.string()}});
    pid_ = child;
}

std::optional<ChildStatus> DetachedProgram::status() {
    int status = 0;
    if (!status_ && ::waitpid(static_cast<pid_t>(pid_), &status, WNOHANG) == static_cast<pid_t>(pid_))
        status_ = {.exit_code = WEXITSTATUS(status), .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    return status_;
}

}  // namespace kinescope
