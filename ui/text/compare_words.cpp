#include "ui/text/compare_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/api/bounded_json.h"
#include "core/api/structural_similarity.h"
#include "core/api/video_request_json.h"
#include "ui/text/field_name.h"
#include "ui/text/message_form.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CompareWords)
};

/// Runs that differ in one of these settings generate different videos and are not comparable.
constexpr std::array kIdentity{"seed", "prompt", "model", "width", "height", "num_frames"};

QString valueText(const nlohmann::ordered_json& value) {
    if (value.is_string()) return text(value.get<std::string>());
    return value.is_null() ? QStringLiteral("–") : text(value.dump());
}

const SettingDifference* identityDifference(const QList<SettingDifference>& settings) {
    for (const char* name : kIdentity)
        for (const SettingDifference& setting : settings)
            if (setting.name == QLatin1String(name)) return &setting;
    return nullptr;
}

/// Returns a value of a DifferentSetting in words.
QString jsonText(const std::string& json) {
    if (json.empty()) return QStringLiteral("–");
    const nlohmann::json value = try_parse_json(json);
    return text(value.is_string() ? value.get<std::string>() : json);
}

/// Returns the comparison of the logs if they are comparable, because it has more detail, otherwise that of the frames.
const CompareReport* bestReport(const Comparison& comparison) {
    if (comparison.logs && (comparison.logs->problems.empty() || !comparison.videos)) return &*comparison.logs;
    return comparison.videos ? &*comparison.videos : nullptr;
}

/// Reasons why two logs are not comparable.
constexpr MessageForm kProblems[] = {
    {"log_ends_early",
     QT_TRANSLATE_NOOP("CompareWords",
                       "%1 is incomplete: the run was killed or is still in progress, or the disk was full"),
     {"file"}},
    {"nothing_compared", QT_TRANSLATE_NOOP("CompareWords", "the logs have no comparable statistics in common")},
    {"other_work",
     QT_TRANSLATE_NOOP("CompareWords",
                       "The logs cover different steps or sites: %1 statistics were compared, of %2 in the first and "
                       "%3 in the second"),
     {"compared", "a", "b"}},
    {"sizes_differ", QT_TRANSLATE_NOOP("CompareWords", "The videos differ in size: %1 and %2"), {"a", "b"}},
};

QString problemsText(const CompareReport& report) {
    QStringList problems;
    for (const LocalizableMessage& problem : report.problems)
        problems << asSentence(translatedText("CompareWords", kProblems, problem));
    return problems.join(QLatin1Char(' '));
}

/// Describes how many statistics were not compared because their tensors have different sizes.
QString otherCountText(const CompareReport& report) {
    if (report.num_other_count == 0) return {};
    return QLatin1Char(' ') + Tr::tr("%Ln statistics were not compared because their tensors differ in size.", nullptr,
                                     report.num_other_count);
}

QString agreementSentence(const CompareReport& report) {
    if (report.kind == CompareKind::videos)
        return Tr::tr("%Ln frames compared. PSNR: %1.", nullptr, report.num_compared).arg(psnrText(report.psnr_db));
    return Tr::tr("%Ln statistics compared. Largest difference: %1.", nullptr, report.num_compared)
               .arg(relativeText(report.largest_difference)) +
           otherCountText(report);
}

bool isSame(const CompareReport& report) {
    return report.kind == CompareKind::videos ? std::isinf(report.psnr_db) : report.largest_difference == 0;
}

}  // namespace

QList<SettingDifference> settingDifferences(const VideoRequest& a, const VideoRequest& b) {
    const auto left = request_document(a);
    const auto right = request_document(b);
    QList<SettingDifference> differences;
    const auto valueAt = [](const nlohmann::ordered_json& document, const std::string& key) {
        return document.contains(key) ? document.at(key) : nlohmann::ordered_json();
    };
    QStringList seen;
    for (const auto* document : {&left, &right})
        for (const auto& [key, value] : document->items()) {
            if (key == "output" || seen.contains(text(key))) continue;
            seen << text(key);
            const auto one = valueAt(left, key);
            const auto other = valueAt(right, key);
            if (one != other) differences << SettingDifference{text(key), valueText(one), valueText(other)};
        }
    return differences;
}

