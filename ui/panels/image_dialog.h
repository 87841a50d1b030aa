#pragma once

#include <QString>

class QWidget;

namespace kinescope::ui {

/// Asks the user for an image file, starting in the folder of `current`. Returns an empty string if the user cancels.
QString askForImage(QWidget* parent, const QString& current);
/// The same for an image or a video.
QString askForImageOrVideo(QWidget* parent, const QString& current);

}  // namespace kinescope::ui
