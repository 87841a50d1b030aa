#include "ui/widgets/plots/plot_widget.h"

#include <QEvent>

#include "ui/widgets/help_button.h"

namespace kinescope::ui {

PlotWidget::PlotWidget(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Chart, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PlotWidget::setTitle(const QString& title, const QString& short_title) {
    header_.title = title;
    header_.short_title = short_title;
    setAccessibleName(title);
    placeHelp();
    update();
}

void PlotWidget::setHelp(const QString& address) {
    help_ = new HelpButton(theme(), address, this);
    placeHelp();
}

void PlotWidget::placeHelp() {
    if (help_) placePlotHelp(*help_, theme(), header_, headerWidth());
}

bool PlotWidget::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::Show:
        case QEvent::Resize:
        case QEvent::FontChange:
        case QEvent::StyleChange:
            placeHelp();
            break;
        default:
            break;
    }
    return PaintedWidget::event(event);
}

void PlotWidget::setValue(const QString& value, ColorRole role, const QString& remark) {
    header_.value = value;
    header_.value_role = role;
    header_.remark = remark;
    placeHelp();
    update();
}

}  // namespace kinescope::ui
