#include "tests/faults/precision_faults.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "tests/faults/planted.h"

namespace kinescope::faults {

namespace {

/// Returns a random power of ten between `least` and `most`.
double draw_power(double least, double most, Draw& draw) {
    constexpr std::size_t kSteps = 1000;
    return std::pow(10.0, least + (most - least) * static_cast<double>(below(draw, kSteps)) / kSteps);
}

std::string in_words(double value) {
    std::array<char, 32> characters{};
    std::snprintf(characters.data(), characters.size(), "%.2g", value);
    return characters.data();
}

/// Draws one eighth of the rows of a weight, or an empty list, which means all rows.
std::vector<std::int64_t> draw_rows(std::int64_t count, Draw& draw) {
    if (below(draw, 2) == 0) return {};
    std::vector<std::int64_t> rows;
    for (std::int64_t row = below(draw, 8); row < count; row += 8) rows.push_back(row);
    return rows;
}

std::vector<Scaling> pairs_of(const Family& family, const std::string& component) {
    std::vector<Scaling> pairs = scalings_of(family, component);
    std::erase_if(pairs, [](const Scaling& scaling) { return scaling.shrunk.empty(); });
    if (pairs.empty()) throw NothingDrawn("no pair of weights in " + component + " of " + family.name);
    return pairs;
}

struct Pair {
    std::string first, second;
};

Pair draw_pair(const Weights& weights, const Scaling& scaling, Draw& draw) {
    const std::string first = any_of(matching(weights, scaling.grown), draw);
    return {first, with_indices(scaling.shrunk, scaling.grown, first)};
}

std::string plant_pair(Weights& weights, const Family& family, const std::string& component, Draw& draw) {
    const Pair pair = draw_pair(weights, any_of(pairs_of(family, component), draw), draw);
    const auto rows = draw_rows(weights.at(pair.first + ".weight").size(0), draw);
    const double factor = draw_power(-12, -3, draw);
    scale_rows(weights, pair.first, rows, factor);
    scale_columns(weights, pair.second, rows, 1 / factor);
    return pair.first + " x " + in_words(factor) + (rows.empty() ? "" : " in some rows") + ", " + pair.second +
           " as much larger";
}

/// Draws a weight that the model reads.
std::string draw_weight(const Weights& weights, const std::string& component, Draw& draw) {
    std::vector<std::string> names;
    for (const auto& [name, value] : weights)
        if (value.is_floating_point() && (component != "vae" || name.starts_with("decoder."))) names.push_back(name);
    return any_of(names, draw);
}

std::string plant_tiny_values(Weights& weights, const std::string& component, Draw& draw) {
    const std::string name = draw_weight(weights, component, draw);
    const double share = draw_power(-3.3, -0.3, draw), size = draw_power(-10, -5, draw);
    at::manual_seed(draw());
    Tensor& weight = weights.at(name);
    weight = at::where(at::rand(weight.sizes()) < share, weight.sign() * size, weight);
    return in_words(share * 100) + " % of " + name + " are " + in_words(size);
}

std::string plant_scaled_weight(Weights& weights, const std::string& component, Draw& draw) {
    const std::string name = draw_weight(weights, component, draw);
    const double factor = draw_power(-8, 6, draw);
    weights.at(name) = weights.at(name) * factor;
    return name + " x " + in_words(factor);
}

/// Adds an offset to the attention values and subtracts it in the next bias. The result is unchanged, because softmax
/// sums to 1 over the keys.
std::string plant_offset(Weights& weights, const Family& family, const std::string& component, Draw& draw) {
    const Pair pair = draw_pair(weights, any_of(pairs_of(family, component), draw), draw);
    const bool is_attention = pair.second.ends_with("to_out.0");
    if (!is_attention || !weights.contains(pair.first + ".bias") || !weights.contains(pair.second + ".bias"))
        throw NothingDrawn("no bias of values in " + component + " of " + family.name);
    const double offset = draw_power(1, 4, draw);
    weights.at(pair.first + ".bias") += offset;
    weights.at(pair.second + ".bias") -= weights.at(pair.second + ".weight").sum({1}) * offset;
    return pair.first + ".bias + " + in_words(offset) + ", taken off by " + pair.second + ".bias";
}

std::string plant(FaultKind kind, Weights& weights, const Family& family, const std::string& component, Draw& draw) {
    if (kind == FaultKind::underflowing_pair) return plant_pair(weights, family, component, draw);
    if (kind == FaultKind::tiny_values) return plant_tiny_values(weights, component, draw);
    if (kind == FaultKind::cancelling_offset) return plant_offset(weights, family, component, draw);
    return plant_scaled_weight(weights, component, draw);
}

/// Shrinks a whole weight of a GGUF file.
Planted plant_in_blocks(const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string pattern = any_of(family.scalings, draw).grown;
    const std::string name = any_of(matching(read_weights(family.model, "transformer"), pattern), draw);
    const double factor = std::exp2(-static_cast<double>(below(draw, 12)));
    return with_gguf(
        family, folder, name + ".weight", [&](Tensor scales) { scales.mul_(factor); }, name + " x " + in_words(factor));
}

Planted plant_fault(FaultKind kind, const Family& family, const std::string& component, Draw& draw,
                    const std::filesystem::path& folder) {
    if (family.keeping == Keeping::gguf) return plant_in_blocks(family, draw, folder);
    Weights weights = read_weights(family.model, component);
    for (auto& [name, value] : weights)
        if (value.is_floating_point()) value = value.to(at::kFloat);
    const std::string words = plant(kind, weights, family, component, draw);
    return with_weights(family, folder, component, weights, component + "." + words);
}

std::string acts_in_words(const RunReport& run) {
    std::string words;
    for (const GuardActed& act : run.acts)
        if (words.size() < 200)
            words += (words.empty() ? "" : "; ") + to_string(act.detector) + " " + act.site + " " +
                     to_string(act.action) + " " + to_string(act.before) + " -> " + to_string(act.after);
    return words.empty() ? "nothing" : words;
}

}  // namespace

Outcome run_precision_fault(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string component = any_of(family.scalings, draw).component;
    const Planted planted = plant_fault(outcome.kind, family, component, draw, folder);
    RunSettings settings = lowered(component, below(draw, 1000));
    if (below(draw, 4) == 0) settings.dtype = DtypeChoice::bf16;
    const RunReport exact =
        run_planted(family, planted, {.guard = GuardMode::off, .monitoring = Monitoring::off, .seed = settings.seed});
    const RunReport run = run_planted(family, planted, settings);
    outcome.planted = planted.words + ", in " + to_string(settings.dtype) + ", seed " + std::to_string(settings.seed);
    outcome.expected = "float32, or a warning";
    outcome.reported = run.error ? run.error->message() : acts_in_words(run);
    outcome.psnr_db = psnr_db(run.frames, exact.frames);
    outcome.end = end_of(run, exact);
    outcome.is_detected = outcome.end != End::silent;
    outcome.has_right_end = outcome.end != End::silent && outcome.end != End::healed_badly;
    return outcome;
}

}  // namespace kinescope::faults
