#include "tests/fuzz/targets.h"

/// The entry point of libFuzzer. KINESCOPE_FUZZ_TARGET is the name of a function in targets.h.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kinescope::fuzz::KINESCOPE_FUZZ_TARGET({data, size});
    return 0;
}
