#pragma once

#include <QString>
#include <QStringList>

#include "core/api/video_finish.h"

namespace kinescope::ui {

/// What the user chose to do with a finished video. Empty files leave a step out.
struct FinishChoice {
    QString video;  ///< a file or a folder of frames
    QString target = {};
    QString upscaler = {};
    QString interpolator = {};
    QString rate = QStringLiteral("x2");  ///< "x2": twice the frame rate; "60": 60 frames per second
    QString audio = {};
    double fadeIn = 0;   ///< seconds
    double fadeOut = 0;  ///< seconds
    AudioLength length = AudioLength::once;
    OverwriteMode overwrite = OverwriteMode::refuse;

    bool hasStep() const { return !upscaler.isEmpty() || !interpolator.isEmpty() || !audio.isEmpty(); }
};

/// The frame rates that the window offers, as FinishChoice::rate.
QStringList finishRates();

/// A free name beside the video, in the same format if it holds sound: "ball-finished.mp4".
QString freeFinishName(const QString& video);

FinishRequest finishRequest(const FinishChoice& choice);

}  // namespace kinescope::ui
