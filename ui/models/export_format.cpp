#include "ui/models/export_format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <algorithm>

#include "ui/models/export_name.h"
#include "ui/models/output_format.h"
#include "ui/models/output_name.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ExportFormat)
};

bool isOriginal(const QString& format) {
    return format == QLatin1String(kOriginalFormat);
}

/// Returns the libavcodec encoder of a format. It is never empty for H.264, because a request without an encoder copies
/// a file whose extension does not change.
std::string codecOf(const QString& format) {
    const OutputFormat& known = outputFormat(format);
    const bool isH264 = *known.codec == '\0' && known.crfMost > 0;
    return isH264 ? "libx264" : known.codec;
}

}  // namespace

QStringList exportFormats(const QString& video) {
    QStringList formats;
    if (!QFileInfo(video).isDir()) formats << QLatin1String(kOriginalFormat);
    for (const OutputFormat& format : kOutputFormats) formats << QLatin1String(format.id);
    return formats;
}

QString exportFormatName(const QString& format, const QString& video) {
    if (isOriginal(format)) return Tr::tr("Original (%1)").arg(QFileInfo(video).suffix().toUpper());
    static const QHash<QString, QString> names{{QStringLiteral("h264"), QStringLiteral("MP4 (H.264)")},
                                               {QStringLiteral("h265"), QStringLiteral("MP4 (H.265)")},
                                               {QStringLiteral("prores"), QStringLiteral("MOV (ProRes)")},
                                               {QStringLiteral("webm"), QStringLiteral("WebM (VP9)")},
                                               {QStringLiteral("mkv"), QStringLiteral("MKV (H.264)")},
                                               {QStringLiteral("gif"), QStringLiteral("GIF")}};
    return names.value(format, Tr::tr("PNG images"));
}

QString exportEnding(const QString& format, const QString& video) {
    if (isOriginal(format)) return QLatin1Char('.') + QFileInfo(video).suffix();
    return QLatin1String(outputFormat(format).ending);
}

QString formatOfName(const QString& name, const QString& format, const QString& video) {
    const QString ending = QLatin1Char('.') + QFileInfo(name).suffix().toLower();
    if (exportEnding(format, video).compare(ending, Qt::CaseInsensitive) == 0) return format;
    const QStringList formats = exportFormats(video);
    const auto fitting = std::find_if(formats.begin(), formats.end(), [&](const QString& other) {
        return exportEnding(other, video).compare(ending, Qt::CaseInsensitive) == 0;
    });
    return fitting == formats.end() ? format : *fitting;
}

QString nameInFormat(const QString& name, const QString& format, const QString& video) {
    return withoutMediaEnding(name) + exportEnding(format, video);
}

QString freeExportName(const QString& folder, const QString& format, const QString& video) {
    const QString ending = exportEnding(format, video);
    const QString name = withoutMediaEnding(QFileInfo(video).fileName());
    return freeStem(QDir(folder), name, {ending}) + ending;
}

QString exportFilter(const QString& format, const QString& video) {
    QStringList formats = exportFormats(video);
    formats.removeAll(format);
    formats.prepend(format);
    QStringList filters;
    for (const QString& id : formats) {
        const QString ending = exportEnding(id, video);
        if (!ending.isEmpty()) filters << QStringLiteral("%1 (*%2)").arg(exportFormatName(id, video), ending);
    }
    return filters.join(QStringLiteral(";;"));
}

std::optional<int> exportCrf(const QString& format) {
    if (isOriginal(format) || outputFormat(format).crfMost == 0) return std::nullopt;
    return outputFormat(format).crf;
}

ExportRequest exportRequest(const ExportChoice& choice) {
    ExportRequest request;
    request.video = choice.video.toStdU16String();
    request.output.file = choice.target.toStdU16String();
    request.output.overwrite = choice.overwrite;
    if (isOriginal(choice.format)) return request;
    request.output.settings = choice.settings;
    request.output.codec = codecOf(choice.format);
    if (exportCrf(choice.format)) request.output.crf = choice.crf ? choice.crf : exportCrf(choice.format);
    return request;
}

}  // namespace kinescope::ui
