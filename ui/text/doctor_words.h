#pragma once

#include <QString>
#include <QStringList>

#include "core/api/compute_precision.h"
#include "core/api/doctor_report.h"

namespace kinescope::ui {

/// Severity of a finding about this computer. The Doctor page shows it as an icon and a color.
enum class Health { good, remark, bad };

struct DoctorVerdict {
    Health health = Health::good;
    QString title;     ///< "This computer is ready"
    QString sentence;  ///< the device in use, and the most important note
};
/// Returns the display name of a numeric setting of LibTorch.
QString numericSwitchText(const std::string& name);
QString switchValueText(const std::string& value);

DoctorVerdict doctorVerdict(const DoctorReport& report);

/// Support of a dtype by a device: "fast", "native", "storage only".
struct DtypeSupport {
    Health health = Health::good;
    QString text;
};
/// Returns how a device supports a dtype.
DtypeSupport dtypeSupport(const DeviceInfo& device, ElementType dtype);

/// Returns details of a device: "cpu, AVX2" or "cuda:0, 8.6, driver 580.95".
QString deviceLine(const DeviceInfo& device);

Health healthOf(const CanaryFinding& finding);
/// Returns the result of a check with its fallback: "matches float32", "wrong result", "crashed", "timed out", "not
/// supported" or "not run".
QString findingText(const CanaryFinding& finding);

/// Describes a remembered override: "Wan, Denoiser, block 31, feed-forward output: float32".
QString learnedText(const LearnedOverride& learned);

/// Returns the whole report as plain text, always in English. Contains no prompt, user name or computer name; paths are
/// reduced to their last component.
QString doctorReportText(const DoctorReport& report);

/// Removes the user name, the computer name and all but the last component of paths.
QString withoutPrivateParts(QString text, const QString& user, const QString& computer);

}  // namespace kinescope::ui
