#include "ui/text/engine_words.h"

#include <QCoreApplication>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(EngineWords)
};

QString value(const std::map<std::string, std::string>& values, const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? QString() : QString::fromStdString(found->second);
}
QString value(const LocalizableMessage& message, const char* name) {
    return value(message.values, name);
}

/// A line that fits into a sentence; the whole one is in the log.
QString shortened(const std::string& line) {
    constexpr int kLongest = 160;
    const QString text = QString::fromStdString(line);
    if (text.size() <= kLongest) return text;
    const int end = text.at(kLongest - 1).isHighSurrogate() ? kLongest - 1 : kLongest;
    return text.left(end) + QChar(0x2026);
}

/// What a signal means; empty: unknown.
QString meaningOf(const QString& signal) {
    if (signal == QLatin1String("SIGSEGV")) return Tr::tr("it accessed memory that is not its own");
    if (signal == QLatin1String("SIGBUS")) return Tr::tr("a file or memory that it used disappeared");
    if (signal == QLatin1String("SIGFPE")) return Tr::tr("an invalid arithmetic operation, often in a driver");
    if (signal == QLatin1String("SIGILL")) return Tr::tr("it used an instruction that this CPU does not have");
    if (signal == QLatin1String("SIGABRT")) return Tr::tr("a library gave up");
    if (signal == QLatin1String("SIGKILL"))
        return Tr::tr("it was killed from outside, often because the computer ran out of memory");
    return {};
}

}  // namespace

QString engineLead(const EngineEnded& end) {
    const QString computer = value(end.cause, "computer");
    return computer.isEmpty() ? Tr::tr("The engine stopped unexpectedly.")
                              : Tr::tr("The engine on “%1” stopped unexpectedly.").arg(computer);
}

QString engineCause(const EngineEnded& end) {
    const LocalizableMessage& cause = end.cause;
    if (cause.code == "signal") {
        const QString signal = value(cause, "signal");
        const QString meaning = meaningOf(signal);
        return meaning.isEmpty() ? Tr::tr("It was ended by %1.").arg(signal)
                                 : Tr::tr("It was ended by %1: %2.").arg(signal, meaning);
    }
    if (cause.code == "silent")
        return Tr::tr("It did not answer for %1 s and was stopped.").arg(value(cause, "seconds"));
    if (cause.code == "exit_code") return Tr::tr("It ended with exit code %1.").arg(value(cause, "exit_code"));
    if (cause.code == "invalid_message") return Tr::tr("It sent an invalid message and was stopped.");
    if (cause.code == "ended_there")
        return end.last_lines.empty() ? QString()
                                      : Tr::tr("Its last message was “%1”.").arg(shortened(end.last_lines.back()));
    if (cause.code == "device_lost") return Tr::tr("The GPU stopped working, and no process that used it can go on.");
    if (cause.code == "stuck")
        return Tr::tr(
            "It closed its output, but its process cannot be ended, probably because of a driver or a disk "
            "that does not answer.");
    return QString::fromStdString(cause.text);
}

QString engineStartFailure(const Error& error) {
    const QString path = value(error.arguments(), "path");
    const QString engine = value(error.arguments(), "engine");
    const QString window = value(error.arguments(), "program");
    if (value(error.arguments(), "reason") == QLatin1String("missing"))
        return Tr::tr("The program %1 is missing. Install Kinescope again, then restart it.").arg(path);
    if (!engine.isEmpty() && engine == window)
        return Tr::tr(
                   "kinescope-cli beside the window is another build of version %1. Install both from the same "
                   "package, then restart Kinescope.")
            .arg(engine);
    if (!engine.isEmpty())
        return Tr::tr(
                   "kinescope-cli beside the window is version %1, but the window is version %2. Install both from "
                   "the same package, then restart Kinescope.")
            .arg(engine, window);
    return Tr::tr(
        "Without it, Kinescope cannot generate videos. If files of the program are missing, install "
        "Kinescope again. Then restart it.");
}

QString engineOutcome(const EngineEnded& end) {
    if (!end.restart_failure.empty()) return Tr::tr("No new engine could be started.");
    switch (end.job) {
        case AfterEngineEnd::no_job:
            return Tr::tr("A new engine is running.");
        case AfterEngineEnd::goes_on:
            return Tr::tr("A new engine continues the job after its last finished step.");
        case AfterEngineEnd::set_aside:
            return Tr::tr(
                "The job has ended its engine twice, so it is set aside with its finished steps. The other "
                "jobs go on in a new engine.");
        case AfterEngineEnd::lost:
            return Tr::tr("The job was not saved on disk and is lost. The other jobs go on in a new engine.");
    }
    return {};
}

QStringList engineMessages(const EngineEnded& end) {
    QStringList lines;
    for (const std::string& line : end.last_lines) lines << QString::fromStdString(line);
    for (const LocalizableMessage* message : {&end.cause, &end.restart_failure})
        if (!message->empty()) lines << QString::fromStdString(message->text);
    return lines;
}

}  // namespace kinescope::ui
