#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/base/json.h"
#include "core/schedulers/alphas_cumprod.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

enum class SchedulerKind { unipc, flow_match_euler, dpmpp_2m, cogvideox_ddim, cogvideox_dpm };

/// The options of scheduler_config.json that the supported models use.
struct SchedulerConfig {
    SchedulerKind kind = SchedulerKind::unipc;
    double flow_shift = 1.0;  ///< "flow_shift" of UniPC and DPM-Solver, "shift" of flow-match Euler
    int num_train_timesteps = 1000;
    AlphaSchedule alphas = {};  ///< for the CogVideoX schedulers
    int solver_order = 2;
    bool lower_order_final = true;
    std::set<std::int64_t> disable_corrector = {};  ///< steps after which the corrector is skipped
};

/// The changes that a request makes to the configuration. `name` is a short name ("unipc", "flow_match_euler", ...) or
/// diffusers' class name. If it is empty, the scheduler in the file is used.
struct SchedulerOverride {
    std::string name = {};
    std::optional<double> flow_shift = std::nullopt;
};

/// Reads scheduler_config.json and applies the changes. Throws Error(bad_config) for values out of range,
/// Error(unsupported) for unsupported options, and Error(bad_request) for an unknown name.
SchedulerConfig read_scheduler_config(const Json& json, const std::filesystem::path& file,
                                      const SchedulerOverride& changes);

/// The schedule in a model's folder, for its model card. If it is not supported, `fault` is set instead of throwing an
/// exception, because the model can run with another scheduler.
struct OwnSchedule {
    SchedulerConfig config;
    std::string fault;  ///< error message; empty if the scheduler is supported
};
/// Returns the config that `read` reads from the model's folder. If `read` throws Error(unsupported), the result
/// contains `fallback` and the error message.
OwnSchedule own_schedule(const std::function<SchedulerConfig()>& read, const SchedulerConfig& fallback);

/// Returns new standard normal noise in the latents' shape.
using NoiseDraw = std::function<Tensor()>;

/// Creates the scheduler that `config` describes. `draw` is required for stochastic schedulers. Throws
/// Error(bad_request) unless `num_inference_steps` is in 1..num_train_timesteps.
std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config, int num_inference_steps,
                                          const NoiseDraw& draw = {});

}  // namespace kinescope
