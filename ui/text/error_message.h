#pragma once

#include <QString>

#include "core/api/error.h"

namespace kinescope::ui {

/// Explains an error in the user's language, using its code and arguments. Uses the engine's English message only for
/// the reason why a request is refused.
QString errorMessage(const Error& error);

}  // namespace kinescope::ui
