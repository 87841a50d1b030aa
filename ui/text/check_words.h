#pragma once

#include <QString>
#include <vector>

#include "ui/text/doctor_words.h"

namespace kinescope::ui {

/// A row of the list of device checks.
struct CheckRow {
    Health health = Health::good;
    QString title;   ///< the kind of operation or, if it failed, the operation itself
    QString result;  ///< "AMD EPYC: 21 of 21 match float32"
    QString advice;  ///< what the operation is for, and what the user can do
    double seconds = 0;
};

/// Returns the rows for all devices: one for each failed or slower check, the worst first, then one for each kind of
/// operation with its other checks.
std::vector<CheckRow> checkRows(const DoctorReport& report);

/// Returns the display name of a loaded library: "NVIDIA driver".
QString libraryText(const std::string& name);
/// Explains a numeric setting of LibTorch. Empty for an unknown one.
QString numericSwitchHelp(const std::string& name);

}  // namespace kinescope::ui
