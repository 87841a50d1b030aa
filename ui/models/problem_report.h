#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

#include "core/api/doctor_report.h"
#include "ui/models/run_model.h"

namespace kinescope::ui {

/// The content of a problem report.
struct ProblemFacts {
    std::optional<DoctorReport> computer;  ///< not set if the check failed
    RunFacts run;                          ///< the last run of this session
    QByteArray numericLog;                 ///< log of that run; empty: none
    QString messages;                      ///< lines of the log panel
};

/// Returns the report as plain text, always in English, because developers read it. Omits the prompt, the names of the
/// user and the computer, and folders. Includes messages and file names, which can contain words of the prompt.
QString problemReport(const ProblemFacts& facts);

}  // namespace kinescope::ui
