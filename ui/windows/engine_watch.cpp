#include "ui/windows/engine_watch.h"

#include "ui/models/computer_list_model.h"
#include "ui/panels/log_panel.h"
#include "ui/text/engine_words.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {

EngineWatch::EngineWatch(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    connect(&parts_.bridge, &EngineBridge::engineEnded, this, &EngineWatch::show);
    connect(&parts_.bridge, &EngineBridge::engineFailed, this, &EngineWatch::showFailure);
    connect(&parts_.bridge, &EngineBridge::runEventsArrived, this, &EngineWatch::showWarnings);
}

/// For example that the disk is full and steps are not saved: the log is usually hidden. The engine's messages are
/// English; in other languages they appear only in the tooltip.
void EngineWatch::showWarnings(const std::vector<JobEvent>& events) {
    QStringList messages;
    QStringList sentences;
    for (const JobEvent& arrived : events) {
        const std::string* warning = warningOf(arrived);
        if (!warning) continue;
        const QString computer = ComputerListModel::of(parts_.bridge).computerOf(arrived.job);
        const QString source = computer.isEmpty() ? QString() : computer + QStringLiteral(": ");
        messages << source + text(*warning);
        sentences << source + asSentence(text(*warning));
        logUnlessShown(arrived.job, messages.back());
    }
    if (messages.isEmpty()) return;
    const bool isReadable = currentLanguage() == QLatin1String("en");
    parts_.notices.showInTurn({.topic = NoticeTopic::engine,
                               .severity = Severity::warning,
                               .lead = tr("The engine reports a warning."),
                               .text = isReadable ? sentences.join(QLatin1Char(' ')) : QString(),
                               .action = tr("Show log"),
                               .call = parts_.showLog,
                               .detail = messages.join(QLatin1Char('\n'))});
}

/// The log contains the lines of the shown job. Which job that is, is known after the events have been delivered.
void EngineWatch::logUnlessShown(JobId job, const QString& message) {
    const auto add = [this, job, message] {
        if (job != parts_.bridge.activeJob()) parts_.log.add({LogLineLevel::warning, message.toStdString()});
    };
    QMetaObject::invokeMethod(this, add, Qt::QueuedConnection);
}

void EngineWatch::showFailure(const Error& error) {
    const QString message = QString::fromStdString(error.message());
    parts_.log.add({LogLineLevel::error, error.message()});
    parts_.notices.show({.topic = NoticeTopic::engine,
                         .severity = Severity::error,
                         .lead = tr("The engine cannot be started."),
                         .text = engineStartFailure(error),
                         .action = {},
                         .call = {},
                         .detail = message});
}

void EngineWatch::show(const EngineEndOfJob& end) {
    const QStringList messages = engineMessages(end.end);
    // Its last messages are not errors by themselves: "job 2 finished step 4 of 20".
    for (const std::string& line : end.end.last_lines) parts_.log.add({LogLineLevel::info, line});
    for (const LocalizableMessage* failure : {&end.end.cause, &end.end.restart_failure})
        if (!failure->empty()) parts_.log.add({LogLineLevel::error, failure->text});
    const bool isSetAside = end.end.job == AfterEngineEnd::set_aside;
    const bool isBack = end.end.restart_failure.empty() && !isSetAside && end.end.job != AfterEngineEnd::lost;
    Notice notice{.topic = NoticeTopic::engine,
                  .severity = isBack ? Severity::warning : Severity::error,
                  .lead = engineLead(end.end),
                  .text = (engineCause(end.end) + QLatin1Char(' ') + engineOutcome(end.end)).trimmed()};
    if (isSetAside) {
        notice.action = tr("Continue");
        notice.call = [this, job = end.job] {
            parts_.notices.clear(NoticeTopic::engine);
            parts_.bridge.resume(job);
        };
    }
    notice.detail = messages.join(QLatin1Char('\n'));
    parts_.notices.show(notice);
}

}  // namespace kinescope::ui
