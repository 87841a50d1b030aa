#pragma once

#include <QString>

#include "core/api/localizable_message.h"

namespace kinescope::ui {

/// Explains why a model or component was recognized, or why it was not.
QString recognitionText(const LocalizableMessage& reason);

/// Explains why a component is missing, and which files would work.
QString missingText(const LocalizableMessage& missing);

}  // namespace kinescope::ui
