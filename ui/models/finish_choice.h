#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include "core/api/video_finish.h"

namespace kinescope::ui {

/// What the user chose to do with a finished video. Empty files leave a step out.
struct FinishChoice {
    QString video;  ///< a file or a folder of frames
    QString target = {};
    QString upscaler = {};
    int factor = 0;  ///< of the size; 0: that of the upscaler
    QString interpolator = {};
    QString rate = QStringLiteral("x2");  ///< "x2": twice the frame rate; "60": 60 frames per second
    QString audio = {};
    double audioStart = 0;  ///< seconds of the audio that are left out
    double fadeIn = 0;      ///< seconds
    double fadeOut = 0;     ///< seconds
    AudioLength length = AudioLength::once;
    OverwriteMode overwrite = OverwriteMode::refuse;

    bool hasStep() const { return !upscaler.isEmpty() || !interpolator.isEmpty() || !audio.isEmpty(); }
};

/// The factors of the size that the window offers, as FinishChoice::factor.
QList<int> finishFactors();

/// The frame rates that the window offers, as FinishChoice::rate.
QStringList finishRates();

/// A free name beside the video, in the same format if it holds sound: "ball-finished.mp4".
QString freeFinishName(const QString& video);

/// Returns the file for a name that the user typed: in `folder` if the name has no folder, and with the extension of
/// freeFinishName() if it has none of a media format, because a name without extension means a folder of frames.
QString finishTarget(const QString& typed, const QString& folder, const QString& video);

FinishRequest finishRequest(const FinishChoice& choice);

}  // namespace kinescope::ui
