#include "core/schedulers/scheduler_config.h"

#include <array>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/api/scheduler_names.h"
#include "core/base/config_reader.h"
#include "core/schedulers/cogvideox_ddim.h"
#include "core/schedulers/cogvideox_dpm.h"
#include "core/schedulers/dpm_solver_multistep.h"
#include "core/schedulers/flow_match_euler.h"
#include "core/schedulers/unipc_multistep.h"

namespace kinescope {

namespace {

[[noreturn]] void refuse_option(const std::filesystem::path& file, const std::string& option) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + option + " is not supported",
                "Choose another scheduler in the request.");
}

/// Reads the options of a file and rejects unsupported ones.
struct Options {
    const ConfigReader& reader;
    const std::filesystem::path& file;

    /// Rejects the named options unless they are off.
    void refuse_flags(std::initializer_list<const char*> names) const {
        for (const auto* name : names)
            if (reader.flag(name, false)) refuse_option(file, name);
    }
    /// Rejects an option unless it has the only supported value. `fallback` is diffusers' default.
    void require(const char* name, const char* fallback, const std::string& wanted) const {
        if (const auto value = reader.text(name, fallback); value != wanted)
            refuse_option(file, std::string(name) + " = " + value);
    }
};

void check_flow_options(const Options& options) {
    options.refuse_flags({"use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas", "use_dynamic_shifting",
                          "thresholding", "invert_sigmas", "stochastic_sampling"});
    if (options.reader.number("shift_terminal", 0.0, {-1e9, 1e9}) != 0.0) refuse_option(options.file, "shift_terminal");
}

void read_flow_match_euler(const Options& options, SchedulerConfig& config) {
    check_flow_options(options);
    config.flow_shift = options.reader.number("shift", 1.0, {1e-3, 1e3});
}

