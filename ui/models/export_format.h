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

/// Returns the ids of the formats to which a video can be exported, the suggested one first.
QStringList exportFormats(const QString& video);
/// Returns the display name of a format, such as "MP4 (H.264)", or "Original (MP4)" for kOriginalFormat.
QString exportFormatName(const QString& format, const QString& video);
/// Returns the file extension with its dot, or an empty string for a folder of PNG frames.
QString exportEnding(const QString& format, const QString& video);

/// Returns the format for a file name that the user typed: `format` if the extension fits it or is unknown, otherwise
/// the first format with this extension.
QString formatOfName(const QString& name, const QString& format, const QString& video);
/// Returns `name` with the extension of `format`.
QString nameInFormat(const QString& name, const QString& format, const QString& video);
/// Returns an unused path in `folder` for a copy of `video`.
QString freeExportName(const QString& folder, const QString& format, const QString& video);
/// Returns the filters of a file dialog, such as "GIF (*.gif)". The filter of `format` is the first.
QString exportFilter(const QString& format, const QString& video);

/// Returns the default quality of a format, or nullopt if it has no quality setting.
std::optional<int> exportCrf(const QString& format);

ExportRequest exportRequest(const ExportChoice& choice);

}  // namespace kinescope::ui
