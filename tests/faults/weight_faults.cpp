#include "tests/faults/weight_faults.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "tests/faults/place.h"
#include "tests/faults/planted.h"

namespace kinescope::faults {

namespace {

/// Draws a weight that the model reads.
std::string draw_tensor(const Weights& weights, const std::string& component, Draw& draw) {
    std::vector<std::string> names;
    for (const auto& [name, value] : weights)
        if (component != "vae" || name.starts_with("decoder.")) names.push_back(name);
    return any_of(names, draw);
}

/// Replaces a drawn value of a weight with NaN or infinity.
void damage(Weights& weights, const std::string& name, FaultKind kind, Draw& draw) {
    if (kind == FaultKind::fp8_nan) {
        Tensor bytes = weights.at(name).to(at::kFloat8_e4m3fn).view(at::kByte).flatten();
        bytes[below(draw, static_cast<std::size_t>(bytes.numel()))] = 0x7f;
        weights[name] = bytes.view(at::kFloat8_e4m3fn).view(weights.at(name).sizes());
        return;
    }
    const double value = kind == FaultKind::nan_in_weight ? std::numeric_limits<double>::quiet_NaN()
                                                          : std::numeric_limits<double>::infinity();
    Tensor flat = weights.at(name).flatten().clone();
    flat[below(draw, static_cast<std::size_t>(flat.numel()))] = value;
    weights[name] = flat.view(weights.at(name).sizes());
}

/// Draws a weight of a linear layer, because only such weights are stored as float8.
std::string draw_linear(const Weights& weights, const Family& family, const std::string& component, Draw& draw) {
    return any_of(matching(weights, any_of(scalings_of(family, component), draw).grown), draw) + ".weight";
}

/// Plants one NaN or infinity. Returns the model and the name of the damaged weight.
std::pair<Planted, std::string> plant_damage(FaultKind kind, const Family& family, Draw& draw,
                                             const std::filesystem::path& folder) {
    const bool is_linear = kind == FaultKind::fp8_nan || family.keeping == Keeping::gguf;
    const std::string component = is_linear ? any_of(denoisers(family), draw) : any_of(family.scalings, draw).component;
    Weights weights = read_weights(family.model, component);
    const std::string name =
        is_linear ? draw_linear(weights, family, component, draw) : draw_tensor(weights, component, draw);
    const std::string place = component + "." + name;
    if (family.keeping == Keeping::gguf) {
        const auto spoil = [&](Tensor scales) { scales[below(draw, static_cast<std::size_t>(scales.size(0)))] = NAN; };
        return {with_gguf(family, folder, name, spoil, place), place};
    }
    damage(weights, name, kind, draw);
    return {with_weights(family, folder, component, weights, place), place};
}

std::optional<Place> first_not_finite_place(const RunReport& run) {
    for (const NumericSample& sample : run.samples)
        if (sample.stats.nan + sample.stats.inf > 0) return place_of(sample);
    return std::nullopt;
}

}  // namespace

Outcome run_damaged_weight(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const auto [planted, place] = plant_damage(outcome.kind, family, draw, folder);
    const RunReport run = run_planted(family, planted, {});
    outcome.planted = place;
    outcome.end = run.error ? End::stopped : End::silent;
    outcome.expected = words(Place{0, place});
    const bool has_act = !run.acts.empty() && run.acts.back().action == GuardAction::stop &&
                         run.acts.back().detector == Detector::weights;
    outcome.reported = has_act ? words(Place{run.acts.back().step, run.acts.back().site}) : "nothing";
    outcome.is_detected = outcome.reported == outcome.expected;
    outcome.has_right_end =
        run.error && run.error->code() == ErrorCode::not_finite && outcome.is_detected && !run.frames.defined();
    if (run.error && !outcome.has_right_end) outcome.reported += " [" + run.error->message() + "]";
    return outcome;
}

Outcome run_float32_overflow(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    constexpr double kHuge = 1e25;
    std::vector<Scaling> pairs;
    for (const Scaling& scaling : family.scalings)
        if (!scaling.shrunk.empty()) pairs.push_back(scaling);
    const Scaling& scaling = any_of(pairs, draw);
    Weights weights = read_weights(family.model, scaling.component);
    for (auto& [name, value] : weights) value = value.to(at::kFloat);
    const std::string grown = any_of(matching(weights, scaling.grown), draw);
    scale_rows(weights, grown, {}, kHuge);
    scale_columns(weights, with_indices(scaling.shrunk, scaling.grown, grown), {}, kHuge);
    const Planted planted =
        with_weights(family, folder, scaling.component, weights, grown + " x 1e25, and what follows it");
    const std::int64_t seed = below(draw, 1000);
    const auto expected = first_not_finite_place(run_float32(family, planted, seed));
    const RunReport run = run_planted(family, planted, {.seed = seed});
    outcome.planted = planted.words;
    outcome.end = run.error ? End::stopped : End::silent;
    outcome.expected = words(expected);
    const bool has_stopped = !run.acts.empty() && run.acts.back().action == GuardAction::stop;
    outcome.reported = has_stopped ? words(Place{run.acts.back().step, run.acts.back().site}) : "nothing";
    outcome.is_detected = expected.has_value() && outcome.reported == outcome.expected;
    outcome.has_right_end = run.error && run.error->code() == ErrorCode::not_finite && !run.frames.defined() &&
                            run.error->message().find("float32 itself") != std::string::npos;
    return outcome;
}

}  // namespace kinescope::faults
