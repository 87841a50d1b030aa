#include "ui/windows/queue_end.h"

#include <QWidget>
#include <chrono>
#include <utility>

#include "ui/models/queue_model.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::seconds kTimeToCallOff{30};

}  // namespace

QueueEnd::QueueEnd(QWidget& window, const Parts& parts) : QObject(&window), window_(window), parts_(parts) {
    closing_.setSingleShot(true);
    closing_.setInterval(kTimeToCallOff);
    connect(&closing_, &QTimer::timeout, &window_, &QWidget::close);
    connect(&parts_.queue, &QueueModel::changed, this, &QueueEnd::look);
}

void QueueEnd::look() {
    for (int row = 0; row < parts_.queue.rowCount(); ++row)
        if (!is_over(parts_.queue.job(row).state)) begun_.insert(parts_.queue.job(row).id);
    if (parts_.queue.numOpen() == 0 && !begun_.isEmpty()) return act();
    if (parts_.queue.numOpen() > 0 && isClosing()) {
        closing_.stop();
        parts_.notices.settle(NoticeTopic::ending);
    }
}

void QueueEnd::act() {
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

/// A failure is not closed over: somebody has to read why.
void QueueEnd::closeSoon() {
    closing_.start();
    const auto stay = [this] {
        closing_.stop();
        parts_.notices.settle(NoticeTopic::ending);
    };
    parts_.notices.say({NoticeTopic::ending, Severity::info, tr("The queue is done."),
                        tr("Kinescope closes in half a minute."), tr("Keep it open"), stay});
}

}  // namespace kinescope::ui
