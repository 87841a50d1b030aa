#include "ui/widgets/page_stack.h"

#include <QLayout>
#include <algorithm>

namespace kinescope::ui {

PageStack::PageStack(QWidget* parent) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
}

QSize PageStack::minimumSizeHint() const {
    const QWidget* page = currentWidget();
    return page ? page->minimumSizeHint().expandedTo(page->minimumSize()) : QSize();
}

int PageStack::heightForWidth(int width) const {
    const QWidget* page = currentWidget();
    const QLayout* layout = page ? page->layout() : nullptr;
    const int least = minimumSizeHint().height();
    return layout && layout->hasHeightForWidth() ? std::max(least, layout->minimumHeightForWidth(width)) : least;
}

}  // namespace kinescope::ui
