#pragma once

#include <QString>

#include "core/api/error.h"

namespace kinescope::ui {

/// What happened and what helps, in the window's language: told by the error's code and its values. The engine's own
/// line is not read.
QString errorSentence(const Error& error);

}  // namespace kinescope::ui
