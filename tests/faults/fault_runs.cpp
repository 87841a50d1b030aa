#include "tests/faults/fault_runs.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

#include "tests/faults/frame_faults.h"
#include "tests/faults/overflow_faults.h"
#include "tests/faults/precision_faults.h"
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
        case FaultKind::dead_encoder:
            return "encoder whose weights are all zero";
        case FaultKind::underflowing_pair:
            return "pair of weights underflows";
        case FaultKind::tiny_values:
            return "tiny values in a weight";
        case FaultKind::scaled_weight:
            return "weight of another size";
        case FaultKind::cancelling_offset:
            return "offset that cancels";
    }
    return "";
}

const char* to_string(End end) {
    constexpr std::array<const char*, kNumEnds> kWords = {"close",   "healed",    "healed badly", "warned",
                                                          "stopped", "saturated", "silent"};
    return kWords[static_cast<std::size_t>(end)];
}

namespace {

bool is_saturated(const Tensor& frames) {
    constexpr double kMost = 0.5;
    const Tensor extreme = at::logical_or(frames <= 0, frames >= 1);
    return extreme.to(at::kFloat).mean().item<double>() > kMost;
}

}  // namespace

End end_of(const RunReport& run, const RunReport& float32) {
    if (run.error) return End::stopped;
    if (!float32.frames.defined() || is_saturated(float32.frames)) return End::saturated;
    const bool is_close = psnr_db(run.frames, float32.frames) >= kHealedDb;
    const bool is_silent = run.acts.empty() && run.warnings.empty();
    if (is_close) return is_silent ? End::close : End::healed;
    if (!run.warnings.empty()) return End::warned;
    return is_silent ? End::silent : End::healed_badly;
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
        case FaultKind::dead_encoder:
            return run_dead_encoder(outcome, family, draw, folder);
        case FaultKind::underflowing_pair:
        case FaultKind::tiny_values:
        case FaultKind::scaled_weight:
        case FaultKind::cancelling_offset:
            return run_precision_fault(outcome, family, draw, folder);
    }
    return outcome;
}

}  // namespace kinescope::faults
