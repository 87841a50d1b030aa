#pragma once

#include <QWidget>
#include <functional>

#include "ui/widgets/tokens.h"

class QLabel;

namespace kinescope::ui {

class Theme;

enum class Severity { none, ok, info, warning, error };

/// Icon and color of a severity.
struct SeverityLook {
    QString icon;
    ColorRole role;
};
SeverityLook lookOf(Severity severity);

/// A message below a field: icon, sentence and an optional link that fixes the problem. Hidden while empty.
class MessageLine : public QWidget {
    Q_OBJECT

public:
    explicit MessageLine(const Theme& theme, QWidget* parent = nullptr);

    void setMessage(Severity severity, const QString& text, const QString& fix = {});
    /// Shows a text that follows the language: calls `text` now and after each language change.
    void setMessageInEveryLanguage(Severity severity, std::function<QString()> text);
    void clear();
    Severity severity() const { return severity_; }
    QString text() const { return text_; }
    QString fix() const { return fix_; }

Q_SIGNALS:
    void fixActivated();

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateContent();

    const Theme& theme_;
    QLabel* icon_;
    QLabel* label_;
    Severity severity_ = Severity::none;
    QString text_;
    QString fix_;
    std::function<QString()> words_;  ///< returns the text in the current language; empty: the text does not follow it
};

}  // namespace kinescope::ui
