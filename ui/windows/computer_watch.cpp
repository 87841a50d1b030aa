#include "ui/windows/computer_watch.h"

#include <QSettings>
#include <algorithm>
#include <chrono>

#include "core/api/fetched_job.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/run_model.h"
#include "ui/text/computer_words.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {

namespace {

constexpr const char* kRunsOn = "runsOn";

/// Shorter interruptions are not worth a notice.
constexpr std::chrono::milliseconds kShort{2000};

}  // namespace

ComputerWatch::ComputerWatch(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), computers_(ComputerListModel::of(parts.bridge)) {
    lost_.setSingleShot(true);
    lost_.setInterval(kShort);
    connect(&lost_, &QTimer::timeout, this, &ComputerWatch::showLoss);
    connect(&computers_, &ComputerListModel::changed, this, &ComputerWatch::follow);
    connect(&parts_.run, &RunModel::stateChanged, this, &ComputerWatch::follow);
    connect(&parts_.bridge, &EngineBridge::jobsChanged, this, &ComputerWatch::follow);
    connect(&computers_, &ComputerListModel::changed, this, &ComputerWatch::selectAgain);
    connect(&computers_, &ComputerListModel::chosenChanged, this, [this] {
        isSelected_ = true;
        parts_.settings.setValue(QLatin1String(kRunsOn), QString::fromStdString(computers_.chosen()));
    });
}

/// Selects the computer of the last session, if there still is one of this name.
void ComputerWatch::selectAgain() {
    const std::string name = parts_.settings.value(QLatin1String(kRunsOn)).toString().toStdString();
    if (isSelected_ || computers_.rowOf(name) == 0) return;
    isSelected_ = true;
    computers_.choose(name);
}

JobId ComputerWatch::jobOfRun() const {
    if (!parts_.run.running()) return 0;
    const RunFacts& run = parts_.run.facts();
    if (run.job != 0) return run.job;
    if (run.request.output.file.empty()) return 0;
    const auto& jobs = parts_.bridge.jobs();
    const auto found = std::ranges::find_if(jobs, [&run](const Job& job) {
        return !is_over(job.state) && job.request.output.file == run.request.output.file;
    });
    return found == jobs.end() ? 0 : found->id;
}

Contact ComputerWatch::contactTo(JobId job) const {
    const auto& jobs = parts_.bridge.jobs();
    const auto found = std::ranges::find(jobs, job, &Job::id);
    return found != jobs.end() && is_fetched(*found) ? Contact::over : Contact::present;
}

const ComputerStatus* ComputerWatch::computerOfRun() const {
    const JobId job = jobOfRun();
    return job == 0 ? nullptr : computers_.statusOf(job);
}

void ComputerWatch::follow() {
    const ComputerStatus* computer = computerOfRun();
    const JobId job = jobOfRun();
    if (computer != nullptr && computer->state == ComputerState::connected) reached_ = job;
    if (computer != nullptr && computer->state != ComputerState::connected && reached_ != job) {
        lost_.stop();
        if (computer->state == ComputerState::unreachable) showUnreachable(job, *computer);
        return;  // while it is tried again, the notice stays
    }
    if (computer != nullptr && computer->state != ComputerState::connected && reached_ == job) {
        if (!lost_.isActive() && parts_.run.contact() != Contact::lost) lost_.start();
        return;
    }
    lost_.stop();
    told_ = {};
    const Contact contact = contactTo(job);
    if (parts_.run.contact() == contact) return;
    parts_.run.setContact(contact);
    parts_.notices.clear(NoticeTopic::connection);
}

/// Shows a notice only for a new reason, because the user may have closed the last one.
void ComputerWatch::showUnreachable(JobId job, const ComputerStatus& computer) {
    const QString cause = computer.error ? computerErrorText(*computer.error) + QLatin1Char(' ') : QString();
    if (std::exchange(told_, {job, cause}) == std::pair(job, cause)) return;
    parts_.run.setContact(Contact::lost);
    parts_.notices.show({.topic = NoticeTopic::connection,
                         .severity = Severity::warning,
                         .lead = tr("“%1” can't be reached.").arg(QString::fromStdString(computer.computer.name)),
                         .text = cause + tr("The video waits in the queue. Kinescope tries again."),
                         .action = {},
                         .call = {},
                         .detail = computer.error ? computerErrorDetail(*computer.error) : QString()});
}

void ComputerWatch::showLoss() {
    const ComputerStatus* computer = computerOfRun();
    if (computer == nullptr) return;
    parts_.run.setContact(Contact::lost, QString::fromStdString(computer->computer.name));
    parts_.notices.show(
        {.topic = NoticeTopic::connection,
         .severity = Severity::warning,
         .lead = tr("The connection to “%1” was lost.").arg(QString::fromStdString(computer->computer.name)),
         .text = contactTo(jobOfRun()) == Contact::over
                     ? tr("The video is finished there. Kinescope tries to connect again and fetches it then.")
                     : tr("The video continues there. Kinescope tries to connect again."),
         .action = {},
         .call = {},
         .detail = computer->error ? computerErrorText(*computer->error) : QString()});
}

}  // namespace kinescope::ui
