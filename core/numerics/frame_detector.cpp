#include "core/numerics/frame_detector.h"

#include <utility>

namespace kinescope {

namespace {

constexpr double kMost = 0.9;
constexpr double kNearlyAll = 0.99;
/// Two equal frames can be chance at 8 values; a video that stands still has more.
constexpr int kFewestFrames = 4;

bool is_most(std::int64_t part, std::int64_t whole, double share) {
    return whole > 0 && static_cast<double>(part) > share * static_cast<double>(whole);
}

std::string count_of(int count, const VideoFacts& facts, const std::string& what) {
    return std::to_string(count) + " of " + std::to_string(facts.num_frames) + " frames are " + what;
}

}  // namespace

std::optional<std::string> broken_video(const VideoFacts& facts, Evidence evidence) {
    const bool has_alarm = evidence == Evidence::open_alarm;
    const bool is_black = is_most(facts.num_black, facts.num_frames, kMost);
    if (is_black && is_most(facts.num_zeros, facts.num_values, kNearlyAll))
        return count_of(facts.num_black, facts, "exactly black");
    if (is_most(facts.num_single, facts.num_frames, kMost))
        return count_of(facts.num_single, facts, "exactly one grey");
    if (!has_alarm) return std::nullopt;
    if (is_black) return count_of(facts.num_black, facts, "black, after an alarm that was not healed");
    if (is_most(facts.num_grey, facts.num_frames, kMost))
        return count_of(facts.num_grey, facts, "flat grey, after an alarm that was not healed");
    if (is_most(facts.num_ends, facts.num_values, kMost))
        return std::string("nearly all values are exactly 0 or 1, after an alarm that was not healed");
    return std::nullopt;
}

std::vector<Finding> find_in_video(const VideoFacts& facts) {
    std::vector<Finding> found;
    const auto warn = [&](Sentence seen) {
        found.push_back({.detector = "S9",
                         .sample = {.phase = Phase::decode, .component = "vae", .site = "frames", .dtype = "float32"},
                         .found = std::move(seen)});
    };
    if (facts.num_frames >= kFewestFrames && facts.num_frozen == facts.num_frames - 1)
        warn({.code = "frames_equal",
              .values = {{"frames", std::to_string(facts.num_frames)}},
              .text = "all " + std::to_string(facts.num_frames) + " frames are the same, bit by bit"});
    if (is_most(facts.num_ends, facts.num_values, kMost))
        warn({.code = "frames_extreme", .values = {}, .text = "nearly all values are exactly 0 or 1"});
    return found;
}

}  // namespace kinescope
