#pragma once

#include <QString>
#include <string_view>

namespace kinescope::ui {

/// Returns the label of a request field: "num_inference_steps" -> "Steps". Returns unknown names unchanged.
QString fieldName(std::string_view field);

}  // namespace kinescope::ui
