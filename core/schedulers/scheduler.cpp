#include "core/schedulers/scheduler.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor Scheduler::pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const {
    return sample - sigmas().at(static_cast<std::size_t>(step)) * model_output;
}

}  // namespace kinescope
