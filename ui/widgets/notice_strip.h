#pragma once

#include <QFrame>
#include <optional>

#include "ui/widgets/message_line.h"

class QProgressBar;
class QPushButton;
class QToolButton;

namespace kinescope::ui {

enum class Dismissal { offered, none };

/// A notice across a page, with at most one action. Hidden until setNotice() is called.
class NoticeStrip : public QFrame {
    Q_OBJECT

public:
    explicit NoticeStrip(const Theme& theme, QWidget* parent = nullptr);

    /// Shows `lead` in bold before `text`. An empty `action` hides the button.
    void setNotice(Severity severity, const QString& lead, const QString& text, const QString& action = {});
    /// Hides the strip. It has no notice then.
    void clear();
    bool hasNotice() const { return severity_ != Severity::none; }
    Severity severity() const { return severity_; }
    QString text() const { return lead_ + QLatin1Char(' ') + text_; }
    /// Moves the focus to the button of the action.
    void focusAction();
    /// Shows a progress bar below the text. `share` is 0 to 1; nullopt hides the bar.
    void setProgress(std::optional<double> share);
    /// Shows or hides the close button. `none` hides it.
    void setDismissal(Dismissal dismissal);

Q_SIGNALS:
    void actionTriggered();
    void dismissed();  ///< the user pressed the close button; the strip is hidden

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void updateContent();
    ColorRole role() const;

    const Theme& theme_;
    Severity severity_ = Severity::none;
    QString lead_;
    QString text_;
    QLabel* icon_;
    QLabel* label_;
    QProgressBar* bar_;
    QPushButton* action_;
    QToolButton* close_;
};

}  // namespace kinescope::ui
