#include "core/schedulers/partial_schedule.h"

#include <ATen/ATen.h>

#include <string>
#include <utility>

#include "core/api/error.h"

namespace kinescope {

PartialSchedule::PartialSchedule(std::unique_ptr<Scheduler> whole, int num_steps) : whole_(std::move(whole)) {
    const int total = static_cast<int>(whole_->timesteps().size());
    if (num_steps < 1 || num_steps > total)
        throw Error(ErrorCode::bad_request,
                    "strength leaves " + std::to_string(num_steps) + " of " + std::to_string(total) +
                        " steps; at least 1 must run",
                    "Raise strength or num_inference_steps.");
    first_ = total - num_steps;
    timesteps_.assign(whole_->timesteps().begin() + first_, whole_->timesteps().end());
    sigmas_.assign(whole_->sigmas().begin() + first_, whole_->sigmas().end());
}

std::map<std::string, Tensor> PartialSchedule::record() const {
    auto record = whole_->record();
    record["sigmas"] = at::tensor(whole_->sigmas(), at::kFloat);
    return record;
}

}  // namespace kinescope
