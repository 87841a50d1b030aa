#pragma once

#include "core/api/engine.h"

namespace kinescope::testing {

/// Returns fake models in every state: the built-in one, a complete one, one without text encoder, a truncated file,
/// and an unknown model.
std::vector<ModelCard> studyCards();
/// Returns the description of a fake model. Throws Error(checkpoint_truncated) for the truncated file.
CheckpointDescription studyDescription(const std::filesystem::path& path);
/// Returns the report for a GPU with a failed check that has a workaround, and a CPU.
DoctorReport studyReport();

}  // namespace kinescope::testing
