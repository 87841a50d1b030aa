#pragma once

#include <QByteArray>

namespace kinescope::ui {

/// Converts the `stat` records of a numeric log (JSON Lines) to CSV with the column names of the log. Ignores invalid
/// lines, because the log of a running job can end in the middle of a line.
QByteArray csvOfLog(const QByteArray& jsonLines);

}  // namespace kinescope::ui
