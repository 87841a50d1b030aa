#pragma once

#include <QString>
#include <QStringList>

#include "core/api/doctor_report.h"

namespace kinescope::ui {

/// How good or bad something of the machine is; the page gives it shape and colour.
enum class Health { good, remark, bad };

struct DoctorVerdict {
    Health health = Health::good;
    QString title;     ///< "This computer is ready"
    QString sentence;  ///< on what videos are made, and the one thing to know
};
/// One of LibTorch's numeric switches in words, and its value.
QString numericSwitchText(const std::string& name);
QString switchValueText(const std::string& value);

DoctorVerdict doctorVerdict(const DoctorReport& report);

/// How a device deals with a dtype: "fast", "native", "storage only".
struct DtypeSupport {
    Health health = Health::good;
    QString words;
};
/// `dtype`: "float16", "bfloat16" or "float8_e4m3fn".
DtypeSupport dtypeSupport(const DeviceInfo& device, const std::string& dtype);

/// "AVX2", "compute 8.6, driver 580.95".
QString deviceLine(const DeviceInfo& device);

Health healthOf(const CanaryFinding& finding);
/// "passed", "gave a wrong result", "crashed", "did not answer", "is refused", "did not run", with the way around.
QString findingText(const CanaryFinding& finding);

/// "Wan 2.1, block 31, feed-forward output: float32".
QString learnedText(const LearnedOverride& learned);

/// Plain text with everything of the report, in English whatever the language: no prompt, no user or computer name,
/// folders shortened to their last part.
QString doctorReportText(const DoctorReport& report);

/// Takes the names of user and computer and the upper parts of folders out of a text.
QString withoutPrivateParts(QString text, const QString& user, const QString& computer);

}  // namespace kinescope::ui
