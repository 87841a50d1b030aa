#pragma once

#include <ATen/Parallel.h>

namespace kinescope::testing {

/// Runs `work` with LibTorch's number of threads set to `threads` and returns its result.
template <class Work>
auto with_threads(int threads, const Work& work) {
    struct Restored {
        int before = at::get_num_threads();
        ~Restored() { at::set_num_threads(before); }
    } const restored;
    at::set_num_threads(threads);
    return work();
}

}  // namespace kinescope::testing
