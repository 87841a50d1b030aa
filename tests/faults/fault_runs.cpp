#include "tests/faults/fault_runs.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "tests/faults/faulty_model.h"
#include "tests/faults/tiny_run.h"

namespace kinescope::faults {

namespace {

constexpr double kFloat16Max = 65504.0;
constexpr double kLargestWeight = 60000.0;  // stays finite in float16
constexpr int kMaxDraws = 60;

std::int64_t below(Draw& draw, std::size_t count) {
    return static_cast<std::int64_t>(draw() % std::max<std::size_t>(count, 1));
}

template <class T>
const T& any_of(const std::vector<T>& all, Draw& draw) {
    return all[static_cast<std::size_t>(below(draw, all.size()))];
}

/// One eighth of the rows, at least one; none, which means all, for a weight whose norm sees them together.
std::vector<std::int64_t> draw_rows(const Scaling& scaling, std::int64_t count, Draw& draw) {
    if (scaling.shrunk.empty()) return {};
    std::set<std::int64_t> rows;
    while (static_cast<std::int64_t>(rows.size()) < std::max<std::int64_t>(1, count / 8))
        rows.insert(below(draw, static_cast<std::size_t>(count)));
    return {rows.begin(), rows.end()};
}

/// The largest power of two that leaves the weight in float16.
double largest_factor(const Tensor& weight) {
    const double largest = weight.to(at::kDouble).abs().max().item<double>();
    return std::exp2(std::floor(std::log2(kLargestWeight / std::max(largest, 1e-6))));
}

void store_as_float16(Weights& weights) {
    for (auto& [name, value] : weights) value = value.to(at::kHalf);
}

/// A step and a site, e.g. "step 0 transformer.blocks.1.ffn.net.2".
struct Place {
    int step = 0;
    std::string site;
    bool operator==(const Place&) const = default;
};

std::string words(const std::optional<Place>& place) {
    return place ? "step " + std::to_string(place->step) + " " + place->site : "nothing";
}

Place place_of(const NumericSample& sample) {
    return {sample.step, sample.component + "." + sample.site};
}

/// A model with a fault in it.
struct Planted {
    std::string words;
    std::filesystem::path model;
    std::filesystem::path gguf = {};  ///< in place of its denoiser
};

RunReport run_planted(const Family& family, const Planted& planted, RunSettings settings) {
    if (family.keeping == Keeping::float8) settings.storage = "fp8";
    settings.gguf = planted.gguf;
    return run_tiny(family.case_dir, planted.model, settings);
}

RunSettings lowered(const std::string& component, std::int64_t seed) {
    return {.component = component, .dtype = "fp16", .seed = seed};
}

RunReport run_float32(const Family& family, const Planted& planted, std::int64_t seed) {
    return run_planted(family, planted, {.guard = GuardMode::off, .monitoring = Monitoring::every_op, .seed = seed});
}

/// The family's model with other weights in one component.
Planted with_weights(const Family& family, const std::filesystem::path& folder, const std::string& component,
                     const Weights& weights, std::string words) {
    return {std::move(words), write_model(family.case_dir / "model", folder / "model", component, weights)};
}

/// The family's model with another file of blocks.
Planted with_gguf(const Family& family, const std::filesystem::path& folder, const std::string& weight,
                  const BlockEdit& edit, std::string words) {
    return {std::move(words), family.case_dir / "model",
            write_gguf(family.gguf, folder / "planted.gguf", weight, edit)};
}

/// Sites that this run computed in float16 before anything was raised.
std::set<std::string> float16_sites(const RunReport& run) {
    std::set<std::string> sites;
    for (const NumericSample& sample : run.samples)
        if (sample.dtype == "float16") sites.insert(sample.component + "." + sample.site);
    return sites;
}

/// Where float32 first leaves the range of float16 at one of those sites.
std::optional<Place> first_overflow(const RunReport& float32, const std::set<std::string>& sites) {
    for (const NumericSample& sample : float32.samples)
        if (sample.stats.max_abs > kFloat16Max && sites.contains(place_of(sample).site)) return place_of(sample);
    return std::nullopt;
}

/// A value so near the border that rounding in float16 decides is no fault to be counted.
bool is_on_the_border(const RunReport& float32, const std::set<std::string>& sites) {
    return std::any_of(float32.samples.begin(), float32.samples.end(), [&](const NumericSample& sample) {
        const double share = sample.stats.max_abs / kFloat16Max;
        return share > 0.9 && share < 1.1 && sites.contains(place_of(sample).site);
    });
}

bool is_retry(const GuardActed& act) {
    return act.action.starts_with("retry") && act.action.find("unchanged") == std::string::npos;
}

/// The first thing that the guard raised: because it overflowed, or because it was about to.
std::optional<Place> first_raised(const RunReport& run, const Place& expected) {
    for (const GuardActed& act : run.acts) {
        if (is_retry(act)) return Place{act.step, act.site};
        const bool is_ahead = act.action == "raise" && act.site == expected.site && act.step <= expected.step;
        if (is_ahead) return expected;
    }
    return std::nullopt;
}

/// A fault, what float32 says about it, and what must be reported.
struct Expectation {
    const Planted& planted;
    const RunReport& float32;
    const std::string& component;
    std::int64_t seed;
    Place place;
};

Outcome judge_overflow(Outcome outcome, const Family& family, const Expectation& expectation) {
    const RunReport run = run_planted(family, expectation.planted, lowered(expectation.component, expectation.seed));
    const auto reported = first_raised(run, expectation.place);
    outcome.planted = expectation.planted.words;
    outcome.expected = words(expectation.place);
    outcome.reported = words(reported);
    outcome.is_detected = reported == expectation.place;
    outcome.psnr_db = psnr_db(run.frames, expectation.float32.frames);
    outcome.has_right_end = run.status == "healed" && outcome.psnr_db >= kHealedDb;
    if (run.error) outcome.reported += " [" + run.error->message() + "]";
    return outcome;
}

/// Draws faults until float32 says that float16 overflows, and not just so.
class OverflowDraw {
public:
    OverflowDraw(const Family& family, std::string component, Draw& draw)
        : family_(family), component_(std::move(component)), draw_(draw) {}

