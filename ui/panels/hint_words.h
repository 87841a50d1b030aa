#pragma once

#include <QString>

#include "ui/models/request_hints.h"

namespace kinescope::ui {

/// The text of a hint, and the label of the link after it. An empty label means that there is no link.
struct HintText {
    QString message;
    QString fix;
};
HintText hintText(const RequestHint& hint, const ModelCard& card);

}  // namespace kinescope::ui
