#pragma once

#include <QDate>
#include <QDir>
#include <QSize>
#include <QStringList>
#include <QTime>
#include <cstdint>

namespace kinescope::ui {

/// What the tokens of a file's name stand for.
struct OutputNameParts {
    QDate date;
    QString prompt;
    std::int64_t seed = 0;
    QTime time = {};
    QString model = {};
    QSize size = {};
    int frames = 0;
    int number = 1;  ///< {n}: so that a pattern can count
};

/// The name without its ending, from a pattern with the tokens of nameTokens(); {prompt:32} is the prompt in at most 32
/// characters. What is in braces and no token stays. Characters that a file system may refuse become "-", in a row only
/// one.
QString outputName(const OutputNameParts& parts, const QString& pattern = QStringLiteral("{date}-{prompt:32}-{seed}"));

/// "{date}", "{time}", "{prompt:n}" ...
QStringList nameTokens();
/// What stands in braces in a pattern and is no token.
QStringList unknownTokens(const QString& pattern);

/// The path without ending of files in `folder` that do not exist yet with any of the endings: -2, -3 ... is put behind
/// the name where needed.
QString freeStem(const QDir& folder, const QString& name, const QStringList& endings);

}  // namespace kinescope::ui
