#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/base/json.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

enum class SchedulerKind { unipc, flow_match_euler };

/// scheduler_config.json, as far as flow models use it.
struct SchedulerConfig {
    SchedulerKind kind = SchedulerKind::unipc;
    double flow_shift = 1.0;  ///< "flow_shift" of UniPC, "shift" of flow-match Euler
    int num_train_timesteps = 1000;
    int solver_order = 2;
    bool lower_order_final = true;
    std::set<std::int64_t> disable_corrector = {};  ///< steps after which the corrector is left out
};

/// What a request changes in it. `name`: short ("unipc", "flow_match_euler") or diffusers' class name; empty: the
/// file's.
struct SchedulerOverride {
    std::string name = {};
    std::optional<double> flow_shift = std::nullopt;
};

/// Throws Error(bad_config) for values out of range, Error(unsupported) for options that no flow model here needs, and
/// Error(bad_request) for an unknown name.
SchedulerConfig read_scheduler_config(const Json& json, const std::filesystem::path& file,
                                      const SchedulerOverride& changes);

/// `num_inference_steps`: 1..num_train_timesteps, else Error(bad_request).
std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config, int num_inference_steps);

}  // namespace kinescope
