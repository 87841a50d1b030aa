#pragma once

#include "core/models/layout_family.h"

namespace kinescope::wan {

/// Wan's files in the original authors' and ComfyUI's layouts.
LayoutFamily layout();

}  // namespace kinescope::wan
