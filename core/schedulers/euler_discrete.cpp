#include "core/schedulers/euler_discrete.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope {

namespace {

constexpr double kRho = 7.0;

[[noreturn]] void refuse_svd_option(const std::filesystem::path& file, const std::string& option) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + option + " is not supported",
                "Stable Video Diffusion is published with Karras sigmas, v_prediction and continuous timesteps.");
}

void check_options(const ConfigReader& reader, const std::filesystem::path& file) {
    for (const auto& [key, fallback, wanted] :
         {std::array{"_class_name", "", "EulerDiscreteScheduler"},
          std::array{"prediction_type", "epsilon", "v_prediction"},
          std::array{"timestep_type", "discrete", "continuous"}, std::array{"interpolation_type", "linear", "linear"},
          std::array{"final_sigmas_type", "zero", "zero"}})
        if (const auto value = reader.text(key, fallback); value != wanted)
            refuse_svd_option(file, std::string(key) + " = " + value);
    if (!reader.flag("use_karras_sigmas", false)) refuse_svd_option(file, "use_karras_sigmas = false");
    for (const auto* option : {"rescale_betas_zero_snr", "use_exponential_sigmas", "use_beta_sigmas"})
        if (reader.flag(option, false)) refuse_svd_option(file, option);
}

float length(float sigma) {
    return std::sqrt(sigma * sigma + 1.0f);
}

}  // namespace

EulerDiscreteConfig read_euler_discrete_config(const Json& json, const std::filesystem::path& file) {
    EulerDiscreteConfig config;
    if (json.is_null()) return config;
    const ConfigReader reader(json, file);
    check_options(reader, file);
    config.sigma_min = reader.number("sigma_min", {}, {1e-6, 1e6});
    config.sigma_max = reader.number("sigma_max", {}, {1e-6, 1e6});
    if (config.sigma_min >= config.sigma_max) reader.refuse("sigma_min", "it must be below sigma_max");
    return config;
}

EulerDiscreteScheduler::EulerDiscreteScheduler(const EulerDiscreteConfig& config, int num_inference_steps) {
    if (num_inference_steps < 1)
        throw Error(ErrorCode::bad_request,
                    "num_inference_steps is " + std::to_string(num_inference_steps) + "; it must be at least 1");
    const double high = std::pow(config.sigma_max, 1.0 / kRho);
    const double low = std::pow(config.sigma_min, 1.0 / kRho);
    for (int i = 0; i < num_inference_steps; ++i) {
        const double ramp = num_inference_steps == 1 ? 0.0 : static_cast<double>(i) / (num_inference_steps - 1);
        const auto sigma = static_cast<float>(std::pow(high + ramp * (low - high), kRho));
        sigmas_.push_back(sigma);
        timesteps_.push_back(0.25f * std::log(sigma));
    }
    sigmas_.push_back(0.0f);
}

double EulerDiscreteScheduler::init_noise_sigma() const {
    return length(sigmas_.front());
}

Tensor EulerDiscreteScheduler::scale_model_input(int step, const Tensor& sample) const {
    return sample / length(sigmas_.at(static_cast<std::size_t>(step)));
}

Tensor EulerDiscreteScheduler::pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const {
    const float sigma = sigmas_.at(static_cast<std::size_t>(step));
    return model_output.to(at::kFloat) * (-sigma / length(sigma)) + sample.to(at::kFloat) / (sigma * sigma + 1.0f);
}

Tensor EulerDiscreteScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const auto i = static_cast<std::size_t>(step);
    const auto x = sample.to(at::kFloat);
    const auto derivative = (x - pred_original_sample(step, model_output, x)) / sigmas_.at(i);
    return x + derivative * (sigmas_.at(i + 1) - sigmas_.at(i));
}

}  // namespace kinescope
