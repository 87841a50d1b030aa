#pragma once

#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// A VAE whose last convolution has nearly no weights, so that the frames show its bias.
Outcome run_empty_frames(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

/// A denoiser whose weights are all zero.
Outcome run_dead_denoiser(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
