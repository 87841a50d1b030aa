#pragma once

#include <QWidget>

#include "ui/widgets/tokens.h"

class QLabel;

namespace kinescope::ui {

class Theme;

enum class Severity { none, ok, info, warning, error };

/// Shape and colour of a severity, the same wherever something is said.
struct SeverityLook {
    QString icon;
    ColorRole role;
};
SeverityLook lookOf(Severity severity);

/// A sentence under the field that it is about, with its shape and, if there is one, the cure as a link.
/// Hidden while there is nothing to say.
class MessageLine : public QWidget {
    Q_OBJECT

public:
    explicit MessageLine(const Theme& theme, QWidget* parent = nullptr);

    void setMessage(Severity severity, const QString& text, const QString& cure = {});
    void clear();
    Severity severity() const { return severity_; }
    QString text() const { return text_; }
    QString cure() const { return cure_; }

Q_SIGNALS:
    void cureActivated();

private:
    void present();

    const Theme& theme_;
    QLabel* icon_;
    QLabel* label_;
    Severity severity_ = Severity::none;
    QString text_;
    QString cure_;
};

}  // namespace kinescope::ui
