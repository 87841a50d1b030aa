#pragma once

#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Runs a VAE whose last convolution has tiny weights, so that the frames show its bias.
Outcome run_empty_frames(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

/// Runs a model with a denoiser whose weights are all zero.
Outcome run_dead_denoiser(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);
/// Runs a model with a text or image encoder whose weights are all zero.
Outcome run_dead_encoder(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
