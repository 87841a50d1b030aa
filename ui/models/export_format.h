#pragma once

#include <QStringList>
#include <optional>

#include "core/api/video_export.h"

namespace kinescope::ui {

/// The format that copies the file unchanged.
inline constexpr auto kOriginalFormat = "original";

/// What the user chose to export.
struct ExportChoice {
    QString video;        ///< a file or a folder of frames
    QString format;       ///< kOriginalFormat or the id of an OutputFormat
    QString target = {};  ///< file, or folder for PNG frames
    std::optional<int> crf = {};
    SettingsInFile settings = SettingsInFile::kept;  ///< not for kOriginalFormat
    OverwriteMode overwrite = OverwriteMode::refuse;
};

/// The ids of the formats to which a video can be exported, the suggested one first.
QStringList exportFormats(const QString& video);
/// "MP4 (H.264)"; for kOriginalFormat "Original (MP4)".
QString exportFormatName(const QString& format, const QString& video);
/// The extension with the dot; empty: a folder of PNG frames.
QString exportEnding(const QString& format, const QString& video);

/// The format for a typed name: `format` if the extension fits it or is unknown, otherwise the first one with the
/// extension.
QString formatOfName(const QString& name, const QString& format, const QString& video);
/// `name` with the extension of `format`.
QString nameInFormat(const QString& name, const QString& format, const QString& video);
/// A name in the folder `folder` that is not taken, for a copy of `video`.
QString freeExportName(const QString& folder, const QString& format, const QString& video);
/// The filter of a file dialog: "GIF (*.gif)", the format of the choice first.
QString exportFilter(const QString& format, const QString& video);

/// The default quality of a format; nullopt: it has no quality setting.
std::optional<int> exportCrf(const QString& format);

ExportRequest exportRequest(const ExportChoice& choice);

}  // namespace kinescope::ui
