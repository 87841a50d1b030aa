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
    std::uint64_t seed = 0;
    QTime time = {};
    QString model = {};
    QSize size = {};
    int frames = 0;
    int number = 1;  ///< for {n}
};

/// Returns the file name without extension. `pattern` contains placeholders of nameTokens(); {prompt:32} is the prompt
/// shortened to 32 characters. Unknown placeholders do not change. Each run of characters that a file system may refuse
/// becomes one "-".
QString outputName(const OutputNameParts& parts, const QString& pattern = QStringLiteral("{date}-{prompt:32}-{seed}"));

/// Returns all placeholders: "{date}", "{time}", "{prompt:n}" and so on.
QStringList nameTokens();
/// Returns the unknown placeholders of a pattern.
QStringList unknownTokens(const QString& pattern);

/// Returns `name` or, if it is taken, the first free name of name-2, name-3 and so on.
QString freeName(const QString& name, const std::function<bool(const QString&)>& isTaken);

/// Returns a path in `folder` without extension for which no file with any of the extensions exists. Appends -2, -3 and
/// so on if needed.
QString freeStem(const QDir& folder, const QString& name, const QStringList& endings);

}  // namespace kinescope::ui
