#include "core/protocol/message.h"
#include "core/protocol/protocol_error.h"
#include "tests/fuzz/targets.h"

/// Reads a message of the engine protocol, and writes what it has read.
void kinescope::fuzz::engine_message(Bytes file) {
    try {
        protocol::encode(protocol::decode(file));
    } catch (const protocol::ProtocolError&) {
    }
}
