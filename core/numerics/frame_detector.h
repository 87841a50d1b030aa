#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/frame.h"
#include "core/numerics/detectors.h"

namespace kinescope {

/// Statistics of one frame in 8 bits, 0 to 255.
struct FrameLevels {
    double mean = 0;
    double std = 0;  ///< over all channels
    int min = 0;
    int max = 0;
    bool is_one_color = false;  ///< no channel has more contrast than noise would cause
};

/// The number of values of a color channel at each of the 256 levels.
using ChannelHistogram = std::vector<std::int64_t>;
/// Counts the values of a frame's three channels.
std::vector<ChannelHistogram> channel_histograms(const Frame& frame);
FrameLevels frame_levels(const std::vector<ChannelHistogram>& channels);

/// Returns true if the frame's mean is below 2 and its standard deviation below 1 of 255.
bool is_black(const FrameLevels& frame);

/// Absolute differences from the previous frame, in levels of 0 to 255.
struct FrameChange {
    double mean = 0;
    int largest = 0;
};

/// Totals over the 8-bit frames of a video (detector S9).
struct VideoFacts {
    int num_frames = 0;
    int num_black = 0;
    int num_uniform = 0;    ///< all values of all channels within one level of each other
    int num_gray = 0;       ///< mean 127.5 +- 2, deviation below 1.5
    int num_one_color = 0;  ///< see FrameLevels
    int num_still = 0;      ///< mean change from the previous frame below 1, largest change at most 16
    int num_equal = 0;      ///< equal to the previous frame in every value
    int brightest = 0;
    std::int64_t num_values = 0;
    std::int64_t num_zeros = 0;
    std::int64_t num_full = 0;  ///< 255

    void add(const FrameLevels& frame);
    void add(const FrameChange& change);
};

/// Whether the guard reported a fault that it did not heal during the run, before the frames were decoded.
enum class Evidence { none, open_alarm };

/// Returns the text of an error, or nullopt if there is none. A video in which nearly all frames are black or a single
/// gray is an error for any prompt, because only a broken decoder produces it; night scenes, fades and walls of one
/// color have more contrast. Other black or saturated videos are errors only with Evidence::open_alarm. Pure.
std::optional<std::string> broken_video(const VideoFacts& facts, Evidence evidence);

/// Returns at most one warning about a suspicious property that may be intended: the most serious one.
std::vector<Finding> find_in_video(const VideoFacts& facts);

}  // namespace kinescope
