#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace kinescope {

/// One direction of a connection: a pipe, or a standard stream of this process. Closes the file at the end.
class ByteChannel {
public:
    enum class Result { done, closed, time_over };

    /// Takes ownership of a file descriptor; -1: closed.
    explicit ByteChannel(int descriptor = -1) : descriptor_(descriptor) {}
    ~ByteChannel();
    ByteChannel(ByteChannel&& other) noexcept;
    ByteChannel& operator=(ByteChannel&& other) noexcept;

    /// Fills `bytes`. time_over: nothing arrived for this number of seconds; 0: waits without a limit.
    Result read(std::span<std::uint8_t> bytes, double silence_seconds = 0);
    /// Reads what is there, at least one byte. Returns the number of bytes; 0: closed.
    std::size_t read_some(std::span<std::uint8_t> bytes);
    /// From now on, reads return `closed` instead of waiting; a read that waits now returns within a second.
    /// Thread-safe.
    void stop_waiting() { stopped_ = true; }
    /// Writes all bytes; waits while the reader is slow. closed: the reader has ended.
    Result write(std::span<const std::uint8_t> bytes);
    void close();
    /// For core/base only; -1: closed.
    int descriptor() const { return descriptor_; }

private:
    bool wait_for_bytes(double seconds) const;

    int descriptor_;
    std::atomic<bool> stopped_ = false;
};

/// Makes write() return `closed` instead of ending this process when a reader has ended.
void ignore_closed_readers();

/// The ends of the connection to the process that started this one.
struct ParentChannels {
    ByteChannel in;   ///< standard input
    ByteChannel out;  ///< standard output
};
/// Takes over the standard streams: from now on, what this process prints to standard output goes to standard error,
/// and its standard input is empty. Throws Error(bad_usage) if they are a terminal or closed. Also ignores Ctrl+C,
/// which the terminal sends to both processes. Call it once.
ParentChannels take_parent_channels();

}  // namespace kinescope
