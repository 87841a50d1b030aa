#pragma once

#include <QByteArray>

namespace kinescope::ui {

/// The `stat` records of a numeric log (JSON Lines) as CSV, one row each, columns named as in the log. Lines that are
/// no JSON object are passed over: the log of a run that goes on may end in half a line.
QByteArray csvOfLog(const QByteArray& jsonLines);

}  // namespace kinescope::ui
