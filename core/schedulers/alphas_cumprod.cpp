#include "core/schedulers/alphas_cumprod.h"

#include <cmath>

namespace kinescope {

namespace {

/// Multiplies the signal-to-noise ratio of each cumulative alpha by 1 / scale.
void shift_snr(std::vector<double>& alphas, double scale) {
    for (double& alpha : alphas) alpha /= scale + (1.0 - scale) * alpha;
}

/// Shifts and scales the square roots of the alphas so that the last becomes 0 and the first does not change.
void rescale_to_zero_snr(std::vector<double>& alphas) {
    const double first = std::sqrt(alphas.front());
    const double last = std::sqrt(alphas.back());
    for (double& alpha : alphas) {
        const double root = (std::sqrt(alpha) - last) * (first / (first - last));
        alpha = root * root;
    }
}

}  // namespace

std::vector<double> alphas_cumprod(const AlphaSchedule& schedule, int num_train_timesteps) {
    const double start = std::sqrt(schedule.beta_start);
    const double increment = (std::sqrt(schedule.beta_end) - start) / (num_train_timesteps - 1);
    std::vector<double> alphas;
    double product = 1.0;
    for (int i = 0; i < num_train_timesteps; ++i) {
        const double root = start + i * increment;
        product *= 1.0 - root * root;
        alphas.push_back(product);
    }
    shift_snr(alphas, schedule.snr_shift_scale);
    if (schedule.rescale_betas_zero_snr) rescale_to_zero_snr(alphas);
    return alphas;
}

}  // namespace kinescope
