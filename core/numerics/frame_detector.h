#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/numerics/detectors.h"

namespace kinescope {

/// Statistics of one frame as it is written: 8 bits, so 0 to 255.
struct FrameLevels {
    double mean = 0;
    double std = 0;  ///< over all channels
    int min = 0;
    int max = 0;
    bool is_one_colour = false;  ///< no channel has more contrast than unavoidable noise
};

/// The same from `levels`: how many values of each channel have each of the 256 levels.
using ChannelHistogram = std::vector<std::int64_t>;
FrameLevels frame_levels(const std::vector<ChannelHistogram>& channels);

/// A frame is black if its mean is below 2 and its deviation below 1 of 255.
bool is_black(const FrameLevels& frame);

/// Absolute differences from the frame before, in levels.
struct FrameChange {
    double mean = 0;
    int largest = 0;
};

/// What all frames of a video are like as they are written (detector S9).
struct VideoFacts {
    int num_frames = 0;
    int num_black = 0;
    int num_uniform = 0;     ///< all values of all channels within one level of each other
    int num_grey = 0;        ///< mean 127.5 +- 2, deviation below 1.5
    int num_one_colour = 0;  ///< see FrameLevels
    int num_still = 0;       ///< nothing moves from the frame before: a mean change below 1, no value by more than 16
    int num_equal = 0;       ///< equal the frame before in every value
    int brightest = 0;
    std::int64_t num_values = 0;
    std::int64_t num_zeros = 0;
    std::int64_t num_full = 0;  ///< 255

    void add(const FrameLevels& frame);
    void add(const FrameChange& change);
};

/// Evidence that something went wrong before the frames: an alarm that was not healed.
enum class Evidence { none, open_alarm };

/// Pure. Nobody can watch a video in which every value of nearly every frame is 0, or all values are the same grey:
/// that is what a broken decoder writes, so it is an error whatever the prompt says. A night scene, a fade or a wall of
/// one colour has more contrast. Other black or saturated videos are an error only together with an open alarm. Returns
/// the error's text.
std::optional<std::string> broken_video(const VideoFacts& facts, Evidence evidence);

/// What is suspicious but may be intended: at most one warning, the most serious one.
std::vector<Finding> find_in_video(const VideoFacts& facts);

}  // namespace kinescope
