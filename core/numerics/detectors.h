#pragma once

#include <string>
#include <vector>

#include "core/api/detector.h"
#include "core/api/localizable_message.h"
#include "core/api/numeric_sample.h"

namespace kinescope {

/// Something that a detector reports. Detectors are pure functions of samples. Their comparisons are written so that
/// NaN leads to a finding.
struct Finding {
    enum class Weight {
        warning,  ///< only reported
        raise,    ///< the op is raised from the next step on; no value is damaged yet
        avoided,  ///< the loader kept the weight in `instead`, so no value is damaged
    };
    Detector detector = Detector::block;
    NumericSample sample = {};      ///< the site and its statistics
    LocalizableMessage found = {};  ///< the description
    Weight weight = Weight::warning;
    ComputePrecision instead = {};  ///< with Weight::avoided
};

using Samples = std::vector<NumericSample>;

/// Returns the detector that is responsible for a site: S1 and S8 by phase, S2 to S6 by kind.
Detector detector_of(const NumericSample& sample);

/// Shares of the float16 range at which a site is reported, and at which its op is raised before it overflows.
inline constexpr double kHeadroomWarn = 0.25;
inline constexpr double kHeadroomRaise = 0.5;
/// S2, S3, S4, S8: values computed in float16 approach its limit.
std::vector<Finding> find_headroom(const Samples& samples);

/// S2, S3, S4: the largest value of a site exceeds kGrowthFloor and grows by more than kGrowth from one step to the
/// next. `previous`: the samples of the step before; sites without a sample there are skipped.
inline constexpr double kGrowth = 8.0;
inline constexpr double kGrowthFloor = 64.0;
std::vector<Finding> find_growth(const Samples& previous, const Samples& samples);

/// S5: the deviation of the prediction changes by more than this factor from one step to the next.
inline constexpr double kVelocityRatio = 10.0;
/// S5: the relative difference up to which both branches of guidance count as equal.
inline constexpr double kDeadGuidance = 1e-6;
std::vector<Finding> find_velocity(const Samples& previous, const Samples& samples);

/// S6: the deviation of the latents exceeds kLatentsFloor and grows by more than kLatentsJump in one step.
inline constexpr double kLatentsJump = 4.0;
inline constexpr double kLatentsFloor = 4.0;
/// S6: a step leaves more than this share of the latents unchanged.
inline constexpr double kUnchanged = 0.2;
/// S6: limits for the deviation of the latents, relative to the deviation expected at the step's noise level. Reference
/// runs of all families, even with random weights and guidance 6, lie between 0.76 and 4.8.
inline constexpr double kSpreadLeast = 0.2;
inline constexpr double kSpreadMost = 8.0;
std::vector<Finding> find_latents(const Samples& previous, const Samples& samples);

/// Runs all detectors for a step whose values are finite.
std::vector<Finding> find_in_step(const Samples& previous, const Samples& samples);

/// Properties of an encoder's output (S1).
struct EmbeddingFacts {
    NumericSample sample = {};
    std::int64_t num_rows = 0;           ///< number of rows that are not all zero (padding)
    bool has_equal_rows = false;         ///< all those rows are equal
    double cosine = 0;                   ///< between prompt and negative prompt
    bool has_different_prompts = false;  ///< their texts differ
};
inline constexpr double kSameEmbedding = 0.9999;
std::vector<Finding> find_embeddings(const EmbeddingFacts& facts);

/// The comparison of a part of an op with its second computation in float32 on the CPU (S7).
struct ShadowFacts {
    NumericSample sample = {};
    double relative_error = 0;  ///< largest difference / largest value of the second computation
};
/// Returns the largest relative error that rounding in a dtype and another order of summation can explain.
double shadow_tolerance(ElementType dtype);
std::vector<Finding> find_shadow(const ShadowFacts& facts);

/// The comparison of a part of a 16-bit product with the same product in float32, whose operands are not rounded to
/// 16 bits (S11).
struct RoundingFacts {
    NumericSample sample = {};
    double error = 0;     ///< sum of squares of the difference
    double size = 0;      ///< sum of squares of the float32 result
    double lost = 0;      ///< channels with an error above 1 % that rounding does not explain: they underflow
    double channels = 0;  ///< all channels
};
/// If more than kLostChannels of the channels underflow, or the error is less than kRoundingDb below the result, the op
/// is raised to float32 and computed again.
inline constexpr double kLostChannels = 0.005;
inline constexpr double kRoundingDb = 40.0;
std::vector<Finding> find_rounding(const RoundingFacts& facts);

/// A weight after quantization to float8 (S10).
struct Float8Facts {
    NumericSample sample = {};
    double saturated = 0;  ///< share of values at the largest magnitude
    double zero = 0;       ///< share of values that became zero
};
std::vector<Finding> find_float8(const Float8Facts& facts);

}  // namespace kinescope
