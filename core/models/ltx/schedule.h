#pragma once

#include <vector>

#include "core/models/ltx/draws.h"
#include "core/schedulers/scheduler.h"

namespace kinescope::ltx {

/// The noise levels and timesteps of a run, in float32 and in the reference's order of operations.
struct Schedule {
    std::vector<double> timesteps;
    std::vector<float> sigmas;  ///< one more than timesteps; the last is 0
};
/// Returns the schedule of a run. `tokens` is the number of tokens of the video, without extra frames. Throws
/// Error(bad_request) for fewer than 1 or more than 1000 steps.
Schedule make_schedule(const ScheduleConfig& config, std::int64_t tokens, int num_inference_steps);

/// Returns the strength with which each latent frame of a run is held, float32 [1, 1, F, 1, 1]: 0 means not held, 1
/// means not changed. Returns an undefined tensor if there are no keyframes.
Tensor held_frames(const RunShape& shape);

/// Euler steps of a flow. A frame that is held with strength m begins at noise level 1 - m, and waits until the run
/// reaches this level. With image noise, the model sees frames held with strength 1 with some noise in each step.
/// LTXConditionPipeline passes data minus noise to its scheduler, the others noise minus data.
class LtxScheduler final : public Scheduler {
public:
    /// `condition` [1, C, F, H, W] contains the images' latents at their frames. It is undefined if there is no image.
    LtxScheduler(Schedule schedule, RunShape shape, const Tensor& condition);

    const std::vector<double>& timesteps() const override { return schedule_.timesteps; }
    const std::vector<float>& sigmas() const override { return schedule_.sigmas; }
    Tensor scale_model_input(int step, const Tensor& sample) const override;
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    /// Returns the prediction for the video's frames only.
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override;
    /// Returns the noise of each step as "image_noise_NNN".
    std::map<std::string, Tensor> record() const override;
    SchedulerState snapshot() const override { return {}; }
    void restore(const SchedulerState&) override {}

private:
    /// The noise levels of each latent frame, float32 [1, 1, F, 1, 1].
    struct FrameSteps {
        Tensor sigma;  ///< the frame's noise level
        Tensor next;   ///< its noise level after the step; the same if the frame waits
    };
    FrameSteps frame_steps(int step) const;
    double sign() const { return shape_.pipeline == Pipeline::condition ? -1.0 : 1.0; }

    Schedule schedule_;
    RunShape shape_;
    Tensor held_;                 ///< as held_frames
    Tensor fixed_;                ///< int64: the frames held with strength 1
    Tensor condition_;            ///< the images' latents at those frames, on the host
    std::vector<Tensor> noises_;  ///< of those frames, for each step: [1, C, fixed, H, W]
};

}  // namespace kinescope::ltx
