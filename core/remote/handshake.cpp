#include "core/remote/handshake.h"

#include "core/protocol/schema.h"

namespace kinescope::remote {

using protocol::Hello;

Hello make_hello(const std::string& version, double heartbeat_seconds) {
    return {.version = version, .schema = protocol::schema_hash(), .heartbeat_seconds = heartbeat_seconds};
}

void require_same_protocol(const Hello& peer, const std::string& version) {
    const Hello own = make_hello(version, 0);
    if (peer.program == own.program && peer.protocol == own.protocol && peer.schema == own.schema) return;
    const std::string there = peer.program.substr(0, 40) + " " + peer.version.substr(0, 40) + " (protocol " +
                              std::to_string(peer.protocol) + ", schema " + peer.schema.substr(0, 40) + ")";
    const std::string here =
        own.program + " " + own.version + " (protocol " + std::to_string(own.protocol) + ", schema " + own.schema + ")";
    throw Error(ErrorCode::unsupported, "the other side is " + there + "; this side is " + here,
                "Install the same version of Kinescope on both sides.", {{"version", peer.version}});
}

}  // namespace kinescope::remote
