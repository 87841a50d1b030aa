#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

enum class Phase { load, encode, denoise, decode, save };

std::string to_string(Phase phase);

/// Statistics of one tensor. With nan + inf > 0 the other values are those of its finite elements.
struct TensorStats {
    std::int64_t count = 0;
    double min = 0;
    double max = 0;
    double max_abs = 0;
    double mean = 0;
    double std = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
};

/// One `stat` record of the numeric log: what was seen at a named site.
struct NumericSample {
    Phase phase = Phase::denoise;
    int step = 0;           ///< 0-based; 0 outside of the denoise loop
    int attempt = 0;        ///< 0 for the first try of a step
    std::string branch;     ///< "cond", "uncond", or empty
    std::string component;  ///< "transformer", "vae", "text_encoder" ...
    std::string site;       ///< e.g. "blocks.12.attn1", "latents"
    std::string dtype;      ///< it was computed in: "float32", "bfloat16", "float16", "float16 scaled"
    TensorStats stats;
    double headroom_stops = 0;  ///< log2(largest value of dtype / max_abs)
};

}  // namespace kinescope
