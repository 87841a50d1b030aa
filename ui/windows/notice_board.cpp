#include "ui/windows/notice_board.h"

#include <QTimer>
#include <chrono>

#include "ui/widgets/notice_strip.h"

namespace kinescope::ui {
namespace {

/// Display time of confirmations, which have no action.
constexpr std::chrono::seconds kGladTime{10};

bool goesByItself(const Notice& notice) {
    return notice.severity == Severity::ok && notice.action.isEmpty();
}

}  // namespace

NoticeBoard::NoticeBoard(NoticeStrip& strip, QObject* parent) : QObject(parent), strip_(strip) {
    connect(&strip_, &NoticeStrip::actionTriggered, this, [this] {
        const auto notice = shown_;  // keeps the notice alive, because the call can replace it
        if (notice && notice->call) notice->call();
    });
    connect(&strip_, &NoticeStrip::dismissed, this, [this] {
        const auto gone = std::exchange(shown_, std::nullopt);
        if (gone) Q_EMIT dismissed(gone->topic);
        if (!shown_) display(standing_);
    });
}

void NoticeBoard::show(const Notice& notice) {
    display(notice);
    if (!goesByItself(notice)) return;
    QTimer::singleShot(kGladTime, this, [this, number = number_] {
        if (number == number_) display(standing_);
    });
}

void NoticeBoard::focusAction() {
    strip_.focusAction();
}

void NoticeBoard::clear(NoticeTopic topic) {
    if (shown_ && shown_->topic == topic) display(standing_);
}

void NoticeBoard::clearAll() {
    if (shown_ && shown_->topic != NoticeTopic::ending) display(standing_);
}

void NoticeBoard::setStanding(const std::optional<Notice>& notice) {
    const bool stands = !shown_ || (standing_ && shown_->topic == standing_->topic);
    standing_ = notice;
    if (stands) display(standing_);
}

void NoticeBoard::display(const std::optional<Notice>& notice) {
    ++number_;
    shown_ = notice;
    if (!notice) return strip_.hide();
    strip_.setNotice(notice->severity, notice->lead, notice->text, notice->action);
    strip_.setToolTip(notice->detail);
}

}  // namespace kinescope::ui
