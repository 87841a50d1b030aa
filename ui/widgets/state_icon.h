#pragma once

#include <QWidget>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

/// An 18 px severity icon. It has no accessible name, because the text next to it states the severity.
class StateIcon : public QWidget {
    Q_OBJECT

public:
    StateIcon(const Theme& theme, Severity severity, QWidget* parent = nullptr);

    void setSeverity(Severity severity);
    Severity severity() const { return severity_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    Severity severity_;
};

}  // namespace kinescope::ui
