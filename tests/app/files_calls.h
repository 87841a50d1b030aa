#pragma once

#include <functional>
#include <utility>

#include "core/remote/engine_server.h"

// Calls of pretended engines of other computers, see files.* in resources/engine_protocol.md.
namespace kinescope::testing {

inline remote::Call call_of(const char* name, std::function<remote::Json(Engine&, const remote::Json&)> run,
                            remote::CallDuration duration = remote::CallDuration::short_call) {
    return {.name = name,
            .duration = duration,
            .run = [run = std::move(run)](Engine& engine, const remote::Json& arguments, const remote::FrameSender&) {
                return run(engine, arguments);
            }};
}

/// Names the folder of the files, with room for a byte.
inline remote::Call files_about_call() {
    return call_of("files.about", [](Engine&, const remote::Json&) -> remote::Json {
        return {{"folder", "/tmp"}, {"free_bytes", 1}};
    });
}

}  // namespace kinescope::testing
