#include "tests/faults/planted.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace kinescope::faults {

RunReport run_planted(const Family& family, const Planted& planted, RunSettings settings) {
    if (family.keeping == Keeping::float8) settings.storage = DtypeChoice::fp8;
    settings.gguf = planted.gguf;
    settings.vae = family.vae;
    return run_tiny(family.case_dir, planted.model, settings);
}

RunSettings lowered(const std::string& component, std::int64_t seed) {
    return {.component = component, .dtype = DtypeChoice::fp16, .seed = seed};
}

RunReport run_float32(const Family& family, const Planted& planted, std::int64_t seed) {
    return run_planted(family, planted, {.guard = GuardMode::off, .monitoring = Monitoring::every_op, .seed = seed});
}

Planted with_weights(const Family& family, const std::filesystem::path& folder, const std::string& component,
                     const Weights& weights, std::string words) {
    return {std::move(words), write_model(family.model, folder / "model", component, weights)};
}

Planted with_gguf(const Family& family, const std::filesystem::path& folder, const std::string& weight,
                  const BlockEdit& edit, std::string words) {
    return {std::move(words), family.model, write_gguf(family.gguf, folder / "planted.gguf", weight, edit)};
}

std::vector<Scaling> scalings_of(const Family& family, const std::string& component) {
    std::vector<Scaling> found;
    for (const Scaling& scaling : family.scalings)
        if (scaling.component == component) found.push_back(scaling);
    return found;
}

double largest_factor(const Tensor& weight) {
    constexpr double kLargestWeight = 60000.0;  // below the largest float16 value
    const double largest = weight.to(at::kDouble).abs().max().item<double>();
    return std::exp2(std::floor(std::log2(kLargestWeight / std::max(largest, 1e-6))));
}

void store_as_float16(Weights& weights) {
    for (auto& [name, value] : weights) value = value.to(at::kHalf);
}

namespace {

/// Draws one eighth of the rows, at least one. If a norm follows the weight, returns an empty list, which means all
/// rows.
std::vector<std::int64_t> draw_rows(const Scaling& scaling, std::int64_t count, Draw& draw) {
    if (scaling.shrunk.empty()) return {};
    std::set<std::int64_t> rows;
    while (static_cast<std::int64_t>(rows.size()) < std::max<std::int64_t>(1, count / 8))
        rows.insert(below(draw, static_cast<std::size_t>(count)));
    return {rows.begin(), rows.end()};
}

/// Enlarges a drawn weight and shrinks its partner accordingly. Returns a description.
std::string plant_scaling(Weights& weights, const Scaling& scaling, Draw& draw) {
    const auto names = matching(weights, scaling.grown);
    if (names.empty()) throw std::runtime_error("no weight is named " + scaling.grown);
    const std::string& grown = any_of(names, draw);
    const Tensor& weight = weights.at(grown + ".weight");
    const auto rows = draw_rows(scaling, weight.size(0), draw);
    const double factor = largest_factor(weight) / std::exp2(static_cast<double>(below(draw, 2)));
    scale_rows(weights, grown, rows, factor);
    if (!scaling.shrunk.empty())
        scale_columns(weights, with_indices(scaling.shrunk, scaling.grown, grown), rows, 1 / factor);
    return grown + " x " + std::to_string(static_cast<std::int64_t>(factor));
}

}  // namespace

Planted plant_in_weights(const Family& family, const std::string& component, Draw& draw,
                         const std::filesystem::path& folder) {
    Weights weights = read_weights(family.model, component);
    const std::string words = plant_scaling(weights, any_of(scalings_of(family, component), draw), draw);
    store_as_float16(weights);
    return with_weights(family, folder, component, weights, words);
}

Planted plant_in_gguf(const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string pattern = any_of(family.scalings, draw).grown;
    const std::string grown = any_of(matching(read_weights(family.model, "transformer"), pattern), draw);
    const double factor = std::exp2(16.0 + static_cast<double>(below(draw, 3)));
    return with_gguf(
        family, folder, grown + ".weight", [&](Tensor scales) { scales.mul_(factor); },
        grown + " x " + std::to_string(static_cast<std::int64_t>(factor)));
}

}  // namespace kinescope::faults
