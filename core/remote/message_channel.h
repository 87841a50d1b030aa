#pragma once

#include <mutex>
#include <optional>

#include "core/base/byte_channel.h"
#include "core/protocol/message.h"

namespace kinescope::remote {

/// Receives messages. One thread at a time.
class MessageReader {
public:
    explicit MessageReader(ByteChannel& channel) : channel_(channel) {}

    enum class End { closed, silent };
    /// Returns nullopt at the end, see end(). Throws ProtocolError for bytes that are not a message.
    /// `silence_seconds`: the longest time without a byte; 0: no limit.
    std::optional<protocol::Message> next(double silence_seconds = 0);
    /// Why next() returned nullopt.
    End end() const { return end_; }

private:
    ByteChannel& channel_;
    End end_ = End::closed;
};

/// Sends messages. Thread-safe.
class MessageWriter {
public:
    explicit MessageWriter(ByteChannel& channel) : channel_(channel) {}

    /// Waits while the peer is slow. Returns false if the peer has ended. Throws ProtocolError for a message that is
    /// too large.
    bool send(const protocol::Message& message);
    /// Tells the peer that no message will follow.
    void close();

private:
    std::mutex mutex_;
    ByteChannel& channel_;
};

}  // namespace kinescope::remote
