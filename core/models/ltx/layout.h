#pragma once

#include "core/models/discovery/layout_family.h"

namespace kinescope::ltx {

/// The original authors' files.
LayoutFamily layout();

}  // namespace kinescope::ltx
