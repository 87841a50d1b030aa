#pragma once

#include <QDate>
#include <QDir>
#include <QSize>
#include <QStringList>
#include <QTime>
#include <cstdint>
#include <functional>

namespace kinescope::ui {

/// The values of the placeholders in a file name pattern.
struct OutputNameParts {
    QDate date;
    QString prompt;
    std::int64_t seed = 0;
    QTime time = {};
    QString model = {};
    QSize size = {};
    int frames = 0;
    int number = 1;  ///< for {n}
};

/// The file name without extension. `pattern` contains placeholders of nameTokens(); {prompt:32} is the prompt cut to
/// 32 characters. Unknown placeholders stay. Runs of characters that file systems may refuse become one "-".
QString outputName(const OutputNameParts& parts, const QString& pattern = QStringLiteral("{date}-{prompt:32}-{seed}"));

/// All placeholders: "{date}", "{time}", "{prompt:n}" ...
QStringList nameTokens();
/// The unknown placeholders of a pattern.
QStringList unknownTokens(const QString& pattern);

/// `name`, or the first of name-2, name-3 and so on that is not taken.
QString freeName(const QString& name, const std::function<bool(const QString&)>& isTaken);

/// A path in `folder` without extension for which no file with any of the extensions exists. Appends -2, -3 and so on
/// if needed.
QString freeStem(const QDir& folder, const QString& name, const QStringList& endings);

}  // namespace kinescope::ui
