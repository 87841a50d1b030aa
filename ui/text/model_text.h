#pragma once

#include <QString>

#include "core/api/localizable_message.h"

namespace kinescope::ui {

/// Why a model or component was recognized, or why not.
QString recognitionText(const LocalizableMessage& reason);

/// Why a component is missing, and which files would work.
QString missingText(const LocalizableMessage& missing);

}  // namespace kinescope::ui
