#pragma once

#include "core/api/engine.h"

namespace kinescope::testing {

/// Models of the fake engine in every state: the built-in one, one that is ready, one without its text encoder, one
/// whose file ends early, one that nobody knows.
std::vector<ModelCard> studyCards();
/// Throws Error(checkpoint_truncated) for the one whose file ends early.
CheckpointDescription studyDescription(const std::filesystem::path& path);
/// A graphics card with a failed check that has a way around, and a CPU.
DoctorReport studyReport();

}  // namespace kinescope::testing
