#include <cstdio>
#include <iostream>

#include "app/cli/command_line.h"
#include "app/end_of_memory.h"
#include "core/api/canary_child.h"
#include "core/api/reader_child.h"
#include "core/base/memory_limits.h"
#include "core/base/platform_quick_exit.h"

namespace {

int run(int argc, char** argv) {
    using namespace kinescope;
    explain_end_of_memory();
    if (const auto exit_code = run_as_canary_child(argc, argv)) return *exit_code;
    if (const auto exit_code = run_as_reader_child(argc, argv)) return *exit_code;
    ignore_file_size_signal();
    const auto real_engine = [](EngineOptions options, RunObserver& observer) {
        return make_engine(std::move(options), observer);
    };
    return cli::run_command_line(argc, argv, real_engine, std::cout, std::cerr);
}

/// Ends the process without the destructors of libraries, because LibTorch needs 0.09 s of CPU time to remove its
/// operators. Sanitizers search for leaks at the usual end.
int leave(int exit_code) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    kinescope::quick_exit_process(exit_code);
#endif
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    return leave(run(argc, argv));
}
