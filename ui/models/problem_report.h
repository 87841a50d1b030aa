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

/// The report as plain text, in English whatever the language, because developers read it. Leaves out the prompt, the
/// names of user and computer, and folders. Messages and file names stay, and can contain words of the prompt.
QString problemReport(const ProblemFacts& facts);

}  // namespace kinescope::ui