QList<SettingDifference> settingDifferences(const CompareReport& logs) {
    QList<SettingDifference> differences;
    for (const DifferentSetting& setting : logs.settings)
        differences << SettingDifference{text(setting.name), jsonText(setting.a), jsonText(setting.b), setting.aspect};
    return differences;
}

QString settingName(const SettingDifference& setting) {
    const std::string name = setting.name.toStdString();
    switch (setting.aspect) {
        case SettingAspect::compute:
            return Tr::tr("%1, compute precision").arg(componentName(name));
        case SettingAspect::storage:
            return Tr::tr("%1, storage precision").arg(componentName(name));
        case SettingAspect::device:
            return Tr::tr("%1, device").arg(componentName(name));
        case SettingAspect::num_frames:
            return fieldName("num_frames");
        case SettingAspect::field:
            break;
    }
    return fieldName(name);
}

QString psnrText(double psnr_db) {
    if (std::isinf(psnr_db)) return Tr::tr("∞ (identical)");
    return Tr::tr("%1 dB").arg(QLocale().toString(psnr_db, 'f', 1));
}

QString relativeText(double relative) {
    if (std::isinf(relative)) return Tr::tr("infinite");
    if (relative == 0) return QStringLiteral("0");
    return Tr::tr("%1 % of the largest value").arg(QLocale().toString(100 * relative, 'g', 3));
}

QString ssimText(double ssim) {
    return QLocale().toString(ssim, 'f', 4);
}

