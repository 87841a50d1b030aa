#include "ui/text/doctor_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSysInfo>
#include <algorithm>

#include "core/api/byte_size.h"
#include "ui/text/device_words.h"
#include "ui/text/policy_words.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(DoctorWords)
};

const DeviceReport* bestDevice(const DoctorReport& report) {
    const auto usable = std::find_if(report.devices.begin(), report.devices.end(),
                                     [](const DeviceReport& each) { return each.device.unusable.empty(); });
    return usable == report.devices.end() ? nullptr : &*usable;
}

int numFailed(const DeviceReport& device) {
    return static_cast<int>(
        std::ranges::count_if(device.canary, [](const CanaryFinding& each) { return healthOf(each) != Health::good; }));
}

int numWithoutFallback(const DeviceReport& device) {
    return static_cast<int>(std::ranges::count_if(device.canary, [](const CanaryFinding& each) {
        return healthOf(each) != Health::good && each.fallbacks.empty();
    }));
}

QString mainNote(const DoctorReport& report, const DeviceReport& device) {
    if (numWithoutFallback(device) > 0)
        return Tr::tr("Failed checks without a fallback: %1.").arg(numWithoutFallback(device));
    if (numFailed(device) > 0)
        return Tr::tr("Failed checks: %1. Kinescope uses a fallback instead.").arg(numFailed(device));
    if (!device.known_bad.empty()) return knownBadText(device.known_bad.front());
    for (const DeviceReport& other : report.devices)
        if (!other.device.unusable.empty())
            return Tr::tr("%1 can't be used: %2").arg(text(other.device.name), unusableText(other.device.unusable));
    return deviceText(device.device);
}

void addPairs(QStringList& lines, const char* title, const std::map<std::string, std::string>& pairs) {
    lines << QString() << QLatin1String(title);
    for (const auto& [name, value] : pairs) lines << QStringLiteral("  %1: %2").arg(text(name), text(value));
}

void addDevice(QStringList& lines, const DeviceReport& report) {
    const DeviceInfo& device = report.device;
    lines << QString()
          << QStringLiteral("%1  %2, %3, %4%5")
                 .arg(text(device.id), text(device.name), text(device.capability),
                      text(format_byte_size(device.memory_total_bytes)),
                      device.driver.empty() ? QString() : QStringLiteral(", driver ") + text(device.driver));
    if (!device.unusable.empty()) lines << QStringLiteral("  cannot compute: ") + text(device.unusable.text);
    lines << QStringLiteral("  checks: ") + text(report.canary_summary);
    for (const CanaryFinding& finding : report.canary)
        if (finding.outcome != ProbeOutcome::passed) lines << QStringLiteral("    ") + text(finding.verdict);
    for (const KnownBad& known : report.known_bad)
        lines << QStringLiteral("  known: %1 Fix: %2 See %3").arg(text(known.what), text(known.fix), text(known.link));
    for (const ComponentPolicy& part : report.policy)
        lines << QStringLiteral("  %1: stored %2, computed %3, sums %4, attention %5 (%6)")
                     .arg(text(part.component), text(part.storage), text(part.compute), text(part.accumulation),
                          text(part.attention), text(part.reason));
}

}  // namespace

Health healthOf(const CanaryFinding& finding) {
    if (finding.outcome == ProbeOutcome::passed || finding.outcome == ProbeOutcome::not_run) return Health::good;
    return finding.fallbacks.empty() ? Health::bad : Health::remark;
}

QString findingText(const CanaryFinding& finding) {
    const QString fallback = fallbackText(finding.fallbacks);
    const auto with = [&](const QString& words) {
        return fallback.isEmpty() ? words : Tr::tr("%1; works with %2", "finding; fallback").arg(words, fallback);
    };
    switch (finding.outcome) {
        case ProbeOutcome::passed:
            return Tr::tr("matches float32");
        case ProbeOutcome::wrong:
            return with(Tr::tr("wrong result"));
        case ProbeOutcome::killed:
            return with(Tr::tr("crashed"));
        case ProbeOutcome::hung:
            return with(Tr::tr("timed out"));
        case ProbeOutcome::refused:
            return with(Tr::tr("not supported"));
        case ProbeOutcome::slower:
            return with(Tr::tr("slower"));
        case ProbeOutcome::not_run:
            break;
    }
    return Tr::tr("not run");
}

