#include "ui/windows/notice_board.h"

#include <QTimer>
#include <chrono>

#include "ui/widgets/notice_strip.h"

namespace kinescope::ui {
namespace {

/// Long enough to be read, for what needs no answer.
constexpr std::chrono::seconds kGladTime{10};

bool goesByItself(const Notice& notice) {
    return notice.severity == Severity::ok && notice.action.isEmpty();
}

}  // namespace

NoticeBoard::NoticeBoard(NoticeStrip& strip, QObject* parent) : QObject(parent), strip_(strip) {
    connect(&strip_, &NoticeStrip::actionTriggered, this, [this] {
        const auto notice = shown_;  // the call may put another one in its place
        if (notice && notice->call) notice->call();
    });
    connect(&strip_, &NoticeStrip::dismissed, this, [this] {
        const auto gone = std::exchange(shown_, std::nullopt);
        if (gone) Q_EMIT dismissed(gone->topic);
        if (!shown_) show(standing_);
    });
}

void NoticeBoard::say(const Notice& notice) {
    show(notice);
    if (!goesByItself(notice)) return;
    QTimer::singleShot(kGladTime, this, [this, number = number_] {
        if (number == number_) show(standing_);
    });
}

void NoticeBoard::settle(NoticeTopic topic) {
    if (shown_ && shown_->topic == topic) show(standing_);
}

void NoticeBoard::settleAll() {
    if (shown_ && shown_->topic != NoticeTopic::ending) show(standing_);
}

void NoticeBoard::setStanding(const std::optional<Notice>& notice) {
    const bool stands = !shown_ || (standing_ && shown_->topic == standing_->topic);
    standing_ = notice;
    if (stands) show(standing_);
}

void NoticeBoard::show(const std::optional<Notice>& notice) {
    ++number_;
    shown_ = notice;
    if (!notice) return strip_.hide();
    strip_.setNotice(notice->severity, notice->lead, notice->words, notice->action);
    strip_.setToolTip(notice->detail);
}

}  // namespace kinescope::ui
