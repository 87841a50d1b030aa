#include "core/numerics/detectors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/significant.h"
#include "core/device/dtype.h"

namespace kinescope {

namespace {

std::string text(double value) {
    return significant(value, 4);
}

std::string percent(double share) {
    return text(share * 100) + " %";
}

std::map<std::string, std::string> change(double from, double to) {
    return {{"from", text(from)}, {"to", text(to)}};
}

using SiteKey = std::tuple<std::string, std::string, std::string>;

SiteKey key(const NumericSample& sample) {
    return {sample.component, sample.site, sample.branch};
}

/// Calls visit(before, now) for every site that has a sample in both steps.
template <class Visit>
void for_each_pair(const Samples& previous, const Samples& samples, const Visit& visit) {
    std::map<SiteKey, const NumericSample*> before;
    for (const NumericSample& sample : previous) before[key(sample)] = &sample;
    for (const NumericSample& sample : samples) {
        if (const auto found = before.find(key(sample)); found != before.end()) visit(*found->second, sample);
    }
}

bool is_of_block(const NumericSample& sample) {
    const Detector detector = detector_of(sample);
    return detector == Detector::block || detector == Detector::attention || detector == Detector::feed_forward;
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Detector detector_of(const NumericSample& sample) {
    if (sample.phase == Phase::encode) return Detector::encoder;
    if (sample.phase == Phase::decode) return Detector::vae;
    switch (sample.kind) {
        case SiteKind::attention:
            return Detector::attention;
        case SiteKind::feed_forward:
            return Detector::feed_forward;
        case SiteKind::prediction:
        case SiteKind::guidance:
            return Detector::prediction;
        case SiteKind::latents:
        case SiteKind::latents_spread:
        case SiteKind::latents_unchanged:
            return Detector::latents;
        case SiteKind::block:
            break;
    }
    return Detector::block;
}

std::vector<Finding> find_headroom(const Samples& samples) {
    std::vector<Finding> found;
    const double limit = dtype_max(at::kHalf);
    for (const NumericSample& sample : samples) {
        const double share = sample.stats.max_abs / limit;
        if (sample.precision != ComputePrecision{ElementType::float16} || share < kHeadroomWarn) continue;
        found.push_back({.detector = detector_of(sample),
                         .sample = sample,
                         .found = {.code = "near_limit",
                                   .values = {{"largest", text(sample.stats.max_abs)}, {"share", percent(share)}},
                                   .text = "largest value " + text(sample.stats.max_abs) + ", " + percent(share) +
                                           " of the float16 range"},
                         .weight = share < kHeadroomRaise ? Finding::Weight::warning : Finding::Weight::raise});
    }
    return found;
}

Samples comparable_with_next(Samples previous, Samples samples) {
    const bool is_step = !samples.empty() && samples.front().phase == Phase::denoise;
    if (!is_step || std::ranges::any_of(samples, is_of_block)) return samples;
    std::set<SiteKey> seen;
    for (const NumericSample& sample : samples) seen.insert(key(sample));
    std::erase_if(previous, [&](const NumericSample& sample) { return seen.contains(key(sample)); });
    previous.insert(previous.end(), std::make_move_iterator(samples.begin()), std::make_move_iterator(samples.end()));
    return previous;
}

namespace {

/// No block ran in the steps between the two samples, because their predictions were reused.
LocalizableMessage growth_between(const NumericSample& before, const NumericSample& now) {
    const int num_steps = now.step - before.step;
    LocalizableMessage grown{
        .code = "growth",
        .values = change(before.stats.max_abs, now.stats.max_abs),
        .text = "largest value grew from " + text(before.stats.max_abs) + " to " + text(now.stats.max_abs)};
    if (num_steps <= 1) {
        grown.text += " in one step";
        return grown;
    }
    grown.code = "growth_in_steps";
    grown.values.emplace("steps", std::to_string(num_steps));
    grown.text += " in " + std::to_string(num_steps) + " steps, since the last computed one";
    return grown;
}

}  // namespace

std::vector<Finding> find_growth(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found;
    for_each_pair(previous, samples, [&](const NumericSample& before, const NumericSample& now) {
        if (!is_of_block(now) || now.stats.max_abs <= kGrowthFloor) return;
        if (now.stats.max_abs <= kGrowth * before.stats.max_abs) return;
        found.push_back({.detector = detector_of(now), .sample = now, .found = growth_between(before, now)});
    });
    return found;
}

namespace {

std::vector<Finding> find_dead_guidance(const Samples& samples) {
    std::vector<Finding> found;
    for (const NumericSample& sample : samples) {
        if (sample.kind != SiteKind::guidance || sample.stats.max_abs > kDeadGuidance) continue;
        found.push_back(
            {.detector = Detector::prediction,
             .sample = sample,
             .found = {.code = "dead_guidance",
                       .values = {{"difference", text(sample.stats.max_abs)}},
                       .text = "the prediction is the same with and without the prompt (relative difference: " +
                               text(sample.stats.max_abs) + ")"}});
    }
    return found;
}

/// Finds predictions that are 0 everywhere, which mean that all weights are zero. The latents would remain noise.
std::vector<Finding> find_zero_prediction(const Samples& samples) {
    std::vector<Finding> found;
    for (const NumericSample& sample : samples) {
        if (sample.kind != SiteKind::prediction || !sample.is_finite() || sample.stats.max_abs > 0) continue;
        found.push_back({.detector = Detector::prediction,
                         .sample = sample,
                         .found = {.code = "zero_prediction",
                                   .values = {},
                                   .text = "the model predicts 0 for every value; its weights are probably all zero"}});
    }
    return found;
}

}  // namespace

std::vector<Finding> find_velocity(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found = find_dead_guidance(samples);
    append(found, find_zero_prediction(samples));
    for_each_pair(previous, samples, [&](const NumericSample& before, const NumericSample& now) {
        if (now.kind != SiteKind::prediction) return;
        const double low = before.stats.std / kVelocityRatio;
        const double high = before.stats.std * kVelocityRatio;
        if (now.stats.std >= low && now.stats.std <= high) return;
        found.push_back({.detector = Detector::prediction,
                         .sample = now,
                         .found = {.code = "velocity",
                                   .values = change(before.stats.std, now.stats.std),
                                   .text = "the prediction's deviation went from " + text(before.stats.std) + " to " +
                                           text(now.stats.std) + " in one step"}});
    });
    return found;
}

namespace {

std::vector<Finding> find_spread(const Samples& samples) {
    std::vector<Finding> found;
    for (const NumericSample& sample : samples) {
        const double spread = sample.stats.max_abs;
        if (sample.kind != SiteKind::latents_spread || (spread >= kSpreadLeast && spread <= kSpreadMost)) continue;
        found.push_back({.detector = Detector::latents,
                         .sample = sample,
                         .found = {.code = "spread",
                                   .values = {{"times", text(spread)}},
                                   .text = "the standard deviation of the latents is " + text(spread) +
                                           " times the value expected at this step's noise level"}});
    }
    return found;
}

}  // namespace

std::vector<Finding> find_latents(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found = find_spread(samples);
    for (const NumericSample& sample : samples) {
        if (sample.kind != SiteKind::latents_unchanged || sample.stats.max_abs <= kUnchanged) continue;
        found.push_back(
            {.detector = Detector::latents,
             .sample = sample,
             .found = {.code = "unchanged",
                       .values = {{"share", percent(sample.stats.max_abs)}},
                       .text = percent(sample.stats.max_abs) + " of the latents did not change in this step"}});
    }
    for_each_pair(previous, samples, [&](const NumericSample& before, const NumericSample& now) {
        if (now.kind != SiteKind::latents || now.stats.std <= kLatentsFloor) return;
        if (now.stats.std <= kLatentsJump * before.stats.std) return;
        found.push_back({.detector = Detector::latents,
                         .sample = now,
                         .found = {.code = "latents_jump",
                                   .values = change(before.stats.std, now.stats.std),
                                   .text = "the standard deviation of the latents jumped from " +
                                           text(before.stats.std) + " to " + text(now.stats.std) + " in one step"}});
    });
    return found;
}

std::vector<Finding> find_in_step(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found = find_headroom(samples);
    append(found, find_growth(previous, samples));
    append(found, find_velocity(previous, samples));
    append(found, find_latents(previous, samples));
    return found;
}

namespace {

/// Returns what makes an encoder's output independent of its input, or nullopt.
std::optional<LocalizableMessage> sign_of_dead_encoder(const EmbeddingFacts& facts) {
    if (facts.num_rows == 0)
        return LocalizableMessage{.code = "zero_embeddings", .values = {}, .text = "all embeddings are zero"};
    if (facts.num_rows <= 1 || !facts.has_equal_rows) return std::nullopt;
    if (facts.input == EncoderInput::image)
        return LocalizableMessage{
            .code = "equal_patches", .values = {}, .text = "all parts of the image have the same embedding"};
    return LocalizableMessage{.code = "equal_words", .values = {}, .text = "all words have the same embedding"};
}

}  // namespace

std::vector<Finding> find_embeddings(const EmbeddingFacts& facts) {
    std::vector<Finding> found;
    const auto warn = [&](LocalizableMessage seen) {
        found.push_back({.detector = Detector::encoder, .sample = facts.sample, .found = std::move(seen)});
    };
    if (!facts.sample.is_finite()) warn({.code = "not_finite", .values = {}, .text = "the embeddings are not finite"});
    if (auto sign = sign_of_dead_encoder(facts)) warn(std::move(*sign));
    if (facts.has_different_prompts && !(facts.cosine < kSameEmbedding))
        warn({.code = "equal_prompts",
              .values = {{"cosine", text(facts.cosine)}},
              .text = "prompt and negative prompt have the same embedding (cosine " + text(facts.cosine) + ")"});
    return found;
}

double shadow_tolerance(ElementType dtype) {
    switch (dtype) {
        case ElementType::float16:
            return 1e-2;
        case ElementType::bfloat16:
            return 6e-2;
        case ElementType::int8:
            return 0.1;
        default:
            return 1e-3;
    }
}

std::vector<Finding> find_shadow(const ShadowFacts& facts) {
    const ElementType dtype = facts.sample.precision.dtype;
    if (facts.relative_error <= shadow_tolerance(dtype)) return {};
    const bool is_int8 = dtype == ElementType::int8;
    return {
        {.detector = Detector::kernel,
         .sample = facts.sample,
         .found = {.code = is_int8 ? "int8_coarse" : "kernel_differs",
                   .values = {{"share", percent(facts.relative_error)}},
                   .text = "computed again in float32 on the CPU, a part of it differs by " +
                           percent(facts.relative_error) +
                           (is_int8 ? ": int8 rounds this layer too coarsely" : ": this device's kernel may be wrong")},
         .weight = is_int8 ? Finding::Weight::raise : Finding::Weight::warning}};
}

RoundingLimits rounding_limits(ElementType dtype) {
    if (dtype == ElementType::float16) return {.doubt = 55, .trust = 45, .steady = 61, .sensitive = 40, .float32 = 4};
    return {.doubt = 44, .trust = 37, .steady = 43, .sensitive = 25, .float32 = -14};
}

namespace {

Finding rounding_finding(const RoundingFacts& facts, Finding::Weight weight, LocalizableMessage seen) {
    return {.detector = Detector::rounding, .sample = facts.sample, .found = std::move(seen), .weight = weight};
}

LocalizableMessage coarse_rounding(const std::string& decibels, const std::string& dtype) {
    return {.code = "rounding",
            .values = {{"decibels", decibels}, {"dtype", dtype}},
            .text = "rounding in " + dtype + " leaves only " + decibels + " dB between a product and its error"};
}

LocalizableMessage underflow(const RoundingFacts& facts, const std::string& dtype) {
    return {
        .code = "underflow",
        .values = {{"channels", text(facts.lost)}, {"count", text(facts.channels)}, {"dtype", dtype}},
        .text = text(facts.lost) + " of " + text(facts.channels) + " channels of a product are too small for " + dtype};
}

LocalizableMessage sensitive_op(const std::string& decibels) {
    return {.code = "sensitive",
            .values = {{"decibels", decibels}},
            .text = "it amplifies the rounding of other ops, which leaves only " + decibels + " dB of its result"};
}

double decibels_between(double size, double error) {
    return 10 * std::log10(size / error);
}

/// Returns true if the op has to be raised. An error that is mostly inherited would remain, so it only leads to a
/// doubt, up to the size that is accepted for the result of a step.
bool must_be_raised(const RoundingFacts& facts) {
    const double ratio = decibels_between(facts.size, facts.error);
    const double own = decibels_between(facts.size, std::max(facts.error - facts.inherited, 0.0));
    const bool is_inherited = own >= kRoundingDb && ratio >= rounding_limits(facts.sample.precision.dtype).trust;
    return !(ratio >= kRoundingDb || is_inherited);
}

}  // namespace

std::vector<Finding> find_rounding(const RoundingFacts& facts) {
    using enum Finding::Weight;
    const std::string dtype = to_string(facts.sample.precision);
    const bool is_sensitivity = facts.channels == 0;
    if (!is_sensitivity && !(facts.lost <= kLostChannels * facts.channels))
        return {rounding_finding(facts, raise, underflow(facts, dtype))};
    const RoundingLimits limits = rounding_limits(facts.sample.precision.dtype);
    const double ratio = decibels_between(facts.size, facts.error);
    if (facts.error <= 0 || ratio >= limits.doubt) return {};
    const std::string decibels = text(ratio);
    if (is_sensitivity && facts.sample.component.starts_with("text_encoder"))
        return ratio >= limits.sensitive ? std::vector<Finding>{}
                                         : std::vector{rounding_finding(facts, raise, sensitive_op(decibels))};
    if (is_sensitivity && !(ratio >= limits.sensitive))
        return {rounding_finding(facts, raise_component, sensitive_op(decibels))};
    std::vector<Finding> found{
        rounding_finding(facts, must_be_raised(facts) ? raise : doubt, coarse_rounding(decibels, dtype))};
    if (!is_sensitivity && ratio < limits.float32)
        found.push_back(rounding_finding(facts, warning,
                                         {.code = "float32_coarse",
                                          .values = {},
                                          .text = "values cancel so far that even float32 keeps few of their digits"}));
    return found;
}

std::vector<Finding> find_float8(const Float8Facts& facts) {
    std::vector<Finding> found;
    const auto warn = [&](const char* code, double share, const char* words) {
        found.push_back({.detector = Detector::float8,
                         .sample = facts.sample,
                         .found = {.code = code,
                                   .values = {{"share", percent(share)}},
                                   .text = percent(share) + " of the values " + words}});
    };
    if (!(facts.saturated <= kFloat8Saturated))
        warn("float8_end", facts.saturated, "are at the end of the float8 range");
    if (!(facts.zero <= kFloat8Zero)) warn("float8_zero", facts.zero, "become zero in float8");
    return found;
}

}  // namespace kinescope
