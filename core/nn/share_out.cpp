#include "core/nn/share_out.h"

#include <ATen/Parallel.h>

namespace kinescope {

void share_out(std::int64_t count, const std::function<void(Shares&)>& work) {
    Shares shares(count, at::get_num_threads());
    at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) { work(shares); });
}

}  // namespace kinescope
