#pragma once

#include <QWidget>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

/// The shape of a state in its colour, 18 px: said by the words beside it, so it takes no part in reading aloud.
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
