#pragma once

#include <QString>

#include "core/api/error.h"

namespace kinescope::ui {

/// Explains an error in the user's language, using its code and arguments. The engine's English message is not used.
QString errorMessage(const Error& error);

}  // namespace kinescope::ui
