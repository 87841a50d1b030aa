#include "tests/fuzz/targets.h"

/// What libFuzzer calls; KINESCOPE_FUZZ_TARGET is one of targets.h.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kinescope::fuzz::KINESCOPE_FUZZ_TARGET({data, size});
    return 0;
}
