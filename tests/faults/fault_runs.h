#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/tiny_run.h"

namespace kinescope::faults {

enum class FaultKind {
    denoiser_overflow,
    growing_stream,
    vae_overflow,
    text_encoder_overflow,
    nan_in_weight,
    inf_in_weight,
    fp8_nan,           ///< a byte 0x7F in a weight that is stored as float8_e4m3fn
    float32_overflow,  ///< finite weights whose product is beyond float32, too
    empty_frames,      ///< a VAE that writes black or grey, which stops the run, or one flat colour, which is a warning
    dead_denoiser,     ///< all weights are zero: the video stays noise, with a warning
    underflowing_pair,  ///< a weight far smaller, the next one as much larger
    tiny_values,        ///< values among others that are far larger
    scaled_weight,      ///< a whole weight is smaller or larger, and nothing makes up for it
    cancelling_offset,  ///< a large offset that the next layer takes off
};
const char* to_string(FaultKind kind);

/// How a run ended beside the float32 run of the same model.
enum class End {
    close,         ///< nothing was said, and at least kHealedDb
    healed,        ///< healed to at least kHealedDb
    healed_badly,  ///< healed, and less than that: wrong
    warned,        ///< less, and a warning says that something is amiss
    stopped,       ///< with a reason
    as_without,    ///< less, as without the fault: the tiny model itself comes no closer in this type
    saturated,     ///< most of the float32 frames are black or white, or there are none: nothing to be compared with
    silent,        ///< less, and not a word: wrong
};
constexpr int kNumEnds = 8;
const char* to_string(End end);
End end_of(const RunReport& run, const RunReport& float32);

/// What became of one planted fault.
struct Outcome {
    FaultKind kind = FaultKind::denoiser_overflow;
    std::string family;
    std::string planted;   ///< where, in words
    std::string expected;  ///< step and site that the guard must name
    std::string reported;  ///< those that it named
    bool is_detected = false;
    bool has_right_end = false;  ///< healed to kHealedDb, or stopped with the right reason
    End end = End::stopped;
    double psnr_db = 0;  ///< against the float32 run; 0: stopped
};

inline constexpr double kHealedDb = 40.0;

/// A tiny model has no weight whose growth would make that fault.
struct NothingDrawn : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Draws a fault of that kind, plants it into a copy of the family's model in `folder`, and runs it. What must be
/// reported comes from a float32 run in which every op was looked at.
Outcome run_fault(FaultKind kind, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