void read_unipc(const Options& options, SchedulerConfig& config) {
    check_flow_options(options);
    const auto& reader = options.reader;
    if (!reader.flag("use_flow_sigmas", false)) refuse_option(options.file, "use_flow_sigmas = false");
    if (!reader.flag("predict_x0", true)) refuse_option(options.file, "predict_x0 = false");
    options.require("prediction_type", "epsilon", "flow_prediction");
    options.require("solver_type", "bh2", "bh2");
    options.require("final_sigmas_type", "zero", "zero");
    config.flow_shift = reader.number("flow_shift", 1.0, {1e-3, 1e3});
    config.solver_order = static_cast<int>(reader.integer("solver_order", 2, {1, 2}));
    config.lower_order_final = reader.flag("lower_order_final", true);
    const auto disabled = reader.integers("disable_corrector", {}, {0, 100'000});
    config.disable_corrector = {disabled.begin(), disabled.end()};
}

void read_dpm_solver(const Options& options, SchedulerConfig& config) {
    check_flow_options(options);
    options.refuse_flags({"use_lu_lambdas"});
    const auto& reader = options.reader;
    if (!reader.flag("use_flow_sigmas", false)) refuse_option(options.file, "use_flow_sigmas = false");
    options.require("algorithm_type", "dpmsolver++", "dpmsolver++");
    options.require("prediction_type", "epsilon", "flow_prediction");
    options.require("solver_type", "midpoint", "midpoint");
    options.require("final_sigmas_type", "zero", "zero");
    config.flow_shift = reader.number("flow_shift", 1.0, {1e-3, 1e3});
    config.solver_order = static_cast<int>(reader.integer("solver_order", 2, {1, 2}));
}

void read_cogvideox(const Options& options, SchedulerConfig& config) {
    const auto& reader = options.reader;
    // clip_sample is not checked, because the reference ignores it.
    options.require("prediction_type", "epsilon", "v_prediction");
    options.require("timestep_spacing", "leading", "trailing");
    options.require("beta_schedule", "scaled_linear", "scaled_linear");
    if (!reader.numbers("trained_betas").empty()) refuse_option(options.file, "trained_betas");
    config.alphas = {.beta_start = reader.number("beta_start", 0.00085, {1e-9, 0.5}),
                     .beta_end = reader.number("beta_end", 0.012, {1e-9, 0.5}),
                     .snr_shift_scale = reader.number("snr_shift_scale", 3.0, {1e-3, 1e3}),
                     .rescale_betas_zero_snr = reader.flag("rescale_betas_zero_snr", false),
                     .set_alpha_to_one = reader.flag("set_alpha_to_one", true)};
}

/// A scheduler class and the function that reads its options.
struct Kind {
    SchedulerKind kind;
    const char* name;  ///< short name
    void (*read)(const Options&, SchedulerConfig&);
};

constexpr std::array kKinds = {
    Kind{SchedulerKind::unipc, "unipc", read_unipc},
    Kind{SchedulerKind::flow_match_euler, "flow_match_euler", read_flow_match_euler},
    Kind{SchedulerKind::dpmpp_2m, "dpmpp_2m", read_dpm_solver},
    Kind{SchedulerKind::cogvideox_ddim, "cogvideox_ddim", read_cogvideox},
    Kind{SchedulerKind::cogvideox_dpm, "cogvideox_dpm", read_cogvideox},
};

const Kind* find_kind(const std::string& name) {
    for (const auto& kind : kKinds)
        if (short_scheduler_name(name) == kind.name) return &kind;
    return nullptr;
}

std::string known_names() {
    return joined(kKinds, ", ", &Kind::name);
}

const Kind& requested_kind(const std::string& name) {
    if (const auto* kind = find_kind(name)) return *kind;
    throw Error(ErrorCode::bad_request, "The scheduler \"" + name + "\" is not known", "Known: " + known_names() + ".",
                {{"scheduler", name}});
}

}  // namespace

SchedulerConfig read_scheduler_config(const Json& json, const std::filesystem::path& file,
                                      const SchedulerOverride& changes) {
    const ConfigReader reader(json, file);
    const auto stored_name = reader.text("_class_name", "UniPCMultistepScheduler");
    const auto* stored = find_kind(stored_name);
    const auto* kind = changes.name.empty() ? stored : &requested_kind(changes.name);
    if (!kind) refuse_option(file, "_class_name = " + stored_name);
    SchedulerConfig config{.kind = kind->kind};
    // The file's options apply only to classes that read them in the same way; other classes get their defaults.
    if (stored && stored->read == kind->read && !json.is_null()) {
        config.num_train_timesteps = static_cast<int>(reader.integer("num_train_timesteps", 1000, {2, 100'000}));
        kind->read({reader, file}, config);
    }
    if (changes.flow_shift) config.flow_shift = *changes.flow_shift;
    return config;
}

OwnSchedule own_schedule(const std::function<SchedulerConfig()>& read, const SchedulerConfig& fallback) {
    try {
        return {.config = read(), .fault = {}};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::unsupported) throw;
        return {.config = fallback, .fault = error.message()};
    }
}

std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config, int num_inference_steps,
                                          const NoiseDraw& draw) {
    if (num_inference_steps < 1 || num_inference_steps > config.num_train_timesteps)
        throw Error(ErrorCode::bad_request, "num_inference_steps is " + std::to_string(num_inference_steps) +
                                                "; it must be 1 to " + std::to_string(config.num_train_timesteps));
    if (!(config.flow_shift > 0))
        throw Error(ErrorCode::bad_request,
                    "flow_shift is " + std::to_string(config.flow_shift) + "; it must be above 0");
    switch (config.kind) {
        case SchedulerKind::unipc:
            return std::make_unique<UniPCMultistepScheduler>(config, num_inference_steps);
        case SchedulerKind::flow_match_euler:
            return std::make_unique<FlowMatchEulerScheduler>(config, num_inference_steps);
        case SchedulerKind::dpmpp_2m:
            return std::make_unique<DPMSolverMultistepScheduler>(config, num_inference_steps);
        case SchedulerKind::cogvideox_ddim:
            return std::make_unique<CogVideoXDDIMScheduler>(config, num_inference_steps);
        case SchedulerKind::cogvideox_dpm:
            return std::make_unique<CogVideoXDPMScheduler>(config, num_inference_steps, draw);
    }
    throw Error(ErrorCode::internal, "an unknown kind of scheduler");
}

}  // namespace kinescope
