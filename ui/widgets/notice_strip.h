#pragma once

#include <QFrame>

#include "ui/widgets/message_line.h"

class QPushButton;
class QToolButton;

namespace kinescope::ui {

/// A strip across a page: something that everyone may want to know and nobody has to answer. One action at most, and
/// a cross that sends it away. Hidden until it has something to say.
class NoticeStrip : public QFrame {
    Q_OBJECT

public:
    explicit NoticeStrip(const Theme& theme, QWidget* parent = nullptr);

    /// `lead` is set strong before `text`. An empty `action` shows no button.
    void setNotice(Severity severity, const QString& lead, const QString& text, const QString& action = {});
    Severity severity() const { return severity_; }

Q_SIGNALS:
    void actionTriggered();
    void dismissed();  ///< by its cross; the strip has hidden itself

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void present();
    ColorRole role() const;

    const Theme& theme_;
    Severity severity_ = Severity::none;
    QString lead_;
    QString text_;
    QLabel* icon_;
    QLabel* words_;
    QPushButton* action_;
    QToolButton* close_;
};

}  // namespace kinescope::ui
