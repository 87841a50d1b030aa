#pragma once

#include <vector>

namespace kinescope {

/// The noise schedule of a variance-preserving model, as in CogVideoX's schedulers.
struct AlphaSchedule {
    double beta_start = 0.00085;
    double beta_end = 0.012;
    double snr_shift_scale = 3.0;         ///< 3 for CogVideoX-2B, 1 (no shift) for the others
    bool rescale_betas_zero_snr = false;  ///< the last step is pure noise (Lin et al. 2023, arXiv:2305.08891)
    bool set_alpha_to_one = true;         ///< alpha before timestep 0 is 1 (no noise), else that of timestep 0
};

/// Returns the cumulative products of the alphas for each timestep, descending: "scaled_linear" betas, shifted in
/// signal-to-noise ratio, then rescaled so that the last is 0. float64, because float32 cannot resolve the last
/// entries.
std::vector<double> alphas_cumprod(const AlphaSchedule& schedule, int num_train_timesteps);

}  // namespace kinescope
