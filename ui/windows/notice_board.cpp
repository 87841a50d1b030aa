#include "ui/windows/notice_board.h"

#include <QApplication>
#include <chrono>
#include <utility>

#include "ui/widgets/notice_strip.h"

namespace kinescope::ui {
namespace {

/// Display time of confirmations, which have no action, and of all notices that hide the one about quitting.
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
        if (gone) kept_.erase(gone->topic);
        if (gone) Q_EMIT dismissed(gone->topic);
        if (!shown_) displayRest();
    });
}

void NoticeBoard::show(const Notice& notice) {
    display(notice);
    // The window closes only while the notice about quitting is displayed.
    if (goesByItself(notice) || kept_.contains(NoticeTopic::quitting)) timer_.start();
}

void NoticeBoard::showInTurn(const Notice& notice) {
    const QWidget* focus = QApplication::focusWidget();
    const bool isInUse = shown_ && (shown_->severity == Severity::error || (focus && strip_.isAncestorOf(focus)));
    if (!isInUse) return show(notice);
    next_ = notice;
}

void NoticeBoard::keep(NoticeTopic topic, const std::function<Notice()>& make) {
    kept_.insert_or_assign(topic, make);
    displayRest();
}

void NoticeBoard::focusAction() {
    strip_.focusAction();
}

void NoticeBoard::clear(NoticeTopic topic) {
    kept_.erase(topic);
    if (next_ && next_->topic == topic) next_.reset();
    if (shown_ && shown_->topic == topic) displayRest();
}

void NoticeBoard::clearAll() {
    next_.reset();
    if (shown_ && shown_->topic != NoticeTopic::ending) displayRest();
}

void NoticeBoard::setStanding(const std::optional<Notice>& notice) {
    const bool stands = !shown_ || (standing_ && shown_->topic == standing_->topic);
    standing_ = notice;
    if (stands) displayRest();
}

void NoticeBoard::displayRest() {
    if (const auto next = std::exchange(next_, std::nullopt)) return show(*next);
    display(kept_.empty() ? standing_ : kept_.begin()->second());
}

void NoticeBoard::display(const std::optional<Notice>& notice) {
    timer_.stop();
    shown_ = notice;
    if (!notice) return strip_.clear();
    strip_.setNotice(notice->severity, notice->lead, notice->text, notice->action);
    strip_.setToolTip(notice->detail);
}

}  // namespace kinescope::ui
