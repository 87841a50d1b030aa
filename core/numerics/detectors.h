#pragma once

#include <string>
#include <vector>

#include "core/api/detector.h"
#include "core/api/localizable_message.h"
#include "core/api/numeric_sample.h"

namespace kinescope {

/// A suspicious property that a detector reports. Detectors are pure functions of samples. Their comparisons are
/// written so that NaN leads to a finding.
struct Finding {
    enum class Weight {
        warning,          ///< only reported
        raise,            ///< the op is raised from the next step on; no value is damaged yet
        avoided,          ///< the loader kept the weight in `instead`, so no value is damaged
        doubt,            ///< not reported; the guard compares the result of the step with float32
        raise_component,  ///< raising the op alone would not help, so the whole component is raised
    };
    Detector detector = Detector::block;
    NumericSample sample = {};      ///< the site and its statistics
    LocalizableMessage found = {};  ///< the description
    Weight weight = Weight::warning;
    ComputePrecision instead = {};  ///< the precision in which the weight was kept; only for Weight::avoided
};

using Samples = std::vector<NumericSample>;

/// Returns the detector that is responsible for a site: S1 and S8 by phase, S2 to S6 by kind.
Detector detector_of(const NumericSample& sample);

/// Shares of the float16 range: above the first, a site is reported; above the second, its op is raised before it
/// overflows.
inline constexpr double kHeadroomWarn = 0.25;
inline constexpr double kHeadroomRaise = 0.5;
/// Finds values computed in float16 that approach its limit (S2, S3, S4, S8).
std::vector<Finding> find_headroom(const Samples& samples);

/// Returns the samples with which the next step is to be compared: those of this step and, if its prediction was reused
/// so that no block ran, those of the last computed step at all other sites. `previous`: the result for the step
/// before.
Samples comparable_with_next(Samples previous, Samples samples);

/// Limits of detectors S2, S3 and S4: find_growth reports a site whose largest value exceeds kGrowthFloor and grows by
/// more than the factor kGrowth from one computed step to the next. Skips sites without a sample in `previous`, see
/// comparable_with_next.
inline constexpr double kGrowth = 8.0;
inline constexpr double kGrowthFloor = 64.0;
std::vector<Finding> find_growth(const Samples& previous, const Samples& samples);

/// Limit of detector S5: the factor by which the standard deviation of the prediction may change from one step to the
/// next.
inline constexpr double kVelocityRatio = 10.0;
/// Limit of detector S5: the relative difference up to which both branches of guidance count as equal.
inline constexpr double kDeadGuidance = 1e-6;
std::vector<Finding> find_velocity(const Samples& previous, const Samples& samples);

/// Limits of detector S6: a finding if the standard deviation of the latents exceeds kLatentsFloor and grows by more
/// than the factor kLatentsJump in one step.
inline constexpr double kLatentsJump = 4.0;
inline constexpr double kLatentsFloor = 4.0;
/// Limit of detector S6: the share of the latents that a step may leave unchanged.
inline constexpr double kUnchanged = 0.2;
/// Limits of detector S6 for the standard deviation of the latents, relative to the one expected at the step's noise
/// level. Reference runs of all families, including runs with random weights and guidance 6, lie between 0.76 and 4.8.
inline constexpr double kSpreadLeast = 0.2;
inline constexpr double kSpreadMost = 8.0;
std::vector<Finding> find_latents(const Samples& previous, const Samples& samples);

/// Runs all detectors that check a step whose values are finite.
std::vector<Finding> find_in_step(const Samples& previous, const Samples& samples);

/// What an encoder has read. An empty text has embeddings, too, because every tokenizer adds an end token.
enum class EncoderInput { text, image };

/// Properties of an encoder's output (S1).
struct EmbeddingFacts {
    NumericSample sample = {};
    EncoderInput input = EncoderInput::text;
    std::int64_t num_rows = 0;           ///< number of rows that are not all zero (padding)
    bool has_equal_rows = false;         ///< whether all those rows are equal up to kEqualRows
    double cosine = 0;                   ///< between prompt and negative prompt
    bool has_different_prompts = false;  ///< whether the two prompts differ as text
};
/// Limit of detector S1: the difference between rows, relative to the largest value, up to which they count as equal.
inline constexpr double kEqualRows = 1e-6;
inline constexpr double kSameEmbedding = 0.9999;
std::vector<Finding> find_embeddings(const EmbeddingFacts& facts);

/// The comparison of a part of an op with the same part computed in float32 on the CPU (S7).
struct ShadowFacts {
    NumericSample sample = {};
    double relative_error = 0;  ///< largest difference / largest value of the computation on the CPU
};
/// Returns the largest relative error that rounding in a dtype and another order of summation can explain.
double shadow_tolerance(ElementType dtype);
std::vector<Finding> find_shadow(const ShadowFacts& facts);

/// The comparison of a part of a 16-bit product with the same product in float32, whose operands are not rounded to 16
/// bits (S11).
struct RoundingFacts {
    NumericSample sample = {};
    double error = 0;      ///< sum of squares of the difference
    double size = 0;       ///< sum of squares of the float32 result
    double lost = 0;       ///< channels with an error above 1 % that rounding does not explain: they underflow
    double channels = 0;   ///< all channels; 0: `error` is the expected effect of rounding before the op
    double inherited = 0;  ///< the part of `error` that comes from rounding before the op, if `channels` is not 0
};
/// Limits of detector S11: if the share of channels that underflow is higher than kLostChannels, or the error is less
/// than kRoundingDb below the result, the op is raised to float32 and computed again. If only the inherited part of the
/// error leads to this, and the error is not below RoundingLimits::trust, the step is compared with float32 instead.
inline constexpr double kLostChannels = 0.005;
inline constexpr double kRoundingDb = 40.0;

/// Ratios of a result to its error, in dB. bfloat16 has 18 dB less than float16.
struct RoundingLimits {
    double doubt = 0;   ///< below it, the result of the step is compared with float32
    double trust = 0;   ///< if less of that result agrees, the whole component is raised
    double steady = 0;  ///< if less agrees, later steps may agree less, which is a warning
    /// Below it, rounding before the op decides its result, and the whole component is raised. Only the op is raised if
    /// it is the attention of a text encoder, because that contains the projections of its queries and keys; above the
    /// limit, its result is not compared with float32, in which a large text encoder would not fit.
    double sensitive = 0;
    double float32 = 0;  ///< below it, even float32 keeps too few digits, which is a warning
};
/// Runs without a fault: ops of at least 62 and 45 dB (float16 and bfloat16), predictions after guidance of at least 48
/// and 34 dB.
RoundingLimits rounding_limits(ElementType dtype);
std::vector<Finding> find_rounding(const RoundingFacts& facts);

/// The effect of quantizing a weight to float8 (S10).
struct Float8Facts {
    NumericSample sample = {};
    double saturated = 0;  ///< share of values at the largest magnitude
    double zero = 0;       ///< share of values that became zero
};
std::vector<Finding> find_float8(const Float8Facts& facts);

}  // namespace kinescope
