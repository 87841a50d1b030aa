#include "ui/text/computer_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/api/fetched_job.h"
#include "core/api/slurm_reason.h"
#include "ui/text/error_message.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ComputerWords)
};

QString stateName(ComputerState state) {
    switch (state) {
        case ComputerState::idle:
            return Tr::tr("Not connected");
        case ComputerState::connecting:
            return Tr::tr("Connecting…");
        case ComputerState::connected:
            return Tr::tr("Connected");
        case ComputerState::unreachable:
            return Tr::tr("Can't be reached");
    }
    return {};
}

/// Names both versions, if they are known.
QString versionText(const Error& error) {
    const QString there = errorArgument(error, "engine");
    const QString here = errorArgument(error, "program");
    if (there.isEmpty() || here.isEmpty())
        return Tr::tr("Another version of Kinescope runs there. Install the same version on both computers.");
    if (there == here)
        return Tr::tr(
                   "Kinescope %1 runs on both computers, but in two builds that do not fit. Install the same build on "
                   "both.")
            .arg(here);
    return Tr::tr(
               "Kinescope %1 runs there, %2 here. Install the same version on both computers. An engine of the old "
               "version ends 10 minutes after its last job.")
        .arg(there, here);
}

QString causeText(const std::string& cause) {
    if (cause == "unknown_host")
        return Tr::tr(
            "The computer can't be found. Check its name, and whether it is switched on and in the same network.");
    if (cause == "refused") return Tr::tr("No SSH server answers there. Install and start one.");
    if (cause == "no_key")
        return Tr::tr("SSH was refused. Set up a key that needs no password: ssh-keygen, then ssh-copy-id.");
    if (cause == "unknown_key")
        return Tr::tr(
            "SSH does not know the key of the computer yet. Connect once with ssh in a terminal, and confirm the key.");
    if (cause == "changed_key")
        return Tr::tr(
            "The SSH key of the computer has changed. Another computer may answer in its place. If you expect the "
            "change, delete the old key with ssh-keygen -R.");
    if (cause == "not_engine")
        return Tr::tr(
            "The command ran, but what answered is not “kinescope-cli serve”. It starts another program, or the shell "
            "there prints text before Kinescope starts.");
    if (cause == "no_greeting")
        return Tr::tr("The command runs, but it does not answer as “kinescope-cli serve” does.");
    if (cause == "other")
        return Tr::tr("The command ended before “kinescope-cli serve” answered. Run it in a terminal to see why.");
    if (cause == "no_program")
        return Tr::tr(
            "kinescope-cli was not found there. Install Kinescope there, or write its full path in the command.");
    if (cause == "no_program_here") return Tr::tr("The program in the command was not found on this computer.");
    if (cause == "refused_options")
        return Tr::tr("The options in the command are refused there. Check their spelling and Kinescope's version.");
    if (cause == "no_slurm") return Tr::tr("Slurm was not found there. Use the login node of a cluster.");
    if (cause == "not_kept")
        return Tr::tr("The command starts an engine that ends with the connection. Add --keep after serve.");
    if (cause == "disk_full") return Tr::tr("The disk of the computer is full.");
    if (cause == "storage_full") return Tr::tr("The shared storage of the cluster is full.");
    if (cause == "not_writable") return Tr::tr("The folder for jobs can't be written there.");
    if (cause == "lost") return Tr::tr("The connection was lost. Jobs go on there.");
    if (cause == "job_gone") return Tr::tr("The job is no longer in the queue there.");
    return {};
}

