#include "ui/models/explore_rule.h"

#include <cmath>
#include <limits>

#include "core/api/prompt_variants.h"

namespace kinescope::ui {
namespace {

constexpr double kStrengthStep = 0.05;  ///< between neighbors of a variation

/// Returns strengths around `center`, nearest first, within 0..1.
std::vector<double> strengthsAround(double center, int count) {
    std::vector<double> strengths;
    const int steps = static_cast<int>(std::ceil(1 / kStrengthStep));
    for (int step = 1; step <= steps && static_cast<int>(strengths.size()) < count; ++step)
        for (const int side : {1, -1}) {
            const double strength = std::round((center + side * step * kStrengthStep) * 100) / 100;
            if (strength >= 0 && strength <= 1 && static_cast<int>(strengths.size()) < count)
                strengths.push_back(strength);
        }
    return strengths;
}

/// Returns the seed `offset` after `seed`. Starts again at 0 after the largest one.
std::int64_t seedAfter(std::int64_t seed, int offset) {
    const std::int64_t room = std::numeric_limits<std::int64_t>::max() - seed;
    return offset <= room ? seed + offset : offset - room - 1;
}

}  // namespace

std::optional<int> numPrompts(const std::string& prompt) try {
    return static_cast<int>(prompt_variants(prompt).size());
} catch (const Error&) {
    return std::nullopt;
}

std::vector<VideoRequest> neighbors(const VideoRequest& picked, int count) {
    VideoRequest base = picked;
    base.output = {};
    std::vector<VideoRequest> found;
    if (picked.variation_of) {
        for (const double strength :
             strengthsAround(picked.variation_strength.value_or(kDefaultVariationStrength), count)) {
            base.variation_strength = strength;
            found.push_back(base);
        }
        return found;
    }
    const std::int64_t seed = picked.seed.value_or(0);
    for (int i = 1; i <= count; ++i) {
        base.variation_of = seed;
        base.seed = seedAfter(seed, i);
        found.push_back(base);
    }
    return found;
}

}  // namespace kinescope::ui
