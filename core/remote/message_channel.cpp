#include "core/remote/message_channel.h"

#include <array>
#include <vector>

namespace kinescope::remote {

using protocol::Message;
using Result = ByteChannel::Result;

std::optional<Message> MessageReader::next(double silence_seconds) {
    std::array<std::uint8_t, protocol::kLengthBytes> length{};
    Result result = channel_.read(length, silence_seconds);
    std::vector<std::uint8_t> bytes;
    constexpr std::size_t kPart = std::size_t{1} << 20;
    // Grows with what arrives, so that an announced length alone takes no memory.
    for (std::size_t left = result == Result::done ? protocol::decode_length(length) : 0;
         left > 0 && result == Result::done;) {
        const std::size_t part = std::min(left, kPart);
        bytes.resize(bytes.size() + part);
        result = channel_.read(std::span(bytes).last(part), silence_seconds);
        left -= part;
    }
    if (result == Result::done) return protocol::decode(bytes);
    end_ = result == Result::time_over ? End::silent : End::closed;
    return std::nullopt;
}

bool MessageWriter::send(const Message& message) {
    const std::vector<std::uint8_t> bytes = protocol::encode(message);
    const std::lock_guard lock(mutex_);
    return channel_.write(bytes) == Result::done;
}

void MessageWriter::close() {
    const std::lock_guard lock(mutex_);
    channel_.close();
}

}  // namespace kinescope::remote
