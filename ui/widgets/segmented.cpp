#include "ui/widgets/segmented.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

Segmented::Segmented(const Theme&, QWidget* parent) : QFrame(parent), group_(new QButtonGroup(this)) {
    setProperty("role", "segmented");
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(0);
    connect(group_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) Q_EMIT currentChanged(id);
    });
}

void Segmented::setItems(const QStringList& texts) {
    const QSignalBlocker quiet(this);
    qDeleteAll(group_->buttons());
    for (int i = 0; i < texts.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        group_->addButton(button, i);
        layout()->addWidget(button);
    }
    setTexts(texts);
    setCurrentIndex(0);
}

void Segmented::setTexts(const QStringList& texts) {
    for (int i = 0; i < texts.size() && i < count(); ++i) {
        group_->button(i)->setText(texts[i]);
        group_->button(i)->setAccessibleName(texts[i]);
    }
}

void Segmented::setItemToolTip(int index, const QString& text) {
    if (auto* button = group_->button(index)) button->setToolTip(text);
}

int Segmented::count() const {
    return static_cast<int>(group_->buttons().size());
}

int Segmented::currentIndex() const {
    return group_->checkedId();
}

void Segmented::setCurrentIndex(int index) {
    if (auto* button = group_->button(index)) button->setChecked(true);
}

}  // namespace kinescope::ui
