#include "app/window/local_engine.h"

#include "app/engine_log.h"
#include "app/resources_dir.h"
#include "core/api/canary_child.h"
#include "core/api/reader_child.h"

namespace kinescope {

ui::EngineFactory localEngine() {
    return [](RunObserver& observer) {
        log_to(observer);
        return make_engine({.resources_dir = find_resources_dir({}, program_dir()),
                            .program = program_file(),
                            .jobs_dir = default_jobs_dir()},
                           observer);
    };
}

std::optional<int> runAsChildOfEngine(int argc, const char* const* argv) {
    if (const auto exit_code = run_as_canary_child(argc, argv)) return exit_code;
    return run_as_reader_child(argc, argv);
}

}  // namespace kinescope
