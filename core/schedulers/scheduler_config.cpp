#include "core/schedulers/scheduler_config.h"

#include <array>

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/schedulers/flow_match_euler.h"
#include "core/schedulers/unipc_multistep.h"

namespace kinescope {

namespace {

std::optional<SchedulerKind> kind_of(const std::string& name) {
    if (name == "unipc" || name == "UniPCMultistepScheduler") return SchedulerKind::unipc;
    if (name == "flow_match_euler" || name == "FlowMatchEulerDiscreteScheduler") return SchedulerKind::flow_match_euler;
    return std::nullopt;
}

[[noreturn]] void refuse_option(const std::filesystem::path& file, const std::string& option) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + option + " is not supported",
                "Choose a scheduler in the request: unipc or flow_match_euler.");
}

void check_options(const ConfigReader& reader, const std::filesystem::path& file, SchedulerKind kind) {
    for (const auto* option : {"use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas", "use_dynamic_shifting",
                               "thresholding", "invert_sigmas", "stochastic_sampling"})
        if (reader.flag(option, false)) refuse_option(file, option);
    if (reader.number("shift_terminal", 0.0, {-1e9, 1e9}) != 0.0) refuse_option(file, "shift_terminal");
    if (kind != SchedulerKind::unipc) return;
    if (!reader.flag("use_flow_sigmas", false)) refuse_option(file, "use_flow_sigmas = false");
    if (!reader.flag("predict_x0", true)) refuse_option(file, "predict_x0 = false");
    for (const auto& [key, fallback, wanted] :
         {std::array{"prediction_type", "epsilon", "flow_prediction"}, std::array{"solver_type", "bh2", "bh2"},
          std::array{"final_sigmas_type", "zero", "zero"}})
        if (const auto value = reader.text(key, fallback); value != wanted)
            refuse_option(file, std::string(key) + " = " + value);
}

/// The options of another class than the file's are those of a Wan checkpoint.
SchedulerConfig from_file(const ConfigReader& reader, const std::filesystem::path& file, SchedulerKind kind) {
    check_options(reader, file, kind);
    SchedulerConfig config{.kind = kind};
    config.flow_shift = reader.number(kind == SchedulerKind::unipc ? "flow_shift" : "shift", 1.0, {1e-3, 1e3});
    config.num_train_timesteps = static_cast<int>(reader.integer("num_train_timesteps", 1000, {1, 100'000}));
    if (kind != SchedulerKind::unipc) return config;
    config.solver_order = static_cast<int>(reader.integer("solver_order", 2, {1, 2}));
    config.lower_order_final = reader.flag("lower_order_final", true);
    const auto disabled = reader.integers("disable_corrector", {}, {0, 100'000});
    config.disable_corrector = {disabled.begin(), disabled.end()};
    return config;
}

}  // namespace

SchedulerConfig read_scheduler_config(const Json& json, const std::filesystem::path& file,
                                      const SchedulerOverride& changes) {
    const ConfigReader reader(json, file);
    const auto stored_name = reader.text("_class_name", "UniPCMultistepScheduler");
    const auto stored = kind_of(stored_name);
    auto kind = stored;
    if (!changes.name.empty()) {
        kind = kind_of(changes.name);
        if (!kind)
            throw Error(ErrorCode::bad_request, "The scheduler \"" + changes.name + "\" is not known",
                        "Known: unipc, flow_match_euler.", {{"scheduler", changes.name}});
    }
    if (!kind) refuse_option(file, "_class_name = " + stored_name);
    auto config = kind == stored && !json.is_null() ? from_file(reader, file, *kind) : SchedulerConfig{.kind = *kind};
    if (changes.flow_shift) config.flow_shift = *changes.flow_shift;
    return config;
}

std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config, int num_inference_steps) {
    if (num_inference_steps < 1 || num_inference_steps > config.num_train_timesteps)
        throw Error(ErrorCode::bad_request, "num_inference_steps is " + std::to_string(num_inference_steps) +
                                                "; 1 to " + std::to_string(config.num_train_timesteps) +
                                                " are possible");
    if (!(config.flow_shift > 0))
        throw Error(ErrorCode::bad_request,
                    "flow_shift is " + std::to_string(config.flow_shift) + "; it must be above 0");
    if (config.kind == SchedulerKind::unipc)
        return std::make_unique<UniPCMultistepScheduler>(config, num_inference_steps);
    return std::make_unique<FlowMatchEulerScheduler>(config, num_inference_steps);
}

}  // namespace kinescope
