#pragma once

#include <ATen/Parallel.h>

namespace kinescope::testing {

/// What `work` returns when LibTorch's loops have so many threads.
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
