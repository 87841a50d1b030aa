#include "ui/text/compare_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

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

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

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

/// Removes the quotation marks of a JSON string.
QString unquoted(const QString& value) {
    const bool quoted = value.size() > 1 && value.startsWith(QLatin1Char('"')) && value.endsWith(QLatin1Char('"'));
    return quoted ? value.mid(1, value.size() - 2) : value;
}

/// Parses "frame 3: 31.2 dB". Returns nullopt for any other text.
std::optional<QString> framePlace(const QString& first) {
    static const QRegularExpression form(QStringLiteral("^frame (\\d+): ([\\d.]+) dB$"));
    const auto match = form.match(first);
    if (!match.hasMatch()) return std::nullopt;
    return Tr::tr("frame %1: %2", "number, PSNR")
        .arg(numberText(match.captured(1)), psnrText(match.captured(2).toDouble()));
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
    if (report.kind == "videos")
        return Tr::tr("%Ln frames compared. PSNR: %1.", nullptr, report.num_compared).arg(psnrText(report.psnr_db));
    return Tr::tr("%Ln statistics compared. Largest difference: %1.", nullptr, report.num_compared)
               .arg(relativeText(report.largest_difference)) +
           otherCountText(report);
}

bool isSame(const CompareReport& report) {
    return report.kind == "videos" ? std::isinf(report.psnr_db) : report.largest_difference == 0;
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
    static const QRegularExpression form(QStringLiteral("^(.*?): (.*) against (.*)$"));
    QList<SettingDifference> differences;
    for (const std::string& line : logs.requests) {
        const auto match = form.match(text(line));
        if (!match.hasMatch()) {
            differences << SettingDifference{text(line), {}, {}};
        } else if (!match.captured(1).startsWith(QLatin1String("output"))) {
            differences << SettingDifference{match.captured(1), unquoted(match.captured(2)),
                                             unquoted(match.captured(3))};
        }
    }
    return differences;
}

QString settingName(const QString& name) {
    const QString component = name.section(QLatin1Char(' '), 0, 0), what = name.section(QLatin1Char(' '), 1);
    const QString part = componentName(component.toStdString());
    if (what == QLatin1String("computes in")) return Tr::tr("%1, compute precision").arg(part);
    if (what == QLatin1String("is kept in")) return Tr::tr("%1, storage precision").arg(part);
    if (what == QLatin1String("runs on")) return Tr::tr("%1, device").arg(part);
    return fieldName(name.toStdString());
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

/// Display names of the statistics by their keys in the log.
constexpr MessageForm kStatistics[] = {
    {"max_abs", QT_TRANSLATE_NOOP("CompareWords", "peak")},  {"min", QT_TRANSLATE_NOOP("CompareWords", "minimum")},
    {"max", QT_TRANSLATE_NOOP("CompareWords", "maximum")},   {"mean", QT_TRANSLATE_NOOP("CompareWords", "mean")},
    {"std", QT_TRANSLATE_NOOP("CompareWords", "spread")},    {"nan", QT_TRANSLATE_NOOP("CompareWords", "NaN count")},
    {"inf", QT_TRANSLATE_NOOP("CompareWords", "Inf count")},
};

/// NaN and infinity may have been found without being counted.
QString countText(const QString& number) {
    return number == QLatin1String("at least 1") ? Tr::tr("at least 1") : numberText(number);
}

/// Parses "max_abs 12.3 against 12.9". Returns any other text unchanged.
QString valuesText(const QString& values) {
    static const QRegularExpression form(QStringLiteral("^(\\w+) (at least 1|\\S+) against (at least 1|\\S+)$"));
    const auto match = form.match(values);
    if (!match.hasMatch()) return values;
    const std::string code = match.captured(1).toStdString();
    const QString name = translatedText("CompareWords", kStatistics, {.code = code, .text = code});
    return filled(Tr::tr("%1 %2 vs. %3", "statistic, two values"),
                  {name, countText(match.captured(2)), countText(match.captured(3))});
}

}  // namespace

QString firstDifferenceText(const std::string& first) {
    if (const auto frame = framePlace(text(first))) return *frame;
    static const QRegularExpression form(QStringLiteral("^step (\\d+), (\\S+) (\\S+)(?: \\((\\w+)\\))?: (.*)$"));
    const auto match = form.match(text(first));
    if (!match.hasMatch()) return text(first);
    return Tr::tr("step %1, %2: %3", "step, site, values")
        .arg(match.captured(1), siteNameInSentence(match.captured(3).toStdString()), valuesText(match.captured(5)));
}

namespace {

/// Describes the first difference with its relative size: absolute values such as 0.31 and 0.15 do not show whether a
/// difference matters.
QString firstPlaceText(const CompareReport& report) {
    const QString place = firstDifferenceText(report.first_difference);
    if (report.kind == "videos" || !(report.first_relative > 0)) return place;
    return Tr::tr("%1 (%2)", "site and values, difference").arg(place, relativeText(report.first_relative));
}

/// Returns the problem of videos whose frames cannot be compared, or nullptr.
const LocalizableMessage* otherSizes(const Comparison& comparison) {
    if (!comparison.videos) return nullptr;
    const auto& problems = comparison.videos->problems;
    const auto found = std::ranges::find(problems, "sizes_differ", &LocalizableMessage::code);
    return found == problems.end() ? nullptr : &*found;
}

QString differenceSentence(const CompareReport& report) {
    return Tr::tr("First difference: %1. %2", "site; one sentence")
        .arg(firstPlaceText(report), agreementSentence(report));
}

/// Describes the logs of two videos that differ in size.
QString logsSentence(const std::optional<CompareReport>& logs) {
    if (!logs) return Tr::tr("Frames of different sizes can't be compared.");
    if (!logs->first_difference.empty()) return differenceSentence(*logs);
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
    if (!report->problems.empty() && report->first_difference.empty())
        return {Agreement::notComparable, Tr::tr("Not comparable"), problemsText(*report)};
    if (report->passed && isSame(*report))
        return {Agreement::same, Tr::tr("The runs are identical"), agreementSentence(*report)};
    if (report->passed)
        return {Agreement::agree, Tr::tr("The runs agree within tolerance"), agreementSentence(*report)};
    if (const SettingDifference* other = identityDifference(comparison.settings))
        return {Agreement::notComparable, Tr::tr("Not comparable: the requests differ"),
                Tr::tr("%1: %2 in A, %3 in B.", "name of a setting and its values")
                    .arg(settingName(other->name), other->a, other->b)};
    return {Agreement::part, Tr::tr("The runs differ"), differenceSentence(*report)};
}

QString comparisonReport(const Comparison& comparison) {
    const CompareVerdict verdict = compareVerdict(comparison);
    QStringList lines{verdict.title, verdict.sentence};
    for (const auto* report : {&comparison.logs, &comparison.videos})
        if (*report) lines << text((*report)->kind) + QStringLiteral(": ") + text((*report)->first_difference);
    if (comparison.videos && comparison.videos->num_compared > 0)
        lines << QStringLiteral("PSNR: %1").arg(psnrText(comparison.videos->psnr_db));
    if (comparison.ssim) lines << QStringLiteral("SSIM: %1").arg(ssimText(*comparison.ssim));
    for (const SettingDifference& setting : comparison.settings)
        lines << QStringLiteral("%1: %2 | %3").arg(setting.name, setting.a, setting.b);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace kinescope::ui
