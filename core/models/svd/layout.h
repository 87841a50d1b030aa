#pragma once

#include "core/models/layout_family.h"

namespace kinescope::svd {

/// Stable Video Diffusion's files: the original (sgm) single file, and single parts.
LayoutFamily layout();

}  // namespace kinescope::svd
