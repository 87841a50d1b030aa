#include "ui/windows/quit_guard.h"

#include <QApplication>
#include <QWidget>
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_controller.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::seconds kClosingInterval{1};

}  // namespace

QuitGuard::QuitGuard(QWidget& window, const Parts& parts)
    : QObject(&window), window_(window), parts_(parts), closing_(this) {
    closing_.setSingleShot(true);
    closing_.setInterval(kClosingInterval);
    connect(&closing_, &QTimer::timeout, this, &QuitGuard::closeWhenPossible);
    connect(&parts_.run, &RunModel::stateChanged, this, &QuitGuard::onRunStateChanged);
    connect(&parts_.bridge, &EngineBridge::jobsChanged, this, &QuitGuard::holdQueue);
    connect(&parts_.notices, &NoticeBoard::dismissed, this, [this](NoticeTopic topic) {
        if (topic == NoticeTopic::quitting) keepOpen();
    });
}

bool QuitGuard::mayQuit() {
    if (!parts_.run.running() || parts_.run.facts().stopping || allRunElsewhere()) return true;
    const QuitAnswer answer = askUser();
    if (answer == QuitAnswer::continueLater) {
        parts_.controller.leaveForNextStart();
        return true;
    }
    if (answer == QuitAnswer::finishThenQuit && parts_.run.running()) quitLater();
    return isDone();
}

/// Returns true if the video is finished, which closes the question, and the queue does not go on.
bool QuitGuard::isDone() const {
    const auto goesOn = [this](const Job& job) {
        const bool waits = job.state == JobState::waiting && !parts_.bridge.sleeps(job);
        return job.id != parts_.run.facts().job && (waits || job.state == JobState::running);
    };
    return parts_.run.state() == RunState::done && std::ranges::none_of(parts_.bridge.jobs(), goesOn);
}

/// Other computers go on without this window.
bool QuitGuard::allRunElsewhere() const {
    const ComputerListModel& computers = ComputerListModel::of(parts_.bridge);
    if (computers.computerOf(parts_.run.facts().job).isEmpty()) return false;
    return std::ranges::none_of(parts_.bridge.jobs(), [&](const Job& job) {
        return job.state == JobState::running && computers.computerOf(job.id).isEmpty();
    });
}

/// Asks how to quit. The dialog closes without an answer if the run ends.
QuitAnswer QuitGuard::askUser() {
    const QuitQuestion question = parts_.controller.quitQuestion();
    if (parts_.desktop.askQuit) return parts_.desktop.askQuit(question);
    QuitDialog dialog(parts_.theme, question, &window_);
    connect(&parts_.run, &RunModel::stateChanged, &dialog, [this, &dialog] {
        if (!parts_.run.running()) dialog.reject();
    });
    connect(&parts_.run, &RunModel::progressed, &dialog,
            [this, &dialog] { dialog.setQuestion(parts_.controller.quitQuestion()); });
    dialog.exec();
    return dialog.answer();
}

void QuitGuard::quitLater() {
    quitWhenDone_ = true;
    isHoldDue_ = !parts_.bridge.isHeld();
    holdQueue();
    parts_.notices.keep(NoticeTopic::quitting, [this]() -> Notice {
        return {NoticeTopic::quitting,
                Severity::info,
                tr("Kinescope closes when this video is finished."),
                {},
                tr("Keep open"),
                [this] { keepOpen(); },
                {}};
    });
}

/// Keeps the next job from starting. A queue that the user has paused stays as it is, also afterwards. While only jobs
/// of an earlier session wait, nothing starts, and releasing the queue later would wake them.
void QuitGuard::holdQueue() {
    if (!isHoldDue_) return;
    const auto sleeps = [this](const Job& job) { return parts_.bridge.sleeps(job); };
    const auto waits = [&](const Job& job) { return job.state == JobState::waiting && !sleeps(job); };
    const std::vector<Job>& jobs = parts_.bridge.jobs();
    const bool onlySleep = std::ranges::any_of(jobs, sleeps) && std::ranges::none_of(jobs, waits);
    if (onlySleep) return;
    isHoldDue_ = false;
    holdsQueue_ = true;
    parts_.bridge.holdQueue();
}

void QuitGuard::keepOpen() {
    quitWhenDone_ = isHoldDue_ = false;
    closing_.stop();
    if (std::exchange(holdsQueue_, false)) parts_.bridge.releaseQueue();
    parts_.notices.clear(NoticeTopic::quitting);
}

/// Closes the window at the end of the run, unless the run has failed, so that the user can read the error.
void QuitGuard::onRunStateChanged(RunState state) {
    if (!quitWhenDone_) return;
    closing_.stop();
    if (isRunning(state) || state == RunState::paused) return;
    if (state == RunState::failed) return keepOpen();
    closeWhenPossible();
}

void QuitGuard::closeWhenPossible() {
    const std::optional<Notice>& shown = parts_.notices.shown();
    const bool isAnnounced = shown && shown->topic == NoticeTopic::quitting;
    if (!isAnnounced || QApplication::activeModalWidget()) return closing_.start();
    quitWhenDone_ = isHoldDue_ = false;
    window_.close();
}

}  // namespace kinescope::ui