std::optional<double> meanSsim(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b) {
    const std::size_t count = std::min(a.size(), b.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!a[i] || !b[i] || a[i]->width != b[i]->width || a[i]->height != b[i]->height) return std::nullopt;
        sum += structural_similarity(*a[i], *b[i]);
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

namespace {

constexpr int kDigits = 6;

QString statisticName(Statistic statistic) {
    switch (statistic) {
        case Statistic::max_abs:
            return Tr::tr("peak");
        case Statistic::min:
            return Tr::tr("minimum");
        case Statistic::max:
            return Tr::tr("maximum");
        case Statistic::mean:
            return Tr::tr("mean");
        case Statistic::std:
            return Tr::tr("spread");
        case Statistic::nan:
            return Tr::tr("NaN count");
        case Statistic::inf:
            return Tr::tr("Inf count");
    }
    return {};
}

bool isCount(Statistic statistic) {
    return statistic == Statistic::nan || statistic == Statistic::inf;
}

/// NaN and infinity may have been found without being counted.
QString statisticText(Statistic statistic, const std::optional<double>& value) {
    if (!value) return leastText(1);
    if (isCount(statistic)) return countText(static_cast<std::int64_t>(*value));
    return numberText(QString::number(*value, 'g', kDigits));
}

/// Names a phase other than the denoising steps. Returns a phase that this version does not know unchanged.
QString phaseText(const std::string& name) {
    const auto phase = phase_from(name);
    if (!phase) return text(name);
    switch (*phase) {
        case Phase::load:
            return Tr::tr("loading", "phase of a run");
        case Phase::encode:
            return Tr::tr("encoding", "phase of a run");
        case Phase::decode:
            return Tr::tr("decoding", "phase of a run");
        case Phase::save:
            return Tr::tr("saving", "phase of a run");
        case Phase::denoise:
            break;
    }
    return text(name);
}

struct DifferenceText {
    QString operator()(const StatisticDifference& found) const {
        const QString site = siteNameInSentence(found.place.site);
        const QString values = filled(Tr::tr("%1 %2 vs. %3", "statistic, two values"),
                                      {statisticName(found.statistic), statisticText(found.statistic, found.a),
                                       statisticText(found.statistic, found.b)});
        if (phase_from(found.place.phase) == Phase::denoise)
            return filled(Tr::tr("step %1, %2: %3", "step, site, values"),
                          {QString::number(qint64{found.place.step} + 1), site, values});
        return filled(Tr::tr("%1, %2: %3", "phase, site, values"), {phaseText(found.place.phase), site, values});
    }
    QString operator()(const FrameDifference& found) const {
        return Tr::tr("frame %1: %2", "number, PSNR")
            .arg(countText(std::int64_t{found.frame} + 1), psnrText(found.psnr_db));
    }
    QString operator()(const LengthDifference& found) const {
        return Tr::tr("one video ends after frame %1").arg(countText(found.num_frames));
    }
};

}  // namespace

QString firstDifferenceText(const FirstDifference& difference) {
    return std::visit(DifferenceText{}, difference);
}

namespace {

/// Describes the first difference with its relative size: absolute values such as 0.31 and 0.15 do not show whether a
/// difference matters.
QString firstPlaceText(const FirstDifference& difference) {
    const QString place = firstDifferenceText(difference);
    const auto* statistic = std::get_if<StatisticDifference>(&difference);
    if (statistic == nullptr || !(statistic->relative > 0)) return place;
    return filled(Tr::tr("%1 (%2)", "site and values, difference"), {place, relativeText(statistic->relative)});
}

/// Returns the problem of videos whose frames cannot be compared, or nullptr.
const LocalizableMessage* otherSizes(const Comparison& comparison) {
    if (!comparison.videos) return nullptr;
    const auto& problems = comparison.videos->problems;
    const auto found = std::ranges::find(problems, "sizes_differ", &LocalizableMessage::code);
    return found == problems.end() ? nullptr : &*found;
}

QString differenceSentence(const CompareReport& report) {
    if (!report.first_difference) return agreementSentence(report);
    return filled(Tr::tr("First difference: %1. %2", "site; one sentence"),
                  {firstPlaceText(*report.first_difference), agreementSentence(report)});
}

/// Describes the logs of two videos that differ in size.
QString logsSentence(const std::optional<CompareReport>& logs) {
    if (!logs) return Tr::tr("Frames of different sizes can't be compared.");
    if (logs->first_difference) return differenceSentence(*logs);
    return logs->problems.empty() ? agreementSentence(*logs) : problemsText(*logs);
}

}  // namespace

CompareVerdict compareVerdict(const Comparison& comparison) {
    if (const LocalizableMessage* sizes = otherSizes(comparison))
        return {Agreement::notComparable, translatedText("CompareWords", kProblems, *sizes),
                logsSentence(comparison.logs)};
    const CompareReport* report = bestReport(comparison);
    if (report == nullptr)
        return {Agreement::notComparable, Tr::tr("Select two runs"), Tr::tr("Select two videos or two numeric logs.")};
    if (!report->problems.empty() && !report->first_difference)
        return {Agreement::notComparable, Tr::tr("Not comparable"), problemsText(*report)};
    if (report->passed && isSame(*report))
        return {Agreement::same, Tr::tr("The runs are identical"), agreementSentence(*report)};
    if (report->passed)
        return {Agreement::agree, Tr::tr("The runs agree within tolerance"), agreementSentence(*report)};
    if (const SettingDifference* other = identityDifference(comparison.settings))
        return {Agreement::notComparable, Tr::tr("Not comparable: the requests differ"),
                Tr::tr("%1: %2 in A, %3 in B.", "name of a setting and its values")
                    .arg(settingName(*other), other->a, other->b)};
    return {Agreement::part, Tr::tr("The runs differ"), differenceSentence(*report)};
}

namespace {

QString firstDifferenceLine(const CompareReport& report) {
    const QString kind = report.kind == CompareKind::logs ? Tr::tr("Numeric logs") : Tr::tr("Videos");
    return Tr::tr("%1: %2", "kind of files, first difference").arg(kind, firstDifferenceText(*report.first_difference));
}

}  // namespace

QString comparisonReport(const Comparison& comparison) {
    const CompareVerdict verdict = compareVerdict(comparison);
    QStringList lines{verdict.title, verdict.sentence};
    for (const auto* report : {&comparison.logs, &comparison.videos})
        if (*report && (*report)->first_difference) lines << firstDifferenceLine(**report);
    if (comparison.videos && comparison.videos->num_compared > 0)
        lines << QStringLiteral("PSNR: %1").arg(psnrText(comparison.videos->psnr_db));
    if (comparison.ssim) lines << QStringLiteral("SSIM: %1").arg(ssimText(*comparison.ssim));
    for (const SettingDifference& setting : comparison.settings)
        lines << QStringLiteral("%1: %2 | %3").arg(settingName(setting), setting.a, setting.b);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace kinescope::ui
