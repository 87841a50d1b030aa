#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/compute_precision.h"

namespace kinescope {

enum class Phase { load, encode, denoise, decode, save };

/// Returns the enumerator's name, as in the numeric log.
std::string to_string(Phase phase);
/// Converts a name to its phase. Returns nullopt for any other text.
std::optional<Phase> phase_from(std::string_view name);

/// The kind of values at a site. Detectors use it to select the sites that they check.
enum class SiteKind {
    block,              ///< a block's output, or a site to which no other kind applies
    attention,          ///< an attention layer or an op inside it
    feed_forward,       ///< an op inside a feed-forward layer
    prediction,         ///< the model's prediction, after guidance
    guidance,           ///< relative difference between the predictions with and without the prompt, one value
    latents,            ///< the latents after a step
    latents_spread,     ///< their standard deviation divided by that expected at the step's noise level, one value
    latents_unchanged,  ///< the share of the latents that the step did not change, one value
};

/// Statistics of one tensor. If nan + inf > 0, the other values describe its finite elements only.
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

/// One `stat` record of the numeric log: the statistics of the tensor at a named site.
struct NumericSample {
    Phase phase = Phase::denoise;
    int step = 0;           ///< 0-based; 0 outside the denoising loop
    int attempt = 0;        ///< 0 for the first attempt at a step
    std::string branch;     ///< "cond", "uncond", "skip", or empty
    std::string component;  ///< "transformer", "vae", "text_encoder" ...
    std::string site;       ///< e.g. "blocks.12.attn1", "latents"
    SiteKind kind = SiteKind::block;
    ComputePrecision precision;  ///< precision in which the values were computed
    TensorStats stats;
    double headroom_stops = 0;  ///< log2(largest value of the dtype / max_abs)

    /// Returns true if no value is NaN or infinite.
    bool is_finite() const { return stats.nan + stats.inf == 0; }
};

}  // namespace kinescope
