#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/frame.h"
#include "core/api/run_event.h"

namespace kinescope {

/// The runs of the guard demonstration, which makes the same video three times.
enum class GuardDemoRun {
    reference,  ///< in float32
    unguarded,  ///< in float16; the guard only observes
    guarded,    ///< in float16; the guard heals
};

/// The result of one run of the guard demonstration.
struct GuardDemoResult {
    std::string prompt = {};
    std::string site = {};  ///< the op that leaves the float16 range, e.g. "transformer.blocks.2.attn1.to_q"
    int exponent = 0;       ///< its weights are 2^exponent times those of the built-in model
    int num_steps = 0;      ///< number of denoising steps
    int fps = 0;            ///< of the video
    std::vector<FramePtr> frames = {};  ///< of the video; empty if the run failed
    std::vector<GuardActed> actions = {};
    std::vector<NumericSample> samples = {};  ///< statistics of that op, one per step and attempt
    std::optional<Error> error = {};          ///< why the run failed
    double seconds = 0;                       ///< of the whole run
};

}  // namespace kinescope
