#include "core/media/flow_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/media/optical_flow.h"

namespace kinescope {
namespace {

/// The distance of full saturation is at least this one, in px, so that the noise of a still video stays pale.
constexpr float kLeastFullDistance = 0.5F;

using Color = std::array<float, 3>;

/// The color wheel of Baker et al., "A Database and Evaluation Methodology for Optical Flow", 2007. The numbers of
/// steps between red, yellow, green, cyan, blue and magenta follow how well the eye tells the colors apart.
constexpr int kWheelSize = 55;
std::array<Color, kWheelSize> make_wheel() {
    struct Arc {
        int steps;
        Color from;
        Color to;
    };
    constexpr std::array<Arc, 6> kArcs = {{{15, {255, 0, 0}, {255, 255, 0}},
                                           {6, {255, 255, 0}, {0, 255, 0}},
                                           {4, {0, 255, 0}, {0, 255, 255}},
                                           {11, {0, 255, 255}, {0, 0, 255}},
                                           {13, {0, 0, 255}, {255, 0, 255}},
                                           {6, {255, 0, 255}, {255, 0, 0}}}};
    std::array<Color, kWheelSize> wheel{};
    auto* color = wheel.begin();
    for (const Arc& arc : kArcs)
        for (int step = 0; step < arc.steps; ++step, ++color)
            for (std::size_t i = 0; i < color->size(); ++i) {
                const float change = std::floor(255.0F * static_cast<float>(step) / static_cast<float>(arc.steps));
                (*color)[i] = arc.from[i] + (arc.to[i] > arc.from[i] ? change : arc.to[i] < arc.from[i] ? -change : 0);
            }
    return wheel;
}

/// Returns the color of a motion whose distance is at most 1.
std::array<std::uint8_t, 3> color_of(const Motion& motion) {
    static const std::array<Color, kWheelSize> kWheel = make_wheel();
    const float turn = (std::atan2(-motion.y, -motion.x) / std::numbers::pi_v<float> + 1) / 2;
    const float place = turn * static_cast<float>(kWheelSize - 1);
    const auto index = std::min(static_cast<std::size_t>(place), kWheel.size() - 1);
    const Color& color = kWheel[index];
    const Color& next = kWheel[(index + 1) % kWheel.size()];
    const float part = place - static_cast<float>(index);
    const float distance = std::min(1.0F, std::hypot(motion.x, motion.y));
    std::array<std::uint8_t, 3> mixed{};
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        const float full = (1 - part) * color[i] + part * next[i];
        mixed[i] = static_cast<std::uint8_t>(std::clamp(255 - distance * (255 - full), 0.0F, 255.0F));
    }
    return mixed;
}

}  // namespace

Frame flow_picture(const Frame& from, const Frame& to) {
    const std::vector<Motion> motions = optical_flow(from, to);
    float longest = kLeastFullDistance;
    for (const Motion& motion : motions) longest = std::max(longest, std::hypot(motion.x, motion.y));
    Frame picture{.width = to.width, .height = to.height, .pixels = {}};
    picture.pixels.reserve(to.pixels.size());
    for (const Motion& motion : motions) {
        const auto color = color_of({motion.x / longest, motion.y / longest});
        picture.pixels.insert(picture.pixels.end(), color.begin(), color.end());
    }
    return picture;
}

}  // namespace kinescope
