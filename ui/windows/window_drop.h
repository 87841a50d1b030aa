#pragma once

#include <QObject>
#include <functional>

#include "ui/models/drop_rule.h"

class QMimeData;
class QWidget;

namespace kinescope::ui {

class DropHint;
class Theme;

/// Handles drops anywhere in the window. Announces the effect during the drag, and explains why content is refused.
class WindowDrop : public QObject {
    Q_OBJECT

public:
    /// The hint covers `page`. `offer` returns what the selected model accepts.
    WindowDrop(const Theme& theme, QWidget& window, QWidget& page, std::function<DropOffer()> offer);

    /// Makes the window handle files that are dropped on `field`. The field still accepts text.
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
    DropPlan plan_;  ///< of the drag over the window
};

}  // namespace kinescope::ui
