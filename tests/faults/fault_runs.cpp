#include "tests/faults/fault_runs.h"

#include "tests/faults/frame_faults.h"
#include "tests/faults/overflow_faults.h"
#include "tests/faults/weight_faults.h"

namespace kinescope::faults {

const char* to_string(FaultKind kind) {
    switch (kind) {
        case FaultKind::denoiser_overflow:
            return "denoiser overflows float16";
        case FaultKind::growing_stream:
            return "stream grows from step to step";
        case FaultKind::vae_overflow:
            return "VAE overflows float16";
        case FaultKind::text_encoder_overflow:
            return "text encoder overflows float16";
        case FaultKind::nan_in_weight:
            return "NaN in a weight";
        case FaultKind::inf_in_weight:
            return "Inf in a weight";
        case FaultKind::fp8_nan:
            return "NaN in a float8 weight";
        case FaultKind::float32_overflow:
            return "float32 overflows, too";
        case FaultKind::empty_frames:
            return "VAE writes frames without a picture";
        case FaultKind::dead_denoiser:
            return "denoiser whose weights are all zero";
    }
    return "";
}

Outcome run_fault(FaultKind kind, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    Outcome outcome{.kind = kind, .family = family.name};
    switch (kind) {
        case FaultKind::denoiser_overflow:
            return run_overflow(outcome, family, any_of(denoisers(family), draw), draw, folder);
        case FaultKind::growing_stream:
            return run_growth(outcome, family, draw, folder);
        case FaultKind::vae_overflow:
            return run_overflow(outcome, family, "vae", draw, folder);
        case FaultKind::text_encoder_overflow:
            return run_overflow(outcome, family, "text_encoder", draw, folder);
        case FaultKind::nan_in_weight:
        case FaultKind::inf_in_weight:
        case FaultKind::fp8_nan:
            return run_damaged_weight(outcome, family, draw, folder);
        case FaultKind::float32_overflow:
            return run_float32_overflow(outcome, family, draw, folder);
        case FaultKind::empty_frames:
            return run_empty_frames(outcome, family, draw, folder);
        case FaultKind::dead_denoiser:
            return run_dead_denoiser(outcome, family, draw, folder);
    }
    return outcome;
}

}  // namespace kinescope::faults
