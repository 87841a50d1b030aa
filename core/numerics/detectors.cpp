#include "core/numerics/detectors.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "core/device/dtype.h"

namespace kinescope {

namespace {

std::string text(double value) {
    std::array<char, 32> characters{};
    std::snprintf(characters.data(), characters.size(), "%.4g", value);
    return characters.data();
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

/// Pairs of a site in the step before and in this one.
template <class Visit>
void for_each_pair(const Samples& previous, const Samples& samples, const Visit& visit) {
    std::map<SiteKey, const NumericSample*> before;
    for (const NumericSample& sample : previous) before[key(sample)] = &sample;
    for (const NumericSample& sample : samples) {
        if (const auto found = before.find(key(sample)); found != before.end()) visit(*found->second, sample);
    }
}

bool is_finite(const NumericSample& sample) {
    return sample.stats.nan + sample.stats.inf == 0;
}

bool is_of_block(const NumericSample& sample) {
    const std::string detector = detector_of(sample);
    return detector == "S2" || detector == "S3" || detector == "S4";
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string detector_of(const NumericSample& sample) {
    const auto has = [&](const char* part) { return sample.site.find(part) != std::string::npos; };
    if (sample.phase == Phase::encode) return "S1";
    if (sample.phase == Phase::decode) return sample.site == "frames" ? "S9" : "S8";
    if (sample.site.starts_with("latents")) return "S6";
    if (sample.site == "noise_pred" || sample.site == "guidance") return "S5";
    if (has("attn")) return "S3";
    return has(".net.") ? "S4" : "S2";
}

std::vector<Finding> find_headroom(const Samples& samples) {
    std::vector<Finding> found;
    const double limit = dtype_max(at::kHalf);
    for (const NumericSample& sample : samples) {
        const double share = sample.stats.max_abs / limit;
        if (sample.dtype != "float16" || share < kHeadroomWarn) continue;
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

std::vector<Finding> find_growth(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found;
    for_each_pair(previous, samples, [&](const NumericSample& before, const NumericSample& now) {
        if (!is_of_block(now) || now.stats.max_abs <= kGrowthFloor) return;
        if (now.stats.max_abs <= kGrowth * before.stats.max_abs) return;
        found.push_back({.detector = detector_of(now),
                         .sample = now,
                         .found = {.code = "growth",
                                   .values = change(before.stats.max_abs, now.stats.max_abs),
                                   .text = "largest value grew from " + text(before.stats.max_abs) + " to " +
                                           text(now.stats.max_abs) + " in one step"}});
    });
    return found;
}

namespace {

std::vector<Finding> find_dead_guidance(const Samples& samples) {
    std::vector<Finding> found;
    for (const NumericSample& sample : samples) {
        if (sample.site != "guidance" || sample.stats.max_abs > kDeadGuidance) continue;
        found.push_back({.detector = "S5",
                         .sample = sample,
                         .found = {.code = "dead_guidance",
                                   .values = {{"difference", text(sample.stats.max_abs)}},
                                   .text = "with and without the prompt the prediction is the same (they differ by " +
                                           text(sample.stats.max_abs) + " of its size)"}});
    }
    return found;
}

/// Weights that are all zero: the latents stay noise, whatever is asked for.
std::vector<Finding> find_zero_prediction(const Samples& samples) {
    std::vector<Finding> found;
    for (const NumericSample& sample : samples) {
        if (sample.site != "noise_pred" || !is_finite(sample) || sample.stats.max_abs > 0) continue;
        found.push_back({.detector = "S5",
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
        if (now.site != "noise_pred") return;
        const double low = before.stats.std / kVelocityRatio;
        const double high = before.stats.std * kVelocityRatio;
        if (now.stats.std >= low && now.stats.std <= high) return;
        found.push_back({.detector = "S5",
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
        if (sample.site != "latents.spread" || (spread >= kSpreadLeast && spread <= kSpreadMost)) continue;
        found.push_back({.detector = "S6",
                         .sample = sample,
                         .found = {.code = "spread",
                                   .values = {{"times", text(spread)}},
                                   .text = "the latents' deviation is " + text(spread) +
                                           " times what this step's noise makes expect"}});
    }
    return found;
}

}  // namespace

std::vector<Finding> find_latents(const Samples& previous, const Samples& samples) {
    std::vector<Finding> found = find_spread(samples);
    for (const NumericSample& sample : samples) {
        if (sample.site != "latents.unchanged" || sample.stats.max_abs <= kUnchanged) continue;
        found.push_back(
            {.detector = "S6",
             .sample = sample,
             .found = {.code = "unchanged",
                       .values = {{"share", percent(sample.stats.max_abs)}},
                       .text = percent(sample.stats.max_abs) + " of the latents did not change in this step"}});
    }
    for_each_pair(previous, samples, [&](const NumericSample& before, const NumericSample& now) {
        if (now.site != "latents" || now.stats.std <= kLatentsFloor) return;
        if (now.stats.std <= kLatentsJump * before.stats.std) return;
        found.push_back({.detector = "S6",
                         .sample = now,
                         .found = {.code = "latents_jump",
                                   .values = change(before.stats.std, now.stats.std),
                                   .text = "the latents' deviation jumped from " + text(before.stats.std) + " to " +
                                           text(now.stats.std) + " in one step"}});
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

std::vector<Finding> find_embeddings(const EmbeddingFacts& facts) {
    std::vector<Finding> found;
    const auto warn = [&](Sentence seen) {
        found.push_back({.detector = "S1", .sample = facts.sample, .found = std::move(seen)});
    };
    if (!is_finite(facts.sample)) warn({.code = "not_finite", .values = {}, .text = "the embeddings are not finite"});
    if (facts.num_rows > 1 && facts.has_equal_rows)
        warn({.code = "equal_words", .values = {}, .text = "all words have the same embedding"});
    if (facts.has_different_prompts && !(facts.cosine < kSameEmbedding))
        warn({.code = "equal_prompts",
              .values = {{"cosine", text(facts.cosine)}},
              .text = "prompt and negative prompt have the same embedding (cosine " + text(facts.cosine) + ")"});
    return found;
}

double shadow_tolerance(const std::string& dtype) {
    if (dtype.starts_with("float16")) return 1e-2;
    if (dtype == "int8") return 0.1;
    return dtype == "bfloat16" ? 6e-2 : 1e-3;
}

std::vector<Finding> find_shadow(const ShadowFacts& facts) {
    if (facts.relative_error <= shadow_tolerance(facts.sample.dtype)) return {};
    const bool is_int8 = facts.sample.dtype == "int8";
    return {
        {.detector = "S7",
         .sample = facts.sample,
         .found = {.code = is_int8 ? "int8_coarse" : "kernel_differs",
                   .values = {{"share", percent(facts.relative_error)}},
                   .text = "computed again in float32 on the CPU, a part of it differs by " +
                           percent(facts.relative_error) +
                           (is_int8 ? ": int8 rounds this layer too coarsely" : ": this device's kernel may be wrong")},
         .weight = is_int8 ? Finding::Weight::raise : Finding::Weight::warning}};
}

std::vector<Finding> find_rounding(const RoundingFacts& facts) {
    const std::string& dtype = facts.sample.dtype;
    const auto raise = [&](Sentence seen) {
        return std::vector<Finding>{
            {.detector = "S11", .sample = facts.sample, .found = std::move(seen), .weight = Finding::Weight::raise}};
    };
    if (!(facts.lost <= kLostChannels * facts.channels))
        return raise({.code = "underflow",
                      .values = {{"channels", text(facts.lost)}, {"count", text(facts.channels)}, {"dtype", dtype}},
                      .text = text(facts.lost) + " of " + text(facts.channels) +
                              " channels of a product are too small for " + dtype});
    if (facts.error <= std::pow(10.0, -kRoundingDb / 10) * facts.size) return {};
    const std::string decibels = text(10 * std::log10(facts.size / facts.error));
    return raise({.code = "rounding",
                  .values = {{"decibels", decibels}, {"dtype", dtype}},
                  .text = "rounding in " + dtype + " leaves only " + decibels + " dB between a product and its error"});
}

std::vector<Finding> find_float8(const Float8Facts& facts) {
    std::vector<Finding> found;
    const auto warn = [&](const char* code, double share, const char* words) {
        found.push_back({.detector = "S10",
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