/// Why the list of computers is not saved.
QString refusalText(const std::string& cause, const Error& error) {
    const QString name = errorArgument(error, "computer");
    if (cause == "open_jobs")
        return Tr::
            tr("“%1” can't be removed: %Ln of its jobs are not over. Remove them from the queue, or wait until they "
               "are finished.",
               nullptr, errorArgument(error, "count").toInt())
                .arg(name);
    if (cause == "no_folder_here")
        return Tr::tr("The folder “%1” in Model folders does not exist on this computer.")
            .arg(errorArgument(error, "path"));
    if (cause == "name_empty") return Tr::tr("Enter a name for the computer.");
    if (cause == "name_long") return Tr::tr("The name “%1” is longer than 40 bytes.").arg(name);
    if (cause == "name_control") return Tr::tr("The name “%1” contains a control character.").arg(name);
    if (cause == "name_spaces") return Tr::tr("The name “%1” begins or ends with a space.").arg(name);
    if (cause == "name_taken") return Tr::tr("Another computer has the name “%1”.").arg(name);
    if (cause == "command_long") return Tr::tr("The command is longer than 4096 bytes.");
    if (cause == "command_control") return Tr::tr("The command contains a control character.");
    if (cause == "command_open") return Tr::tr("The command ends inside quotes or after a backslash.");
    if (cause == "command_empty") return Tr::tr("The command names no program.");
    return {};
}

QString knownCause(const Error& error) {
    const std::string cause = errorArgument(error, "cause").toStdString();
    if (cause == "other_version") return versionText(error);
    const QString refusal = refusalText(cause, error);
    return refusal.isEmpty() ? causeText(cause) : refusal;
}

/// Whether the text for the cause of an error says all that its message says.
bool isWholeMessage(const Error& error) {
    const std::string cause = errorArgument(error, "cause").toStdString();
    return cause == "not_engine" || cause == "no_greeting" || cause == "other" || !refusalText(cause, error).isEmpty();
}

}  // namespace

QString computerStateText(const ComputerStatus& status) {
    const QString state = stateName(status.state);
    if (status.num_open_jobs == 0) return state;
    return Tr::tr("%1, %2", "state, jobs").arg(state, Tr::tr("%Ln open jobs", nullptr, status.num_open_jobs));
}

QString computerErrorText(const Error& error) {
    const QString known = knownCause(error);
    const QString refusal = errorArgument(error, "refusal");
    if (!known.isEmpty()) return known;
    return asSentence(refusal.isEmpty() ? QString::fromStdString(error.message()) : refusal);
}

bool isOfConnection(const Error& error) {
    return !errorArgument(error, "refusal").isEmpty() || !knownCause(error).isEmpty();
}

QString computerErrorDetail(const Error& error) {
    const QString lines = errorArgument(error, "lines");
    if (!lines.isEmpty() || isWholeMessage(error)) return lines;
    const QString hint = QString::fromStdString(error.hint());
    const bool isKnown = !knownCause(error).isEmpty();
    return isKnown ? (QString::fromStdString(error.message()) + QLatin1Char('\n') + hint).trimmed() : hint;
}

QString goesOnText(const QString& computer) {
    return Tr::tr("No connection to “%1”; the run goes on there").arg(computer);
}

QString finishedThereText(const QString& computer) {
    return Tr::tr("No connection to “%1”; the video is finished there").arg(computer);
}

QString waitReasonText(const Job& job) {
    if (is_fetched(job)) return Tr::tr("the result is being fetched");
    const QString reason = QString::fromStdString(job.waits_for);
    switch (slurm_reason(job.waits_for)) {
        case SlurmReason::none:
            return {};
        case SlurmReason::resources:
            return Tr::tr("waits for free resources of the cluster");
        case SlurmReason::priority:
            return Tr::tr("other jobs of the cluster come first");
        case SlurmReason::begin_time:
            return Tr::tr("Slurm starts it later: two minutes after a requeue, or at the time of --begin");
        case SlurmReason::nodes_not_available:
            return Tr::tr("the nodes that it needs are not available");
        case SlurmReason::time_limit:
            return Tr::tr("its time limit is larger than the partition allows");
        case SlurmReason::held:
            return Tr::tr("it is held; scontrol release lets it start");
        case SlurmReason::quota:
            return Tr::tr("a quota of the cluster: %1").arg(reason);
        case SlurmReason::storage_full:
            return Tr::tr("the shared storage is full: steps are not saved, and progress is not reported");
        case SlurmReason::other:
            break;
    }
    return Tr::tr("Slurm: %1", "why a job waits").arg(reason);
}

}  // namespace kinescope::ui
