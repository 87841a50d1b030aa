#include "ui/models/doctor_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSysInfo>
#include <algorithm>

#include "ui/models/device_words.h"
#include "ui/models/policy_words.h"
#include "ui/models/site_name.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(DoctorWords)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

const DeviceReport* bestDevice(const DoctorReport& report) {
    const auto usable = std::find_if(report.devices.begin(), report.devices.end(),
                                     [](const DeviceReport& each) { return each.device.unusable.empty(); });
    return usable == report.devices.end() ? nullptr : &*usable;
}

int numFailed(const DeviceReport& device, bool withoutWayAround) {
    return static_cast<int>(std::count_if(device.canary.begin(), device.canary.end(), [&](const CanaryFinding& each) {
        return healthOf(each) != Health::good && (!withoutWayAround || each.alternative.empty());
    }));
}

QString oneThing(const DoctorReport& report, const DeviceReport& device) {
    if (numFailed(device, true) > 0)
        return Words::tr("Failed checks without a way around: %1.").arg(numFailed(device, true));
    if (numFailed(device, false) > 0)
        return Words::tr("Failed checks: %1. Kinescope takes another way there.").arg(numFailed(device, false));
    if (!device.known_bad.empty()) return knownBadText(device.known_bad.front());
    for (const DeviceReport& other : report.devices)
        if (!other.device.unusable.empty())
            return Words::tr("%1 cannot be used: %2").arg(text(other.device.name), unusableText(other.device.unusable));
    return deviceSentence(device.device);
}

void addPairs(QStringList& lines, const char* title, const std::map<std::string, std::string>& pairs) {
    lines << QString() << QLatin1String(title);
    for (const auto& [name, value] : pairs) lines << QStringLiteral("  %1: %2").arg(text(name), text(value));
}

void addDevice(QStringList& lines, const DeviceReport& report) {
    const DeviceInfo& device = report.device;
    lines << QString()
          << QStringLiteral("%1  %2, %3, %4 MB%5")
                 .arg(text(device.id), text(device.name), text(device.capability))
                 .arg(device.memory_total_bytes / 1'000'000)
                 .arg(device.driver.empty() ? QString() : QStringLiteral(", driver ") + text(device.driver));
    if (!device.unusable.empty()) lines << QStringLiteral("  cannot compute: ") + text(device.unusable.text);
    lines << QStringLiteral("  checks: ") + text(report.canary_summary);
    for (const CanaryFinding& finding : report.canary)
        if (finding.outcome != "passed") lines << QStringLiteral("    ") + text(finding.verdict);
    for (const KnownBad& known : report.known_bad)
        lines
            << QStringLiteral("  known: %1 Cure: %2 See %3").arg(text(known.what), text(known.cure), text(known.link));
    for (const ComponentPolicy& part : report.policy)
        lines << QStringLiteral("  %1: stored %2, computed %3, sums %4, attention %5 (%6)")
                     .arg(text(part.component), text(part.storage), text(part.compute), text(part.accumulation),
                          text(part.attention), text(part.reason));
}

}  // namespace

Health healthOf(const CanaryFinding& finding) {
    if (finding.outcome == "passed" || finding.outcome == "not run") return Health::good;
    return finding.alternative.empty() ? Health::bad : Health::remark;
}

QString findingText(const CanaryFinding& finding) {
    const QString way = wayText(finding.alternative);
    const auto with = [&](const QString& words) {
        return way.isEmpty() ? words : Words::tr("%1; runs with %2", "finding; way around").arg(words, way);
    };
    if (finding.outcome == "passed") return Words::tr("agrees with float32");
    if (finding.outcome == "wrong") return with(Words::tr("gave a wrong result"));
    if (finding.outcome == "killed") return with(Words::tr("crashed its process"));
    if (finding.outcome == "hung") return with(Words::tr("did not answer in time"));
    if (finding.outcome == "refused") return with(Words::tr("is not offered here"));
    return Words::tr("did not run");
}

QString numericSwitchText(const std::string& name) {
    static constexpr std::pair<const char*, const char*> names[] = {
        {"float16_accumulation", QT_TRANSLATE_NOOP("DoctorWords", "Matrix products sum in fp16")},
        {"float16_reduction", QT_TRANSLATE_NOOP("DoctorWords", "Partial sums of matrix products in fp16")},
        {"bfloat16_reduction", QT_TRANSLATE_NOOP("DoctorWords", "Partial sums of matrix products in bf16")},
        {"half_reduction_in_attention", QT_TRANSLATE_NOOP("DoctorWords", "Attention sums in half precision")},
        {"tf32_matmul", QT_TRANSLATE_NOOP("DoctorWords", "TF32 in matrix products")},
        {"tf32_convolution", QT_TRANSLATE_NOOP("DoctorWords", "TF32 in convolutions")},
        {"cudnn_attention", QT_TRANSLATE_NOOP("DoctorWords", "Attention by cuDNN")},
        {"cudnn", QT_TRANSLATE_NOOP("DoctorWords", "Convolutions by cuDNN")},
        {"cudnn_benchmark", QT_TRANSLATE_NOOP("DoctorWords", "cuDNN picks the fastest convolution by trying")},
        {"onednn", QT_TRANSLATE_NOOP("DoctorWords", "oneDNN on the processor")},
        {"blas_backend", QT_TRANSLATE_NOOP("DoctorWords", "Library for matrix products")}};
    const auto known = std::ranges::find(names, name, [](const auto& row) { return std::string_view(row.first); });
    return known == std::end(names) ? text(name) : Words::tr(known->second);
}

QString switchValueText(const std::string& value) {
    if (value == "on") return Words::tr("on");
    if (value == "off") return Words::tr("off");
    return value == "default" ? Words::tr("automatic") : text(value);
}

DoctorVerdict doctorVerdict(const DoctorReport& report) {
    const DeviceReport* best = bestDevice(report);
    if (best == nullptr)
        return {Health::bad, Words::tr("This computer cannot make videos yet"),
                Words::tr("No device was found that can compute.")};
    const QString how =
        Words::tr("Videos are made on %1 in %2.").arg(text(best->device.name), dtypeName(best->device.compute_dtype));
    const QString thing = asSentence(oneThing(report, *best));
    const QString sentence = thing.isEmpty() ? how : Words::tr("%1 %2", "two sentences").arg(how, thing);
    if (numFailed(*best, true) > 0) return {Health::remark, Words::tr("This computer is ready, with limits"), sentence};
    if (numFailed(*best, false) > 0 || !best->known_bad.empty())
        return {Health::remark, Words::tr("This computer is ready; one thing to know"), sentence};
    return {Health::good, Words::tr("This computer is ready"), sentence};
}

DtypeSupport dtypeSupport(const DeviceInfo& device, const std::string& dtype) {
    const auto found = std::find(device.dtypes.begin(), device.dtypes.end(), dtype);
    if (!device.unusable.empty()) return {Health::bad, Words::tr("no")};
    if (found == device.dtypes.end()) return {Health::remark, Words::tr("storage only")};
    return {Health::good, found == device.dtypes.begin() ? Words::tr("fast") : Words::tr("native")};
}

QString deviceLine(const DeviceInfo& device) {
    QStringList parts{text(device.id), text(device.capability)};
    if (!device.driver.empty()) parts << Words::tr("driver %1").arg(text(device.driver));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString learnedText(const LearnedOverride& learned) {
    const QString how = learned.precision == "scaled" ? Words::tr("scaled", "how a place computes")
                                                      : Words::tr("in %1").arg(dtypeName(learned.precision));
    return Words::tr("%1: %2, %3 runs %4", "model: part, place, precision")
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
