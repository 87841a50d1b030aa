#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/protocol/cbor_reader.h"

namespace kinescope::remote {

using protocol::Json;

/// Sends frames that belong to an answer.
using FrameSender = std::function<void(const std::vector<FramePtr>&)>;

enum class CallDuration {
    short_call,  ///< returns at once: runs on the thread that reads the requests, in their order
    long_call    ///< blocks: runs on a thread of its own
};

/// A method of an engine as a request names it.
struct Call {
    std::string name;
    CallDuration duration = CallDuration::short_call;
    /// Throws Error, and ProtocolError for invalid arguments.
    std::function<Json(Engine& engine, const Json& arguments, const FrameSender& send_frames)> run;
    /// Makes a long call return soon; empty: it cannot be stopped.
    std::function<void(Engine& engine, const Json& arguments)> stop = {};
};

/// All calls: the methods of the five interfaces.
const std::vector<Call>& calls();

/// Returns nullptr for an unknown name.
const Call* find_call(const std::string& name);

}  // namespace kinescope::remote
