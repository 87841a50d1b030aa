#include "ui/models/guard_demo_story.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/text/guard_words.h"

namespace kinescope::ui {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kWhite = 255;

bool haveEqualSizes(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b) {
    return !a.empty() && std::ranges::equal(a, b, [](const FramePtr& one, const FramePtr& other) {
        return one->width == other->width && one->height == other->height;
    });
}

double sumOfSquares(const Frame& a, const Frame& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const double difference = (double{0} + a.pixels[i] - b.pixels[i]) / kWhite;
        sum += difference * difference;
    }
    return sum;
}

}  // namespace

double psnrDb(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b) {
    if (!haveEqualSizes(a, b)) return 0;
    double squares = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares += sumOfSquares(*a[i], *b[i]);
        count += a[i]->pixels.size();
    }
    return squares > 0 ? -10 * std::log10(squares / static_cast<double>(count)) : kInfinity;
}

GuardDemoStory guardDemoStory(const GuardDemoResult& unguarded, const GuardDemoResult& guarded,
                              const GuardDemoResult& reference) {
    GuardDemoStory story{.site = reference.site, .exponent = reference.exponent, .numSteps = reference.num_steps};
    for (const NumericSample& sample : reference.samples) story.needed = std::max(story.needed, sample.stats.max_abs);
    if (!unguarded.actions.empty()) story.firstBad = unguarded.actions.front();
    for (const GuardActed& action : guarded.actions) {
        if (is_repair(action.action)) story.repairs.push_back(action);
        if (runsAgain(action.action)) story.repairSeconds += action.seconds;
    }
    story.psnrDb = psnrDb(guarded.frames, reference.frames);
    return story;
}

}  // namespace kinescope::ui
