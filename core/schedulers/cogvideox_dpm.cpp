#include "core/schedulers/cogvideox_dpm.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "core/api/error.h"
#include "core/device/host_copy.h"

namespace kinescope {

namespace {

/// Returns half the logarithm of the signal-to-noise ratio. It is infinite at both ends of the schedule; the formulas
/// have finite limits there.
double lambda(double alpha) {
    return std::log(std::sqrt(alpha / (1.0 - alpha)));
}

}  // namespace

CogVideoXDPMScheduler::CogVideoXDPMScheduler(const SchedulerConfig& config, int num_inference_steps, NoiseDraw draw)
    : schedule_(config, num_inference_steps), draw_(std::move(draw)) {
    if (!draw_) throw Error(ErrorCode::internal, "a stochastic scheduler was made without a source of noise");
}

Tensor CogVideoXDPMScheduler::extrapolated(int step, double h, const Tensor& clean) const {
    const double r = (lambda(schedule_.alpha(step)) - lambda(schedule_.alpha(step - 1))) / h;
    return (1.0 + 1.0 / (2.0 * r)) * clean - (1.0 / (2.0 * r)) * state_.model_outputs.front();
}

Tensor CogVideoXDPMScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const double alpha = schedule_.alpha(step);
    const double next = schedule_.alpha_after(step);
    const double h = lambda(next) - lambda(alpha);
    const auto clean = schedule_.pred_original_sample(step, model_output, sample);
    const bool is_first_order = state_.model_outputs.empty() || schedule_.is_last_of_chain(step);
    auto noise = draw_();
    if (!is_first_order) noise = draw_();
    const auto target = is_first_order ? clean : extrapolated(step, h, clean);
    state_.model_outputs = {clean};
    const double of_sample = std::sqrt((1.0 - next) / (1.0 - alpha)) * std::exp(-h);
    const double of_target = std::expm1(-2.0 * h) * std::sqrt(next);
    const double of_noise = std::sqrt(1.0 - next) * std::sqrt(1.0 - std::exp(-2.0 * h));
    return of_sample * sample.to(at::kFloat) - of_target * target + of_noise * sent_to(noise, sample.device());
}

}  // namespace kinescope
