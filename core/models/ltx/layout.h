#pragma once

#include "core/models/discovery/layout_family.h"

namespace kinescope::ltx {

/// Returns how to read LTX-Video files in the original authors' layout.
LayoutFamily layout();

}  // namespace kinescope::ltx