    /// `plant()` makes a Planted.
    template <class Plant, class Accept>
    Outcome run(const Outcome& outcome, const Plant& plant, const Accept& accept) {
        for (int i = 0; i < kMaxDraws; ++i) {
            const std::int64_t seed = below(draw_, 1000);
            const Planted planted = plant();
            const RunReport float32 = run_float32(family_, planted, seed);
            if (float32.error) continue;
            const auto sites = float16_sites(watched_run(planted, seed));
            const auto expected = first_overflow(float32, sites);
            if (!expected || is_on_the_border(float32, sites) || !accept(*expected)) continue;
            return judge_overflow(outcome, family_, {planted, float32, component_, seed, *expected});
        }
        throw NothingDrawn(std::string("no ") + to_string(outcome.kind) + " could be drawn for " + family_.name);
    }

private:
    /// Which sites float16 computes: the first step shows all, unless another expert takes the last ones.
    RunReport watched_run(const Planted& planted, std::int64_t seed) const {
        RunSettings settings = lowered(component_, seed);
        settings.guard = GuardMode::off;
        settings.monitoring = Monitoring::every_op;
        if (denoisers(family_).size() == 1) settings.num_inference_steps = 1;
        return run_planted(family_, planted, settings);
    }

    const Family& family_;
    const std::string component_;
    Draw& draw_;
};

std::vector<Scaling> scalings_of(const Family& family, const std::string& component) {
    std::vector<Scaling> found;
    for (const Scaling& scaling : family.scalings)
        if (scaling.component == component) found.push_back(scaling);
    return found;
}

/// Grows a drawn weight, and shrinks what follows it. Returns where.
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

Planted plant_in_weights(const Family& family, const std::string& component, Draw& draw,
                         const std::filesystem::path& folder) {
    Weights weights = read_weights(family.case_dir / "model", component);
    const std::string words = plant_scaling(weights, any_of(scalings_of(family, component), draw), draw);
    store_as_float16(weights);
    return with_weights(family, folder, component, weights, words);
}

/// A whole weight grows: the scale of each of its blocks, float16 numbers, does.
Planted plant_in_gguf(const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const std::string pattern = any_of(family.scalings, draw).grown;
    const std::string grown = any_of(matching(read_weights(family.case_dir / "model", "transformer"), pattern), draw);
    const double factor = std::exp2(16.0 + static_cast<double>(below(draw, 3)));
    return with_gguf(
        family, folder, grown + ".weight", [&](Tensor scales) { scales.mul_(factor); },
        grown + " x " + std::to_string(static_cast<std::int64_t>(factor)));
}

Outcome run_overflow(const Outcome& outcome, const Family& family, const std::string& component, Draw& draw,
                     const std::filesystem::path& folder) {
    return OverflowDraw(family, component, draw)
        .run(
            outcome,
            [&] {
                return family.keeping == Keeping::gguf ? plant_in_gguf(family, draw, folder)
                                                       : plant_in_weights(family, component, draw, folder);
            },
            [](const Place&) { return true; });
}

/// The prediction becomes larger, so the latents grow, until the first projection cannot hold them.
Outcome run_growth(const Outcome& outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const Scaling& growth = family.growth;
    const auto plant = [&] {
        Weights weights = read_weights(family.case_dir / "model", growth.component);
        const double faster = 8.0 * std::exp2(static_cast<double>(below(draw, 5)));
        const double first =
            largest_factor(weights.at(growth.grown + ".weight")) / std::exp2(static_cast<double>(3 + below(draw, 7)));
        scale_rows(weights, growth.shrunk, {}, faster);
        scale_rows(weights, growth.grown, {}, first);
        store_as_float16(weights);
        return with_weights(family, folder, growth.component, weights,
                            "latents grow (" + growth.shrunk + " x " + std::to_string(faster) + "), " + growth.grown +
                                " x " + std::to_string(first));
    };
    return OverflowDraw(family, growth.component, draw).run(outcome, plant, [](const Place& place) {
        return place.step > 0;
    });
}

/// A weight that the model really reads.
std::string draw_tensor(const Weights& weights, const std::string& component, Draw& draw) {
    std::vector<std::string> names;
    for (const auto& [name, value] : weights)
        if (component != "vae" || name.starts_with("decoder.")) names.push_back(name);
    return any_of(names, draw);
}

/// Puts a value that is not finite somewhere into a weight.
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

/// A weight of a linear layer of a drawn pair: those are what is stored as float8.
std::string draw_linear(const Weights& weights, const Family& family, const std::string& component, Draw& draw) {
    return any_of(matching(weights, any_of(scalings_of(family, component), draw).grown), draw) + ".weight";
}

/// A model with one number that is not finite, and the name of its weight.
std::pair<Planted, std::string> plant_damage(FaultKind kind, const Family& family, Draw& draw,
                                             const std::filesystem::path& folder) {
    const bool is_linear = kind == FaultKind::fp8_nan || family.keeping == Keeping::gguf;
    const std::string component = is_linear ? any_of(denoisers(family), draw) : any_of(family.scalings, draw).component;
    Weights weights = read_weights(family.case_dir / "model", component);
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

Outcome run_damaged_weight(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const auto [planted, place] = plant_damage(outcome.kind, family, draw, folder);
    const RunReport run = run_planted(family, planted, {});
    outcome.planted = place;
    outcome.expected = words(Place{0, place});
    const bool has_act = !run.acts.empty() && run.acts.back().action == "stop" && run.acts.back().detector == "S0";
    outcome.reported = has_act ? words(Place{run.acts.back().step, run.acts.back().site}) : "nothing";
    outcome.is_detected = outcome.reported == outcome.expected;
    outcome.has_right_end =
        run.error && run.error->code() == ErrorCode::not_finite && outcome.is_detected && !run.frames.defined();
    if (run.error && !outcome.has_right_end) outcome.reported += " [" + run.error->message() + "]";
    return outcome;
}

std::optional<Place> first_not_finite_place(const RunReport& run) {
    for (const NumericSample& sample : run.samples)
        if (sample.stats.nan + sample.stats.inf > 0) return place_of(sample);
    return std::nullopt;
}

/// Both weights of a pair grow far beyond what a product in float32 can hold.
Outcome run_float32_overflow(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    constexpr double kHuge = 1e25;
    std::vector<Scaling> pairs;
    for (const Scaling& scaling : family.scalings)
        if (!scaling.shrunk.empty()) pairs.push_back(scaling);
    const Scaling& scaling = any_of(pairs, draw);
    Weights weights = read_weights(family.case_dir / "model", scaling.component);
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
    outcome.expected = words(expected);
    const bool has_stopped = !run.acts.empty() && run.acts.back().action == "stop";
    outcome.reported = has_stopped ? words(Place{run.acts.back().step, run.acts.back().site}) : "nothing";
    outcome.is_detected = expected.has_value() && outcome.reported == outcome.expected;
    outcome.has_right_end = run.error && run.error->code() == ErrorCode::not_finite && !run.frames.defined() &&
                            run.error->message().find("float32 itself") != std::string::npos;
    return outcome;
}

}  // namespace

const char* to_string(FaultKind kind) {
    switch (kind) {
        case FaultKind::denoiser_overflow:
            return "denoiser overflows float16";
        case FaultKind::growing_stream:
            return "stream grows from step to step";
        case FaultKind::vae_overflow:
            return "VAE overflows float16";
        case FaultKind::text_encoder_overflow:
            return "text encoder overflows float16";
        case FaultKind::nan_in_weight:
            return "NaN in a weight";
        case FaultKind::inf_in_weight:
            return "Inf in a weight";
        case FaultKind::fp8_nan:
            return "NaN in a float8 weight";
        case FaultKind::float32_overflow:
            return "float32 overflows, too";
    }
    return "";
}

Outcome run_fault(FaultKind kind, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    Outcome outcome{.kind = kind, .family = family.name};
    switch (kind) {
        case FaultKind::denoiser_overflow:
            return run_overflow(outcome, family, any_of(denoisers(family), draw), draw, folder);
        case FaultKind::growing_stream:
            return run_growth(outcome, family, draw, folder);
        case FaultKind::vae_overflow:
            return run_overflow(outcome, family, "vae", draw, folder);
        case FaultKind::text_encoder_overflow:
            return run_overflow(outcome, family, "text_encoder", draw, folder);
        case FaultKind::nan_in_weight:
        case FaultKind::inf_in_weight:
        case FaultKind::fp8_nan:
            return run_damaged_weight(outcome, family, draw, folder);
        case FaultKind::float32_overflow:
            return run_float32_overflow(outcome, family, draw, folder);
    }
    return outcome;
}

}  // namespace kinescope::faults
