#pragma once

#include <QString>
#include <string_view>

namespace kinescope::ui {

/// A field of a request as the window calls it: "num_inference_steps" -> "Steps". A name that is not known is shown as
/// it is.
QString fieldName(std::string_view field);

}  // namespace kinescope::ui