QString numericSwitchText(const std::string& name) {
    static constexpr std::pair<const char*, const char*> names[] = {
        {"float16_accumulation", QT_TRANSLATE_NOOP("DoctorWords", "fp16 accumulation in matrix products")},
        {"float16_reduction", QT_TRANSLATE_NOOP("DoctorWords", "fp16 partial sums in matrix products")},
        {"bfloat16_reduction", QT_TRANSLATE_NOOP("DoctorWords", "bf16 partial sums in matrix products")},
        {"half_reduction_in_attention", QT_TRANSLATE_NOOP("DoctorWords", "Half-precision sums in attention")},
        {"tf32_matmul", QT_TRANSLATE_NOOP("DoctorWords", "TF32 in matrix products")},
        {"tf32_convolution", QT_TRANSLATE_NOOP("DoctorWords", "TF32 in convolutions")},
        {"cudnn_attention", QT_TRANSLATE_NOOP("DoctorWords", "cuDNN attention")},
        {"cudnn", QT_TRANSLATE_NOOP("DoctorWords", "cuDNN convolutions")},
        {"cudnn_benchmark", QT_TRANSLATE_NOOP("DoctorWords", "cuDNN autotuning")},
        {"onednn", QT_TRANSLATE_NOOP("DoctorWords", "oneDNN on the CPU")},
        {"blas_backend", QT_TRANSLATE_NOOP("DoctorWords", "Matrix product library")}};
    const auto known = std::ranges::find(names, name, [](const auto& row) { return std::string_view(row.first); });
    return known == std::end(names) ? text(name) : Tr::tr(known->second);
}

QString switchValueText(const std::string& value) {
    if (value == "on") return Tr::tr("on");
    if (value == "off") return Tr::tr("off");
    if (value == "cublas") return QStringLiteral("cuBLAS");
    if (value == "cublaslt") return QStringLiteral("cuBLASLt");
    return value == "default" ? Tr::tr("automatic") : text(value);
}

DoctorVerdict doctorVerdict(const DoctorReport& report) {
    const DeviceReport* best = bestDevice(report);
    if (best == nullptr)
        return {Health::bad, Tr::tr("This computer can't generate videos yet"), Tr::tr("No usable device was found.")};
    const QString how =
        Tr::tr("Videos are generated on %1 in %2.").arg(text(best->device.name), dtypeName(best->device.compute_dtype));
    const QString note = asSentence(mainNote(report, *best));
    const QString sentence = note.isEmpty() ? how : Tr::tr("%1 %2", "two sentences").arg(how, note);
    if (numWithoutFallback(*best) > 0)
        return {Health::remark, Tr::tr("This computer is ready, with limitations"), sentence};
    if (numFailed(*best) > 0 || !best->known_bad.empty())
        return {Health::remark, Tr::tr("This computer is ready, with notes"), sentence};
    return {Health::good, Tr::tr("This computer is ready"), sentence};
}

DtypeSupport dtypeSupport(const DeviceInfo& device, ElementType dtype) {
    const auto found = std::ranges::find(device.dtypes, to_string(dtype));
    if (!device.unusable.empty()) return {Health::bad, Tr::tr("no")};
    if (found == device.dtypes.end()) return {Health::remark, Tr::tr("storage only")};
    return {Health::good, found == device.dtypes.begin() ? Tr::tr("fast") : Tr::tr("native")};
}

QString deviceLine(const DeviceInfo& device) {
    QStringList parts{text(device.id), text(device.capability)};
    if (!device.driver.empty()) parts << Tr::tr("driver %1").arg(text(device.driver));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString learnedText(const LearnedOverride& learned) {
    const QString how =
        learned.precision == "scaled" ? Tr::tr("scaled fp16", "precision of an op") : dtypeName(learned.precision);
    return Tr::tr("%1, %2, %3: %4", "model, component, site, precision")
        .arg(text(learned.model).section(QLatin1Char(' '), 0, 0), componentName(learned.component),
             siteNameInSentence(learned.site), how);
}

QString doctorReportText(const DoctorReport& report) {
    QStringList lines{QStringLiteral("Kinescope ") + text(report.version), QSysInfo::prettyProductName(),
                      QStringLiteral("Qt ") + QLatin1String(qVersion())};
    addPairs(lines, "libraries, as loaded", report.libraries);
    addPairs(lines, "numeric switches", report.settings);
    for (const DeviceReport& device : report.devices) addDevice(lines, device);
    if (!report.overrides.empty())
        lines << QString() << QStringLiteral("raised from the start, learned in earlier runs");
    for (const LearnedOverride& row : report.overrides)
        lines << QStringLiteral("  %1 %2: %3 (%4, %5)")
                     .arg(text(row.component), text(row.site), text(row.precision), text(row.model), text(row.learned));
    const QString user = qEnvironmentVariable("USER", qEnvironmentVariable("USERNAME"));
    return withoutPrivateParts(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'), user, QSysInfo::machineHostName());
}

QString withoutPrivateParts(QString words, const QString& user, const QString& computer) {
    static const QRegularExpression link(QStringLiteral("(?<![\\w:/.])(?:/[^\\s/:,;()'\"]+)+/([^\\s/:,;()'\"]+)"));
    static const QRegularExpression drive(
        QStringLiteral("\\b[A-Za-z]:\\\\(?:[^\\s\\\\,;()'\"]+\\\\)*([^\\s\\\\,;()'\"]+)"));
    words.replace(link, QStringLiteral("…/\\1"));
    words.replace(drive, QStringLiteral("…\\\\1"));
    for (const QString& name : {user, computer}) {
        if (name.size() < 3 || name == QLatin1String("root")) continue;
        const QString whole = QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(name));
        words.replace(QRegularExpression(whole), QStringLiteral("…"));
    }
    return words;
}

}  // namespace kinescope::ui
