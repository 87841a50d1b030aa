#include "core/remote/handshake.h"

#include "core/protocol/protocol_error.h"
#include "core/protocol/schema.h"

namespace kinescope::remote {

using protocol::Hello;

Hello make_hello(const std::string& version, double heartbeat_seconds) {
    return {.version = version, .schema = protocol::schema_hash(), .heartbeat_seconds = heartbeat_seconds};
}

namespace {

Error version_error(Peer from, const std::string& there, const std::string& here) {
    const std::string engine = from == Peer::engine ? there : here;
    const std::string program = from == Peer::engine ? here : there;
    const std::string message = from == Peer::engine
                                    ? "the engine is version " + engine + ", this program is version " + program
                                    : "this engine is version " + engine + ", the program is version " + program;
    return {ErrorCode::unsupported, message, "Restart Kinescope.", {{"engine", engine}, {"program", program}}};
}

}  // namespace

void require_same_version(Peer from, const Hello& peer, const std::string& version) {
    const Hello own = make_hello(version, 0);
    if (peer.program == own.program && peer.version != own.version)
        throw version_error(from, peer.version.substr(0, 40), own.version);
    if (peer.program == own.program && peer.protocol == own.protocol && peer.schema == own.schema) {
        if (from == Peer::engine && peer.heartbeat_seconds == 0)
            throw protocol::ProtocolError("it repeats what it receives");
        return;
    }
    const std::string there = peer.program.substr(0, 40) + " " + peer.version.substr(0, 40) + " (protocol " +
                              std::to_string(peer.protocol) + ", schema " + peer.schema.substr(0, 40) + ")";
    const std::string here =
        own.program + " " + own.version + " (protocol " + std::to_string(own.protocol) + ", schema " + own.schema + ")";
    throw Error(ErrorCode::unsupported, "the other side is " + there + "; this side is " + here,
                "Install the same version of Kinescope on both sides.",
                {{"engine", from == Peer::engine ? peer.version.substr(0, 40) : own.version},
                 {"program", from == Peer::engine ? own.version : peer.version.substr(0, 40)}});
}

bool is_other_version(const Error& error) {
    return error.code() == ErrorCode::unsupported && error.arguments().contains("engine");
}

}  // namespace kinescope::remote
