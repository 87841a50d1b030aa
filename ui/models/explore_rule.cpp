#include "ui/models/explore_rule.h"

#include <algorithm>
#include <cmath>

#include "core/api/prompt_variants.h"

namespace kinescope::ui {
namespace {

constexpr double kStrengthStep = 0.05;  ///< between neighbors of a variation

/// Returns all strengths around `center` within 0..1, nearest first.
std::vector<double> strengthsAround(double center) {
    std::vector<double> strengths;
    const int steps = static_cast<int>(std::ceil(1 / kStrengthStep));
    for (int step = 1; step <= steps; ++step)
        for (const int side : {1, -1}) {
            const double strength = std::round((center + side * step * kStrengthStep) * 100) / 100;
            if (strength >= 0 && strength <= 1) strengths.push_back(strength);
        }
    return strengths;
}

/// Returns requests close to `picked`, nearest first: at least `count` with new seeds, or all strengths of its arc.
std::vector<VideoRequest> allNeighbors(const VideoRequest& picked, int count) {
    VideoRequest base = picked;
    base.output = {};
    std::vector<VideoRequest> found;
    if (picked.variation_of) {
        for (const double strength : strengthsAround(picked.variation_strength.value_or(kDefaultVariationStrength))) {
            base.variation_strength = strength;
            found.push_back(base);
        }
        return found;
    }
    const std::uint64_t seed = picked.seed.value_or(0);
    for (int i = 1; i <= count; ++i) {
        base.variation_of = seed;
        base.seed = seed + static_cast<std::uint64_t>(i);
        found.push_back(base);
    }
    return found;
}

bool isKnown(VideoRequest request, const std::vector<VideoRequest>& known) {
    return std::ranges::any_of(known, [&](const VideoRequest& one) {
        request.output = one.output;
        return request == one;
    });
}

}  // namespace

std::optional<int> numPrompts(const std::string& prompt) try {
    return static_cast<int>(prompt_variants(prompt).size());
} catch (const Error&) {
    return std::nullopt;
}

std::string longestPrompt(const std::string& prompt) try {
    return std::ranges::max(prompt_variants(prompt), {}, &std::string::size);
} catch (const Error&) {
    return prompt;
}

std::vector<VideoRequest> neighbors(const VideoRequest& picked, int count, const std::vector<VideoRequest>& known) {
    // Each known request can take the place of one neighbor.
    std::vector<VideoRequest> found = allNeighbors(picked, count + static_cast<int>(known.size()));
    std::erase_if(found, [&](const VideoRequest& one) { return isKnown(one, known); });
    if (found.size() > static_cast<std::size_t>(count)) found.resize(static_cast<std::size_t>(count));
    return found;
}

}  // namespace kinescope::ui
