#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/guard_demo.h"

namespace kinescope::ui {

/// What the guard demonstration shows.
struct GuardDemoStory {
    std::string site = {};  ///< the op that leaves the fp16 range
    int exponent = 0;       ///< see GuardDemoResult
    double needed = 0;      ///< largest value of the op in float32
    int numSteps = 0;
    std::optional<GuardActed> firstBad = {};  ///< what the run without the guard recorded first
    std::vector<GuardActed> repairs = {};     ///< of the run with the guard
    double repairSeconds = 0;                 ///< of the attempts that the guard discarded
    double psnrDb = 0;                        ///< of the video with the guard, from float32; infinite if they are equal
};

/// Summarizes the results of the three runs. Pure function.
GuardDemoStory guardDemoStory(const GuardDemoResult& unguarded, const GuardDemoResult& guarded,
                              const GuardDemoResult& reference);

/// Returns the PSNR of 8-bit frames in dB: infinite for equal frames, 0 if the clips differ in length or size.
double psnrDb(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b);

}  // namespace kinescope::ui
