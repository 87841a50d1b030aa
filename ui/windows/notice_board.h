#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

class NoticeStrip;

/// What a notice is about. It goes when that is over.
enum class NoticeTopic { demo, model, settings, queue, file, ending };

struct Notice {
    NoticeTopic topic = NoticeTopic::file;
    Severity severity = Severity::info;
    QString lead;  ///< set strong before the words
    QString words;
    QString action;              ///< empty: no button
    std::function<void()> call;  ///< what the button does
    QString detail;              ///< the strip's tooltip: the engine's own line
};

/// Decides what the strip of the Create page says: the newest notice, until what it is about is over, it is sent away,
/// or, when it only says that all went well, some seconds have passed; then the standing notice, if there is one.
class NoticeBoard : public QObject {
    Q_OBJECT

public:
    explicit NoticeBoard(NoticeStrip& strip, QObject* parent = nullptr);

    void say(const Notice& notice);
    /// What was said of that does not hold any more.
    void settle(NoticeTopic topic);
    /// Nothing that was said holds any more, but for what stands.
    void settleAll();
    /// What is said while there is nothing else.
    void setStanding(const std::optional<Notice>& notice);
    /// What is said at this moment; nothing: the strip is hidden.
    const std::optional<Notice>& shown() const { return shown_; }

Q_SIGNALS:
    /// The user sent it away.
    void dismissed(kinescope::ui::NoticeTopic topic);

private:
    void show(const std::optional<Notice>& notice);

    NoticeStrip& strip_;
    std::optional<Notice> shown_;
    std::optional<Notice> standing_;
    int number_ = 0;  ///< of the notice on show: a later one is not taken away by the timer of an earlier one
};

}  // namespace kinescope::ui
