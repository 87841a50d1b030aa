#pragma once

#include "core/models/layout_family.h"

namespace kinescope::cogvideox {

/// CogVideoX's files in the layout of the original (SAT) release, and single files.
LayoutFamily layout();

}  // namespace kinescope::cogvideox
