#include "ui/widgets/fitted_width.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>

namespace kinescope::ui {
namespace {

class WidthFitter : public QObject {
public:
    WidthFitter(QWidget& widget, int px) : QObject(&widget), widget_(widget), px_(px) {
        widget.installEventFilter(this);
        fit();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) fit();
        return false;
    }

private:
    void fit() {
        const int width = std::max(px_, widget_.minimumSizeHint().width());
        if (widget_.minimumWidth() != width) widget_.setFixedWidth(width);
    }

    QWidget& widget_;
    int px_;
};

}  // namespace

void setFittedWidth(QWidget& widget, int px) {
    new WidthFitter(widget, px);
}

}  // namespace kinescope::ui
