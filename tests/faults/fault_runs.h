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
    fp8_nan,            ///< a byte 0x7F in a weight that is stored as float8_e4m3fn
    float32_overflow,   ///< finite weights whose product overflows even float32
    empty_frames,       ///< the VAE writes black or gray, which stops the run, or one flat color, which is a warning
    dead_denoiser,      ///< all weights are zero: the video remains noise, with a warning
    dead_encoder,       ///< all weights of a text or image encoder are zero: its input has no effect, with a warning
    underflowing_pair,  ///< one weight is much smaller, the next one larger by the same factor
    tiny_values,        ///< some values of a weight are much smaller than the others
    scaled_weight,      ///< a whole weight is smaller or larger without compensation
    cancelling_offset,  ///< a large offset that the next layer removes
};
const char* to_string(FaultKind kind);

/// The end of a run, compared with the float32 run of the same model.
enum class End {
    close,         ///< at least kHealedDb, without a report
    healed,        ///< healed, and at least kHealedDb
    healed_badly,  ///< healed, but less than kHealedDb: a wrong result
    warned,        ///< less than kHealedDb, with a warning
    stopped,       ///< the run ended with an error
    saturated,     ///< nothing to compare with: most float32 values are black or white, or the float32 run failed
    silent,        ///< less than kHealedDb without a report: a wrong result
};
constexpr int kNumEnds = 7;
const char* to_string(End end);
End end_of(const RunReport& run, const RunReport& float32);

/// The outcome of one planted fault.
struct Outcome {
    FaultKind kind = FaultKind::denoiser_overflow;
    std::string family;
    std::string planted;   ///< description of the fault
    std::string expected;  ///< step and site that the guard must name
    std::string reported;  ///< step and site that the guard named
    bool is_detected = false;
    bool has_right_end = false;  ///< healed to kHealedDb, or stopped with the right error
    End end = End::stopped;
    double psnr_db = 0;  ///< compared with the float32 run; 0 if the run stopped
};

inline constexpr double kHealedDb = 40.0;

/// Thrown if a tiny model has no weight that could produce the fault.
struct NothingDrawn : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Draws a fault of this kind, plants it in a copy of the family's model in `folder`, and runs the copy. A float32 run
/// with every op watched determines what the guard must report.
Outcome run_fault(FaultKind kind, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
