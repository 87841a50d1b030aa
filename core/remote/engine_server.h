#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/api/engine.h"
#include "core/base/byte_channel.h"
#include "core/remote/call_table.h"

namespace kinescope::remote {

/// Creates the served engine.
using ServedEngine = std::function<std::unique_ptr<Engine>(RunObserver& observer)>;

struct ServeOptions {
    std::string version;                    ///< of this program
    double heartbeat_seconds = 1;           ///< longest silence
    double longest_greeting_seconds = 120;  ///< of the program; then it is refused
    /// Ends this process at once, after the device was lost and the program was told: a new process can use the device
    /// again. Empty: the process goes on.
    std::function<void(const Error& error)> end_process = {};
    std::vector<Call> more_calls = {};  ///< in addition to those of an engine
};

/// Serves an engine to one program.
class EngineServer {
public:
    /// Greets the program.
    EngineServer(ByteChannel in, ByteChannel out, ServeOptions options);
    ~EngineServer();

    /// Sends events to the program. Also for events that do not come from the engine.
    RunObserver& observer();

    /// Answers the program's requests and sends it all events, until it closes its end. Then stops long calls and the
    /// engine, which saves its running job. Throws Error(unsupported) for a program with another version of the
    /// protocol, Error(bad_request) for bytes that are not a message or no greeting, and what `make_engine` throws; the
    /// program receives the error, too.
    void run(const ServedEngine& make_engine);

private:
    class Server;
    const std::unique_ptr<Server> server_;
};

}  // namespace kinescope::remote
