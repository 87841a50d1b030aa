#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/api/error.h"
#include "core/base/byte_channel.h"

namespace kinescope {

namespace {

constexpr const char* kForPrograms =
    "This command is for programs, which connect its standard input and output to pipes.";

/// The longest part of a wait. A time in which this process is stopped (Ctrl+Z, suspend) counts as one part at most.
constexpr double kWaitSeconds = 1;

/// Returns 0 if the file is closed.
std::size_t read_what_is_there(int descriptor, std::span<std::uint8_t> bytes) {
    ssize_t count = 0;
    do count = ::read(descriptor, bytes.data(), bytes.size());
    while (count < 0 && errno == EINTR);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

int duplicate(int descriptor) {
    const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy >= 0) return copy;
    throw Error(ErrorCode::bad_usage, std::string("the standard streams cannot be used: ") + std::strerror(errno),
                kForPrograms);
}

}  // namespace

ByteChannel::~ByteChannel() {
    close();
}

ByteChannel::ByteChannel(ByteChannel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), stopped_(other.stopped_.load()) {}

ByteChannel& ByteChannel::operator=(ByteChannel&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    stopped_ = other.stopped_.load();
    return *this;
}

/// Returns false if nothing arrives while this process runs for this time (0: no limit), or after stop_waiting().
bool ByteChannel::wait_for_bytes(double seconds) const {
    pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
    for (double left = seconds;;) {
        const double part = seconds > 0 ? std::min(left, kWaitSeconds) : kWaitSeconds;
        const int count = ::poll(&ready, 1, stopped_ ? 0 : static_cast<int>(part * 1000) + 1);
        if (count < 0 && errno == EINTR) continue;
        if (count != 0) return true;  // after an error, the following read reports it
        if (stopped_) return false;
        left -= kWaitSeconds;
        if (seconds > 0 && left <= 0) return false;
    }
}

ByteChannel::Result ByteChannel::read(std::span<std::uint8_t> bytes, double silence_seconds) {
    while (!bytes.empty()) {
        if (!wait_for_bytes(silence_seconds)) return stopped_ ? Result::closed : Result::time_over;
        const std::size_t count = read_what_is_there(descriptor_, bytes);
        if (count == 0) return Result::closed;
        bytes = bytes.subspan(count);
    }
    return Result::done;
}

std::size_t ByteChannel::read_some(std::span<std::uint8_t> bytes) {
    return wait_for_bytes(0) ? read_what_is_there(descriptor_, bytes) : 0;
}

ByteChannel::Result ByteChannel::write(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return Result::closed;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return Result::done;
}

void ByteChannel::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void ignore_closed_readers() {
    std::signal(SIGPIPE, SIG_IGN);
}

ParentChannels take_parent_channels() {
    if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0)
        throw Error(ErrorCode::bad_usage, "standard input or output is a terminal", kForPrograms);
    ignore_closed_readers();
    std::signal(SIGINT, SIG_IGN);
    ParentChannels channels{ByteChannel(duplicate(STDIN_FILENO)), ByteChannel(duplicate(STDOUT_FILENO))};
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        ::dup2(nothing, STDIN_FILENO);
        ::close(nothing);
    }
    return channels;
}

}  // namespace kinescope
