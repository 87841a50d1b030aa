#include "ui/windows/queue_end.h"

#include <QApplication>
#include <QWidget>
#include <chrono>
#include <optional>
#include <utility>

#include "ui/models/queue_model.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::seconds kTick{1};
constexpr int kTicksToCallOff = 30;

}  // namespace

QueueEnd::QueueEnd(QWidget& window, const Parts& parts)
    : QObject(&window), window_(window), parts_(parts), closing_(this) {
    closing_.setInterval(kTick);
    connect(&closing_, &QTimer::timeout, this, &QueueEnd::countDown);
    connect(&parts_.queue, &QueueModel::changed, this, &QueueEnd::onQueueChanged);
}

void QueueEnd::onQueueChanged() {
    for (int row = 0; row < parts_.queue.rowCount(); ++row)
        if (!is_over(parts_.queue.job(row).state)) begun_.insert(parts_.queue.job(row).id);
    if (parts_.queue.numOpen() == 0 && !begun_.isEmpty()) return carryOut();
    if (parts_.queue.numOpen() > 0 && isClosing()) callOff();
}

void QueueEnd::carryOut() {
    int finished = 0;
    int failed = 0;
    for (const JobId job : std::exchange(begun_, {})) {
        const int row = parts_.queue.rowOf(job);
        if (row < 0) continue;
        finished += parts_.queue.job(row).state == JobState::finished ? 1 : 0;
        failed += parts_.queue.job(row).state == JobState::failed ? 1 : 0;
    }
    if (finished + failed == 0) return;
    const QString wish = parts_.preferences.value(setting::kWhenQueueDone).toString();
    if (wish == QLatin1String("notify")) Q_EMIT ended(finished, failed);
    if (wish == QLatin1String("close") && failed == 0) closeSoon();
}

/// Closes the window soon, unless a job has failed, so that the user can read the error.
void QueueEnd::closeSoon() {
    ticksLeft_ = kTicksToCallOff;
    closing_.start();
    parts_.showNotices();
    parts_.notices.show({NoticeTopic::ending, Severity::info, tr("The queue is finished."),
                         tr("Kinescope closes in 30 seconds."), tr("Keep open"), [this] { callOff(); }});
}

void QueueEnd::countDown() {
    if (!isNoticeShown()) return closing_.stop();
    if (QApplication::activeModalWidget()) {
        ticksLeft_ = kTicksToCallOff;
    } else if (--ticksLeft_ <= 0) {
        closing_.stop();
        window_.close();
    }
}

bool QueueEnd::isNoticeShown() const {
    const std::optional<Notice>& shown = parts_.notices.shown();
    return shown && shown->topic == NoticeTopic::ending;
}

void QueueEnd::callOff() {
    closing_.stop();
    parts_.notices.clear(NoticeTopic::ending);
}

}  // namespace kinescope::ui
