#pragma once

#include "core/models/discovery/layout_family.h"

namespace kinescope::cogvideox {

/// Returns how to read CogVideoX files in the layout of the original (SAT) release, and single files.
LayoutFamily layout();

}  // namespace kinescope::cogvideox
