#include "core/nn/cpu/parallel_for_dynamic.h"

#include <ATen/Parallel.h>

namespace kinescope {

void parallel_for_dynamic(std::int64_t count, const std::function<void(DynamicTasks&)>& work) {
    DynamicTasks tasks(count, at::get_num_threads());
    at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) { work(tasks); });
}

}  // namespace kinescope
