#pragma once

#include <QObject>
#include <functional>

#include "ui/models/drop_rule.h"

class QMimeData;
class QWidget;

namespace kinescope::ui {

class DropHint;
class Theme;

/// Handles drops anywhere on the window: announces the effect beforehand, and never ignores a drop.
class WindowDrop : public QObject {
    Q_OBJECT

public:
    /// `page`: covered by the hint. `offer`: returns what the selected model accepts.
    WindowDrop(const Theme& theme, QWidget& window, QWidget& page, std::function<DropOffer()> offer);

    /// Passes files dropped on this field to the window; the field keeps text.
    void passFilesOf(QWidget& field);
    DropHint* hint() const { return hint_; }

Q_SIGNALS:
    void dropped(const kinescope::ui::DropPlan& plan);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    DropPlan planOf(const QMimeData& mime) const;

    QWidget& window_;
    std::function<DropOffer()> offer_;
    DropHint* hint_;
};

}  // namespace kinescope::ui
