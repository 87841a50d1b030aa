#include "ui/models/problem_report.h"

#include <QJsonObject>
#include <QSysInfo>
#include <algorithm>

#include "ui/models/json_object.h"
#include "ui/text/doctor_words.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr qsizetype kMaxRecords = 60;
constexpr qsizetype kMaxMessages = 200;

QStringList last(const QStringList& lines, qsizetype count) {
    return lines.mid(std::max<qsizetype>(0, lines.size() - count));
}

QStringList computerLines(const std::optional<DoctorReport>& report) {
    if (report) return {doctorReportText(*report).trimmed()};
    return {QSysInfo::prettyProductName(), QStringLiteral("Qt ") + QLatin1String(qVersion()),
            QStringLiteral("the check of this computer failed")};
}

QStringList runLines(const RunFacts& run) {
    if (run.state == RunState::idle) return {QStringLiteral("no run in this session")};
    const VideoRequest& request = run.request;
    const auto number = [](const auto& value) { return value ? QString::number(*value) : QStringLiteral("default"); };
    QStringList lines{QStringLiteral("state: ") + runStateName(run.state),
                      QStringLiteral("model: ") + text(request.model),
                      QStringLiteral("size: %1 x %2, %3 frames, %4 steps")
                          .arg(number(request.width), number(request.height), number(request.num_frames),
                               number(request.num_inference_steps))};
    for (const ComponentPolicy& part : run.policy)
        lines << QStringLiteral("%1: stored %2, kept %3, computed in %4 on %5")
                     .arg(text(part.component), text(part.stored), text(part.storage), text(part.compute),
                          text(part.device));
    if (run.error) {
        const std::string code(to_string(run.error->code()));
        lines << QStringLiteral("error[%1]: %2").arg(text(code), text(run.error->message()));
    }
    return lines;
}

/// Returns the findings and the result of the run. Omits the header, because it contains the prompt.
QStringList logLines(const QByteArray& log) {
    QStringList lines;
    for (const QByteArray& line : log.split('\n')) {
        const QString record = readJsonObject(line).value(QLatin1String("record")).toString();
        if (record == QLatin1String("guard") || record == QLatin1String("summary")) lines << QString::fromUtf8(line);
    }
    return lines.isEmpty() ? QStringList{QStringLiteral("none")} : last(lines, kMaxRecords);
}

}  // namespace

QString problemReport(const ProblemFacts& facts) {
    QStringList lines{QStringLiteral("Kinescope problem report"), QString()};
    const auto add = [&](const char* title, const QStringList& more) {
        lines << QStringLiteral("== %1 ==").arg(QLatin1String(title)) << more << QString();
    };
    add("What happened", {QStringLiteral("(write here what you did, what you expected and what happened)")});
    add("This computer", computerLines(facts.computer));
    add("Last run", runLines(facts.run));
    add("Numeric log: findings of the guard and summary", logLines(facts.numericLog));
    add("Messages", last(facts.messages.trimmed().split(QLatin1Char('\n')), kMaxMessages));
    const QString user = qEnvironmentVariable("USER", qEnvironmentVariable("USERNAME"));
    return withoutPrivateParts(lines.join(QLatin1Char('\n')), user, QSysInfo::machineHostName());
}

}  // namespace kinescope::ui
