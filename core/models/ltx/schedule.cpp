#include "core/models/ltx/schedule.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/api/error.h"
#include "core/device/host_copy.h"
#include "core/models/numbered.h"

namespace kinescope::ltx {

namespace {

constexpr float kTrainTimesteps = 1000.0F;
constexpr int kMostSteps = 1000;
/// Noise levels that differ by less than this count as equal.
constexpr float kSigmaTolerance = 1e-6F;
/// The share of the noise that the slow half of a linear-quadratic schedule removes.
constexpr double kSlowEnd = 0.025;

void check_steps(int steps) {
    if (steps < 1 || steps > kMostSteps)
        throw Error(ErrorCode::bad_request, "num_inference_steps is " + std::to_string(steps) + "; it must be 1 to " +
                                                std::to_string(kMostSteps));
}

std::vector<float> shifted_sigmas(const ScheduleConfig& config, std::int64_t tokens, int steps) {
    const double slope = (config.max_shift - config.base_shift) / (config.max_seq_len - config.base_seq_len);
    const double mu = static_cast<double>(tokens) * slope + (config.base_shift - slope * config.base_seq_len);
    const auto shift = static_cast<float>(std::exp(mu));
    const double last = 1.0 / steps;
    std::vector<float> sigmas;
    for (int i = 0; i < steps; ++i) {
        const double even = steps > 1 && i + 1 == steps ? last : 1.0 + i * (steps > 1 ? (last - 1.0) / (steps - 1) : 0);
        sigmas.push_back(shift / (shift + (1.0F / static_cast<float>(even) - 1.0F)));
    }
    return sigmas;
}

/// Scales the noise levels so that the last one is `terminal`.
void stretch(std::vector<float>& sigmas, double terminal) {
    const float factor = (1.0F - sigmas.back()) / static_cast<float>(1.0 - terminal);
    if (factor == 0) return;  // a single step
    for (auto& sigma : sigmas) sigma = 1.0F - (1.0F - sigma) / factor;
}

std::vector<float> linear_quadratic_sigmas(int steps) {
    if (steps < 2) return {1.0F};
    const int slow = steps / 2, fast = steps - slow;
    const double difference = slow - kSlowEnd * steps;
    const double square = difference / (slow * static_cast<double>(fast) * fast);
    const double linear = kSlowEnd / slow - 2 * difference / (static_cast<double>(fast) * fast);
    const double constant = square * (static_cast<double>(slow) * slow);
    std::vector<float> sigmas;
    for (int i = 0; i < steps; ++i) {
        const double done =
            i < slow ? i * kSlowEnd / slow : square * (static_cast<double>(i) * i) + linear * i + constant;
        sigmas.push_back(static_cast<float>(1.0 - done));
    }
    return sigmas;
}

/// Converts tokens [1, F H W, C] to frames [1, C, F, H, W].
Tensor as_frames(const Tensor& tokens, const RunShape& shape) {
    return tokens.transpose(1, 2).reshape(shape.all());
}

}  // namespace

Schedule make_schedule(const ScheduleConfig& config, std::int64_t tokens, int num_inference_steps) {
    check_steps(num_inference_steps);
    Schedule schedule;
    schedule.sigmas = config.spacing == SigmaSpacing::shifted ? shifted_sigmas(config, tokens, num_inference_steps)
                                                              : linear_quadratic_sigmas(num_inference_steps);
    if (config.shift_terminal > 0) stretch(schedule.sigmas, config.shift_terminal);
    for (auto& sigma : schedule.sigmas) {
        const float timestep = sigma * kTrainTimesteps;
        schedule.timesteps.push_back(timestep);
        if (config.spacing == SigmaSpacing::linear_quadratic) sigma = timestep / kTrainTimesteps;
    }
    schedule.sigmas.push_back(0.0F);
    return schedule;
}

Tensor held_frames(const RunShape& shape) {
    if (shape.keyframes.empty()) return {};
    auto held = at::zeros({1, 1, shape.all_frames(), 1, 1}, at::kFloat);
    for (std::size_t i = 0; i < shape.keyframes.size(); ++i)
        for (const auto& [first, count, place] : shape.placements(i))
            held.narrow(2, place, count).fill_(shape.keyframes[i].strength);
    return held;
}

LtxScheduler::LtxScheduler(Schedule schedule, RunShape shape, const Tensor& condition)
    : schedule_(std::move(schedule)), shape_(std::move(shape)) {
    if (!condition.defined()) return;
    held_ = held_frames(shape_);
    fixed_ = held_.flatten().gt(1.0F - kSigmaTolerance).nonzero().flatten();
    condition_ = condition.cpu().index_select(2, fixed_);
    for (const auto& noise : draw(shape_, Wanted::steps).images)
        noises_.push_back(as_frames(noise, shape_).index_select(2, fixed_) * shape_.image_cond_noise_scale);
}

Tensor LtxScheduler::scale_model_input(int step, const Tensor& sample) const {
    if (noises_.empty()) return sample;
    const auto i = static_cast<std::size_t>(step);
    const auto time = static_cast<float>(schedule_.timesteps[i]) / kTrainTimesteps;
    const auto noised = condition_ + noises_[i] * (time * time);
    return sample.index_copy(2, sent_to(fixed_, sample.device()), sent_to(noised, sample.device()));
}

LtxScheduler::FrameSteps LtxScheduler::frame_steps(int step) const {
    const auto i = static_cast<std::size_t>(step);
    const auto time = static_cast<float>(schedule_.timesteps[i]) / kTrainTimesteps;
    const auto count = held_.size(2);
    FrameSteps steps{at::empty_like(held_), at::empty_like(held_)};
    for (std::int64_t frame = 0; frame < count; ++frame) {
        const auto limit = 1.0F - held_.flatten()[frame].item<float>();
        const float sigma = std::min(time, limit * kTrainTimesteps / kTrainTimesteps);
        float next = 0;
        for (const float candidate : schedule_.sigmas)
            if (candidate < sigma - kSigmaTolerance) next = std::max(next, candidate);
        const bool is_reached = time - kSigmaTolerance < limit;
        steps.sigma.select(2, frame).fill_(sigma);
        steps.next.select(2, frame).fill_(is_reached ? next : sigma);
    }
    return steps;
}

Tensor LtxScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const auto i = static_cast<std::size_t>(step);
    const auto output = model_output.to(at::kFloat) * sign();
    if (!held_.defined()) return sample.to(at::kFloat) + output * (schedule_.sigmas[i + 1] - schedule_.sigmas[i]);
    const auto steps = frame_steps(step);
    return scale_model_input(step, sample) + output * sent_to(steps.next - steps.sigma, sample.device());
}

Tensor LtxScheduler::pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const {
    const auto output = model_output * sign();
    const auto sigma =
        held_.defined() ? sent_to(frame_steps(step).sigma, sample.device())
                        : at::full({1, 1, 1, 1, 1}, schedule_.sigmas[static_cast<std::size_t>(step)], sample.options());
    return (scale_model_input(step, sample) - output * sigma).slice(2, shape_.extra_frames());
}

std::map<std::string, Tensor> LtxScheduler::record() const {
    std::map<std::string, Tensor> noises;
    if (!held_.defined()) return noises;
    for (auto& noise : draw(shape_, Wanted::steps).images)
        noises[numbered("image_noise", static_cast<int>(noises.size()))] = std::move(noise);
    return noises;
}

}  // namespace kinescope::ltx
