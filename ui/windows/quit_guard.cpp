#include "ui/windows/quit_guard.h"

#include <QWidget>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/run_model.h"
#include "ui/windows/desktop.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_desk.h"

namespace kinescope::ui {

QuitGuard::QuitGuard(QWidget& window, const Parts& parts) : QObject(&window), window_(window), parts_(parts) {
    connect(&parts_.run, &RunModel::stateChanged, this, &QuitGuard::follow);
}

bool QuitGuard::mayQuit() {
    if (!parts_.run.running() || parts_.run.facts().stopping) return true;
    const QuitAnswer answer = ask();
    if (!parts_.run.running()) return parts_.run.state() != RunState::failed;  // it ended while the question stood
    if (answer == QuitAnswer::finishThenQuit) quitLater();
    if (answer == QuitAnswer::continueLater) parts_.desk.leaveForNextStart();
    return answer == QuitAnswer::continueLater;
}

/// The question goes by itself when there is nothing left to ask.
QuitAnswer QuitGuard::ask() {
    const QuitQuestion question = parts_.desk.quitQuestion();
    if (parts_.desktop.askQuit) return parts_.desktop.askQuit(question);
    QuitDialog dialog(parts_.theme, question, &window_);
    connect(&parts_.run, &RunModel::stateChanged, &dialog, [this, &dialog] {
        if (!parts_.run.running()) dialog.reject();
    });
    dialog.exec();
    return dialog.answer();
}

void QuitGuard::quitLater() {
    quitWhenDone_ = true;
    parts_.bridge.holdQueue();
    const auto stay = [this] {
        quitWhenDone_ = false;
        parts_.bridge.releaseQueue();
        parts_.notices.settle(NoticeTopic::ending);
    };
    parts_.notices.say({NoticeTopic::ending,
                        Severity::info,
                        tr("Kinescope closes when this video is done."),
                        {},
                        tr("Keep it open"),
                        stay});
}

/// A run that failed is not closed over: somebody has to read why.
void QuitGuard::follow(RunState state) {
    if (!quitWhenDone_ || isRunning(state) || state == RunState::paused) return;
    quitWhenDone_ = false;
    if (state != RunState::failed) return void(window_.close());
    parts_.notices.settle(NoticeTopic::ending);
    parts_.bridge.releaseQueue();
}

}  // namespace kinescope::ui
