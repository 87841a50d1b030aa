#pragma once

#include <QString>
#include <string_view>

namespace kinescope::ui {

/// The label of a request field: "num_inference_steps" -> "Steps". Unknown names are returned unchanged.
QString fieldName(std::string_view field);

}  // namespace kinescope::ui
