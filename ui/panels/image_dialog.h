#pragma once

#include <QString>

class QWidget;

namespace kinescope::ui {

/// Asks the user for an image file; empty if the user cancels. Opens in the folder of `current`.
QString askForImage(QWidget* parent, const QString& current);

}  // namespace kinescope::ui
