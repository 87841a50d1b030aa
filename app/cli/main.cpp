#include <iostream>

#include "app/cli/command_line.h"
#include "app/end_of_memory.h"
#include "core/api/canary_child.h"
#include "core/api/reader_child.h"
#include "core/base/memory_limits.h"

int main(int argc, char** argv) {
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
