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

/// scheduler_config.json, as far as the models here use it.
struct SchedulerConfig {
    SchedulerKind kind = SchedulerKind::unipc;
    double flow_shift = 1.0;  ///< "flow_shift" of UniPC and DPM-Solver, "shift" of flow-match Euler
    int num_train_timesteps = 1000;
    AlphaSchedule alphas = {};  ///< of the CogVideoX schedulers
    int solver_order = 2;
    bool lower_order_final = true;
    std::set<std::int64_t> disable_corrector = {};  ///< steps after which the corrector is left out
};

/// What a request changes in it. `name`: short ("unipc", "flow_match_euler" ...) or diffusers' class name; empty: the
/// file's.
struct SchedulerOverride {
    std::string name = {};
    std::optional<double> flow_shift = std::nullopt;
};

/// Throws Error(bad_config) for values out of range, Error(unsupported) for options that no model here needs, and
/// Error(bad_request) for an unknown name.
SchedulerConfig read_scheduler_config(const Json& json, const std::filesystem::path& file,
                                      const SchedulerOverride& changes);

/// A folder's own schedule, for a model's card. A class or an option that is not known is told, not thrown: a request
/// may name another scheduler, and then the model can run.
struct OwnSchedule {
    SchedulerConfig config;
    std::string fault;  ///< empty: the folder's scheduler can be used
};
/// `read`: the folder's config; where it throws Error(unsupported), `fallback` stands in.
OwnSchedule own_schedule(const std::function<SchedulerConfig()>& read, const SchedulerConfig& fallback);

/// Standard normal noise of the latents' shape, a new draw at each call.
using NoiseDraw = std::function<Tensor()>;

/// `num_inference_steps`: 1..num_train_timesteps, else Error(bad_request). `draw` is needed by stochastic schedulers.
std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config, int num_inference_steps,
                                          const NoiseDraw& draw = {});

}  // namespace kinescope
