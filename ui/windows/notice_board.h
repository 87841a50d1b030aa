#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

class NoticeStrip;

/// Topic of a notice. A notice disappears when its topic is settled. Of several kept notices, that of the first topic
/// is displayed.
enum class NoticeTopic { demo, model, settings, editing, queue, file, ending, quitting, engine, connection, waiting };

struct Notice {
    NoticeTopic topic = NoticeTopic::file;
    Severity severity = Severity::info;
    QString lead;  ///< shown in bold before the text
    QString text;
    QString action;              ///< label of the button; empty: no button
    std::function<void()> call;  ///< action of the button
    QString detail;              ///< tooltip: the engine's message
};

/// Selects the notice of the Create page: the newest one until its topic is settled, the user dismisses it or, for
/// confirmations, some seconds have passed. After that, a kept notice or the standing one, if there is one.
class NoticeBoard : public QObject {
    Q_OBJECT

public:
    explicit NoticeBoard(NoticeStrip& strip, QObject* parent = nullptr);

    void show(const Notice& notice);
    /// Shows a notice or, if the displayed one is an error or has the focus, after that one.
    void showInTurn(const Notice& notice);
    /// Shows the notice of a topic that stays until the topic is cleared or the user dismisses it. Other notices hide
    /// it while they are displayed; that about quitting they hide only for some seconds. `make` returns the notice in
    /// the language of the window.
    void keep(NoticeTopic topic, const std::function<Notice()>& make);
    /// Moves the focus to the button of the displayed notice.
    void focusAction();
    /// Removes the notice of a topic.
    void clear(NoticeTopic topic);
    /// Removes all notices except the kept and the standing ones, and the one about closing.
    void clearAll();
    /// Sets the notice that is shown when there is no other.
    void setStanding(const std::optional<Notice>& notice);
    /// Returns the displayed notice, or nullopt if the strip is hidden.
    const std::optional<Notice>& shown() const { return shown_; }

Q_SIGNALS:
    /// Emitted when the user has dismissed a notice.
    void dismissed(kinescope::ui::NoticeTopic topic);

private:
    void display(const std::optional<Notice>& notice);
    /// Displays the notice that is shown after the others.
    void displayRest();

    NoticeStrip& strip_;
    std::optional<Notice> shown_;
    std::map<NoticeTopic, std::function<Notice()>> kept_;
    std::optional<Notice> standing_;
    std::optional<Notice> next_;  ///< the notice that is shown after the displayed one
    QTimer timer_;                ///< runs while a notice is displayed that goes by itself
};

}  // namespace kinescope::ui
