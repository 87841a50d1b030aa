#pragma once

#include <QObject>
#include <functional>

#include "ui/models/drop_rule.h"

class QMimeData;
class QWidget;

namespace kinescope::ui {

class DropHint;
class Theme;

/// Takes what is dropped anywhere on the window: says beforehand what will happen, and never ignores a drop.
class WindowDrop : public QObject {
    Q_OBJECT

public:
    /// `page` is covered by the hint. `offer` fills in what the chosen model takes.
    WindowDrop(const Theme& theme, QWidget& window, QWidget& page, std::function<DropOffer()> offer);

    /// Files dropped on such a field go to the window; words stay the field's own.
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
