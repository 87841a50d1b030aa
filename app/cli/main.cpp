#include <iostream>

#include "app/cli/command_line.h"

int main(int argc, char** argv) {
    using namespace kinescope;
    const auto real_engine = [](EngineOptions options, RunObserver& observer) {
        return make_engine(std::move(options), observer);
    };
    return cli::run_command_line(argc, argv, real_engine, std::cout, std::cerr);
}
