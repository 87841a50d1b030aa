#include "tests/faults/frame_faults.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tests/faults/planted.h"

namespace kinescope::faults {

namespace {

/// A constant output of the last convolution, -1 to 1, and the expected end of the run.
struct Emptiness {
    const char* name;
    double weight;  ///< factor for the convolution's weights
    std::array<double, 3> bias;
    const char* code;  ///< code of the expected error or warning
    bool stops;
};

constexpr std::array kEmptiness = {Emptiness{"black", 1e-3, {-0.999, -0.999, -0.999}, "frames_black", true},
                                   Emptiness{"exactly black", 0, {-2, -2, -2}, "frames_black", true},
                                   Emptiness{"gray", 1e-3, {0, 0, 0}, "frames_black", true},
                                   Emptiness{"one color", 1e-3, {-0.7, -0.3, 0.6}, "frames_empty", false}};

bool has_warning(const RunReport& run, const std::string& code) {
    return std::ranges::any_of(
        run.warnings, [&](const GuardActed& act) { return act.found.code == code && act.action == GuardAction::warn; });
}

std::string reported_by(const RunReport& run) {
    if (run.error) return run.error->message();
    return run.warnings.empty() ? "nothing" : run.warnings.back().found.text;
}

}  // namespace

Outcome run_empty_frames(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const Emptiness& empty = kEmptiness[static_cast<std::size_t>(below(draw, kEmptiness.size()))];
    Weights weights = read_weights(family.model, "vae");
    Tensor& weight = weights.at(family.last_conv + ".weight");
    weight = weight * empty.weight;
    Tensor& bias = weights.at(family.last_conv + ".bias");
    // A VAE that ends in patches has several output channels per color.
    const Tensor colors = at::tensor(std::vector<double>(empty.bias.begin(), empty.bias.end()));
    bias = colors.repeat_interleave(bias.size(0) / 3).to(bias.scalar_type());
    const Planted planted = with_weights(family, folder, "vae", weights, family.last_conv + ", " + empty.name);
    const RunReport run = run_planted(family, planted, {.seed = below(draw, 1000)});
    outcome.planted = planted.words;
    outcome.expected = empty.code;
    outcome.reported = reported_by(run);
    outcome.end = run.error ? End::stopped : run.warnings.empty() ? End::silent : End::warned;
    outcome.is_detected =
        empty.stops ? run.error && run.error->code() == ErrorCode::frames_black : has_warning(run, empty.code);
    outcome.has_right_end = outcome.is_detected && run.error.has_value() == empty.stops;
    return outcome;
}

namespace {

/// Runs a model in which all weights of a component are zero. The run must end with the warning `code`.
Outcome run_dead(Outcome outcome, const Family& family, const std::string& component, const char* code, Draw& draw,
                 const std::filesystem::path& folder) {
    Weights weights = read_weights(family.model, component);
    for (auto& [name, value] : weights) value = at::zeros_like(value);
    const Planted planted = with_weights(family, folder, component, weights, component + ", all weights zero");
    const RunReport run = run_planted(family, planted, {.seed = below(draw, 1000)});
    outcome.planted = planted.words;
    outcome.expected = code;
    outcome.reported = reported_by(run);
    outcome.end = run.error ? End::stopped : run.warnings.empty() ? End::silent : End::warned;
    outcome.is_detected = has_warning(run, code);
    outcome.has_right_end = outcome.is_detected && !run.error;
    return outcome;
}

}  // namespace

Outcome run_dead_denoiser(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string component = any_of(denoisers(family), draw);
    return run_dead(std::move(outcome), family, component, "zero_prediction", draw, folder);
}

Outcome run_dead_encoder(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string component = any_of(encoders(family), draw);
    return run_dead(std::move(outcome), family, component, "zero_embeddings", draw, folder);
}

}  // namespace kinescope::faults
