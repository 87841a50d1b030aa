#pragma once

#include "core/models/discovery/layout_family.h"

namespace kinescope::svd {

/// Returns how to read files of Stable Video Diffusion: the original (sgm) single file, and files of single components.
LayoutFamily layout();

}  // namespace kinescope::svd
