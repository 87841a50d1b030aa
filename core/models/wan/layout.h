#pragma once

#include "core/models/discovery/layout_family.h"

namespace kinescope::wan {

/// Returns how to read Wan files in the original authors' and ComfyUI's layouts.
LayoutFamily layout();

}  // namespace kinescope::wan
