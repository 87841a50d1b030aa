#pragma once

#include <QString>

#include "core/api/error.h"

namespace kinescope::ui {

/// Explains an error in the user's language, using its code and arguments. Uses the engine's English message only for
/// the reason why a request is refused.
QString errorMessage(const Error& error);

/// Returns an argument of an error, or an empty string if it has none of this name.
QString errorArgument(const Error& error, const char* name);

}  // namespace kinescope::ui
