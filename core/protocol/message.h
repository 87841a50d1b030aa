#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/run_event.h"
#include "core/protocol/cbor_reader.h"

// The messages between an engine and a program that uses it. resources/engine_protocol.md describes them.
namespace kinescope::protocol {

/// Incremented when the meaning of a message changes. Other changes of the format change the schema.
inline constexpr int kVersion = 1;

/// The first message of each side.
struct Hello {
    std::string program = "kinescope";
    std::string version;         ///< of the program
    int protocol = kVersion;     ///< kVersion
    std::string schema;          ///< see schema_hash(); both sides must have the same
    double heartbeat_seconds{};  ///< the sender's longest silence; 0: it sends no heartbeats
};

/// Identifies a request; chosen by the program, above 0 and never reused. 0: the connection.
using RequestId = std::int64_t;

/// Asks the engine to call a method, e.g. "jobs.submit".
struct Request {
    RequestId id = 0;
    std::string call;
    Json arguments = Json::array();
};

/// The result of a request, or its error. An answer to request 0 ends the connection.
struct Answer {
    RequestId id = 0;
    Json value = {};
    std::optional<Error> error = {};
};

/// Frames that belong to the answer of a request and are sent before it.
struct AnswerFrames {
    RequestId id = 0;
    std::vector<FramePtr> frames;
};

struct EventMessage {
    JobId job = 0;
    RunEvent event;
};

struct Heartbeat {};

using Message = std::variant<Hello, Request, Answer, AnswerFrames, EventMessage, Heartbeat>;

/// The largest message in bytes, without its length.
inline constexpr std::size_t kLargestMessage = std::size_t{64} << 20;
/// Frames are distributed over messages of about this size.
inline constexpr std::size_t kFrameBytes = std::size_t{16} << 20;
/// A message begins with its length in bytes, in network byte order.
inline constexpr std::size_t kLengthBytes = 4;

/// Returns the message with its length. Throws ProtocolError if it is too large.
std::vector<std::uint8_t> encode(const Message& message);

/// Returns the number of bytes that follow the length. Throws ProtocolError if it exceeds kLargestMessage.
std::size_t decode_length(Bytes length);

/// Reads a message without its length. Throws ProtocolError that names the fault.
Message decode(Bytes message);

/// Converts the arguments and results of calls. Instantiated for these types in message.cpp.
template <class Value>
Json to_document(const Value& value);
template <class Value>
Value from_document(const Json& document);

}  // namespace kinescope::protocol
