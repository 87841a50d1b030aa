#pragma once

#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/api/sentence.h"

namespace kinescope {

/// What a detector saw. Detectors are pure functions of samples; every comparison is written so that NaN trips it.
struct Finding {
    enum class Weight {
        warning,  ///< is written down
        raise,    ///< the op computes with more room from the next step on; nothing has been lost yet
    };
    std::string detector;  ///< "S1" .. "S11"
    NumericSample sample;  ///< where
    Sentence found;        ///< with the values
    Weight weight = Weight::warning;
};

using Samples = std::vector<NumericSample>;

/// "S1": encoders. "S2": a block or its stream. "S3": attention. "S4": inside of a feed-forward. "S5": velocity and
/// guidance. "S6": latents. "S8": VAE. "S9": frames.
std::string detector_of(const NumericSample& sample);

/// Shares of the float16 range at which a site is noted and at which its op is raised before it overflows.
inline constexpr double kHeadroomWarn = 0.25;
inline constexpr double kHeadroomRaise = 0.5;
/// S2, S3, S4, S8: what was computed in float16 and comes near its largest value.
std::vector<Finding> find_headroom(const Samples& samples);

/// Beyond this factor from one step to the next a site grows, if it is beyond kGrowthFloor at all.
inline constexpr double kGrowth = 8.0;
inline constexpr double kGrowthFloor = 64.0;
/// S2, S3, S4. `previous`: the samples of the step before; sites that were not looked at then are left out.
std::vector<Finding> find_growth(const Samples& previous, const Samples& samples);

/// S5: the velocity's deviation changes by more than this factor from one step to the next.
inline constexpr double kVelocityRatio = 10.0;
/// S5: both branches of guidance predict the same, relative to their size.
inline constexpr double kDeadGuidance = 1e-6;
std::vector<Finding> find_velocity(const Samples& previous, const Samples& samples);

/// S6: the latents' deviation grows by more than this factor in one step, when it is beyond kLatentsFloor.
inline constexpr double kLatentsJump = 4.0;
inline constexpr double kLatentsFloor = 4.0;
/// S6: a larger share of the latents did not change at all in a step.
inline constexpr double kUnchanged = 0.2;
/// S6: the latents' deviation ("latents.spread") is outside of these multiples of what the step's noise level makes
/// expect. The reference's runs of all families, even with random weights and guidance 6, lie between 0.76 and 4.8.
inline constexpr double kSpreadLeast = 0.2;
inline constexpr double kSpreadMost = 8.0;
std::vector<Finding> find_latents(const Samples& previous, const Samples& samples);

/// All that look at a step that is finite.
std::vector<Finding> find_in_step(const Samples& previous, const Samples& samples);

/// S1. What an encoder's output is like.
struct EmbeddingFacts {
    NumericSample sample;
    std::int64_t num_rows = 0;    ///< that are not all zero (padding)
    bool has_equal_rows = false;  ///< all of them are one and the same
    double cosine = 0;            ///< of prompt and negative prompt
    bool has_different_prompts = false;
};
inline constexpr double kSameEmbedding = 0.9999;
std::vector<Finding> find_embeddings(const EmbeddingFacts& facts);

/// S7. A part of an op, computed again in float32 on the CPU.
struct ShadowFacts {
    NumericSample sample;
    double relative_error = 0;  ///< largest difference / largest value of the reference
};
/// The error that rounding in a dtype explains, with room for the order of summation.
double shadow_tolerance(const std::string& dtype);
std::vector<Finding> find_shadow(const ShadowFacts& facts);

/// S11. A part of one product in 16 bits, beside the same in float32 from operands that were not narrowed.
struct RoundingFacts {
    NumericSample sample;
    double error = 0;     ///< sum of squares of the difference
    double size = 0;      ///< sum of squares of the float32 result
    double lost = 0;      ///< channels that underflow: an error that rounding does not explain, larger than 1 % of them
    double channels = 0;  ///< all of them
};
/// Beyond this share of lost channels, or where the error is less than so many decibels below the result, the op is
/// raised to float32 and computed again.
inline constexpr double kLostChannels = 0.005;
inline constexpr double kRoundingDb = 40.0;
std::vector<Finding> find_rounding(const RoundingFacts& facts);

/// S10. A tensor after quantisation to float8.
struct Float8Facts {
    NumericSample sample;
    double saturated = 0;  ///< share of values at the largest magnitude
    double zero = 0;       ///< share of values that became zero and were not
};
std::vector<Finding> find_float8(const Float8Facts& facts);

}  // namespace kinescope
