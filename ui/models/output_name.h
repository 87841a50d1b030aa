#pragma once

#include <QDate>
#include <QDir>
#include <QStringList>
#include <cstdint>

namespace kinescope::ui {

/// What a video's name is made of: {date}-{prompt:32}-{seed}.
struct OutputNameParts {
    QDate date;
    QString prompt;
    std::int64_t seed = 0;
};

/// The name without its ending. Characters that a file system may refuse become "-", in a row only one.
QString outputName(const OutputNameParts& parts);

/// The path without ending of files in `folder` that do not exist yet with any of the endings: -2, -3 ... is put behind
/// the name where needed.
QString freeStem(const QDir& folder, const QString& name, const QStringList& endings);

}  // namespace kinescope::ui
