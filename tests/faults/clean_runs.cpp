#include "tests/faults/clean_runs.h"

#include <ATen/ATen.h>

#include <array>

#include "core/pipeline/frame_check.h"
#include "tests/faults/faulty_model.h"
#include "tests/faults/tiny_run.h"

namespace kinescope::faults {

namespace {

/// Changes to the last convolution of the VAE: a factor for the contrast, and a mean for each channel, -1..1.
struct Look {
    const char* name;
    double contrast;
    std::array<double, 3> brightness;
};

constexpr std::array kLooks = {Look{"ordinary", 1.0, {0, 0, 0}}, Look{"night", 0.02, {-0.98, -0.98, -0.97}},
                               Look{"wall of one color", 0.15, {0.4, -0.2, 0.1}}, Look{"bright", 0.3, {0.9, 0.85, 0.8}},
                               Look{"fog", 0.15, {0, 0, 0}}};
constexpr std::array kPrompts = {"a red ball rolls over the floor", "night, almost nothing can be seen",
                                 "a plain blue wall", "fade to black", ""};

struct Dtype {
    const char* component;
    DtypeChoice dtype;
};
constexpr std::array kDtypes = {Dtype{"", DtypeChoice::fp32},         Dtype{"denoiser", DtypeChoice::bf16},
                                Dtype{"denoiser", DtypeChoice::fp16}, Dtype{"vae", DtypeChoice::bf16},
                                Dtype{"vae", DtypeChoice::fp16},      Dtype{"text_encoder", DtypeChoice::bf16}};

std::filesystem::path with_look(const Family& family, const Look& look, const std::filesystem::path& folder) {
    if (look.contrast == 1.0 || family.last_conv.empty()) return family.model;
    Weights weights = read_weights(family.model, "vae");
    Tensor& weight = weights.at(family.last_conv + ".weight");
    weight = weight * look.contrast;
    Tensor& bias = weights.at(family.last_conv + ".bias");
    // A VAE that ends in patches has several output channels per color.
    const Tensor colors = at::tensor(std::vector<double>(look.brightness.begin(), look.brightness.end()));
    bias = colors.repeat_interleave(bias.size(0) / 3).to(bias.scalar_type());
    return write_model(family.model, folder / "model", "vae", weights);
}

/// Adds a fade-out to the run's frames and runs only the frame check on them.
std::string alarm_of_fade(const Tensor& frames) {
    FrameCheck check;
    const Tensor ramp = at::linspace(1.2, -0.5, frames.size(0)).clamp(0, 1).view({-1, 1, 1, 1});
    check.add(frames * ramp);
    const auto found = check.finish(Evidence::none);
    return found.empty() ? std::string() : "fade: " + found.front().found.text;
}

}  // namespace

CleanOutcome run_clean(int number, const Family& family, const std::filesystem::path& folder) {
    const auto turn = static_cast<std::size_t>(number);
    const Look& look = kLooks[turn % kLooks.size()];
    const Dtype& dtype = kDtypes[turn / kLooks.size() % kDtypes.size()];
    const std::string component =
        dtype.component == std::string("denoiser") ? denoisers(family).front() : dtype.component;
    RunSettings settings{.component = component, .dtype = dtype.dtype, .seed = 5000 + number};
    if (family.keeping == Keeping::float8) settings.storage = DtypeChoice::fp8;
    settings.gguf = family.gguf;
    settings.vae = family.vae;
    settings.num_inference_steps = 2 + number % 4;
    // Models without a text encoder do not support prompts.
    if (has_component(family, "text_encoder")) settings.prompt = kPrompts[turn / 3 % kPrompts.size()];
    CleanOutcome outcome{.family = family.name,
                         .words = std::string(look.name) + ", " + component + " " + to_string(dtype.dtype) + ", seed " +
                                  std::to_string(settings.seed),
                         .alarm = {}};
    const RunReport run = run_tiny(family.case_dir, with_look(family, look, folder), settings);
    if (!run.acts.empty())
        outcome.alarm = to_string(run.acts[0].detector) + " " + run.acts[0].site + ": " + run.acts[0].found.text;
    else if (run.error)
        outcome.alarm = run.error->message();
    else
        outcome.alarm = alarm_of_fade(run.frames);
    return outcome;
}

}  // namespace kinescope::faults
