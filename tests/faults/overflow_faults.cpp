#include "tests/faults/overflow_faults.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "tests/faults/place.h"
#include "tests/faults/planted.h"

namespace kinescope::faults {

namespace {

constexpr double kFloat16Max = 65504.0;
constexpr int kMaxDraws = 60;

/// Returns the sites that the run computed in float16.
std::set<std::string> float16_sites(const RunReport& run) {
    std::set<std::string> sites;
    for (const NumericSample& sample : run.samples)
        if (sample.precision == ComputePrecision{ElementType::float16})
            sites.insert(sample.component + "." + sample.site);
    return sites;
}

/// Returns the first of `sites` at which the float32 run exceeds the range of float16.
std::optional<Place> first_overflow(const RunReport& float32, const std::set<std::string>& sites) {
    for (const NumericSample& sample : float32.samples)
        if (sample.stats.max_abs > kFloat16Max && sites.contains(place_of(sample).site)) return place_of(sample);
    return std::nullopt;
}

/// Returns true if a value is so close to the limit that rounding determines whether it overflows. Such a fault is not
/// used.
bool is_on_the_border(const RunReport& float32, const std::set<std::string>& sites) {
    return std::any_of(float32.samples.begin(), float32.samples.end(), [&](const NumericSample& sample) {
        const double share = sample.stats.max_abs / kFloat16Max;
        return share > 0.9 && share < 1.1 && sites.contains(place_of(sample).site);
    });
}

bool is_retry(const GuardActed& act) {
    using enum GuardAction;
    return act.action == raise || act.action == raise_component || act.action == accumulate_float32 ||
           act.action == move_to_cpu;
}

/// Returns the first place that the guard raised after an overflow, or `expected` if the guard raised that place as a
/// precaution.
std::optional<Place> first_raised(const RunReport& run, const Place& expected) {
    for (const GuardActed& act : run.acts) {
        if (is_retry(act)) return Place{act.step, act.site};
        const bool is_ahead =
            act.action == GuardAction::raise_ahead && act.site == expected.site && act.step <= expected.step;
        if (is_ahead) return expected;
    }
    return std::nullopt;
}

/// A fault, its float32 run, and the place that the guard must report.
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
    outcome.end = end_of(run, expectation.float32);
    outcome.has_right_end = run.status == RunStatus::healed && outcome.psnr_db >= kHealedDb;
    if (run.error) outcome.reported += " [" + run.error->message() + "]";
    return outcome;
}

/// Draws faults until float16 clearly overflows, according to a float32 run.
class OverflowDraw {
public:
    OverflowDraw(const Family& family, std::string component, Draw& draw)
        : family_(family), component_(std::move(component)), draw_(draw) {}

    /// `plant()` returns a Planted. `accept(place)` returns false for faults at unsuitable places.
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
    /// Runs the model with every op watched, to find the sites that compute in float16. One step is enough, except for
    /// models whose second expert runs the last steps.
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

}  // namespace

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

Outcome run_growth(const Outcome& outcome, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    const Scaling& growth = family.growth;
    const auto plant = [&] {
        Weights weights = read_weights(family.model, growth.component);
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

}  // namespace kinescope::faults
