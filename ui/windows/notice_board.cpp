#include "ui/windows/notice_board.h"

#include <chrono>
#include <utility>

#include "ui/widgets/notice_strip.h"

namespace kinescope::ui {
namespace {

/// Display time of confirmations, which have no action, and of all notices that replace a kept one.
constexpr std::chrono::seconds kShortTime{10};

bool goesByItself(const Notice& notice) {
    return notice.severity == Severity::ok && notice.action.isEmpty();
}

}  // namespace

NoticeBoard::NoticeBoard(NoticeStrip& strip, QObject* parent) : QObject(parent), strip_(strip), timer_(this) {
    timer_.setSingleShot(true);
    timer_.setInterval(kShortTime);
    connect(&timer_, &QTimer::timeout, this, &NoticeBoard::displayRest);
    connect(&strip_, &NoticeStrip::actionTriggered, this, [this] {
        const auto notice = shown_;  // keeps the notice alive, because the call can replace it
        if (notice && notice->call) notice->call();
    });
    connect(&strip_, &NoticeStrip::dismissed, this, [this] {
        const auto gone = std::exchange(shown_, std::nullopt);
        if (gone && kept_ && gone->topic == kept_->topic) kept_.reset();
        if (gone) Q_EMIT dismissed(gone->topic);
        if (!shown_) displayRest();
    });
}

void NoticeBoard::show(const Notice& notice) {
    display(notice);
    if (kept_ || goesByItself(notice)) timer_.start();
}

void NoticeBoard::keep(const Notice& notice) {
    kept_ = notice;
    displayRest();
}

void NoticeBoard::focusAction() {
    strip_.focusAction();
}

void NoticeBoard::clear(NoticeTopic topic) {
    if (kept_ && kept_->topic == topic) kept_.reset();
    if (shown_ && shown_->topic == topic) displayRest();
}

void NoticeBoard::clearAll() {
    if (shown_ && shown_->topic != NoticeTopic::ending) displayRest();
}

void NoticeBoard::setStanding(const std::optional<Notice>& notice) {
    const bool stands = !shown_ || (standing_ && shown_->topic == standing_->topic);
    standing_ = notice;
    if (stands) displayRest();
}

void NoticeBoard::displayRest() {
    display(kept_ ? kept_ : standing_);
}

void NoticeBoard::display(const std::optional<Notice>& notice) {
    timer_.stop();
    shown_ = notice;
    if (!notice) return strip_.clear();
    strip_.setNotice(notice->severity, notice->lead, notice->text, notice->action);
    strip_.setToolTip(notice->detail);
}

}  // namespace kinescope::ui
