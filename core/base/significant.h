#pragma once

#include <string>

namespace kinescope {

/// Formats `value` with at most `digits` significant digits, like printf's %g: "0.0123", "1.5e-07", "nan".
std::string significant(double value, int digits);

}  // namespace kinescope
