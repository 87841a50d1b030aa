#include "ui/widgets/section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/hairline.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

Section::Section(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    all_ = new QVBoxLayout(this);
    all_->setContentsMargins(0, 0, 0, 0);
    all_->setSpacing(8);
    all_->addWidget(makeHairline(this));
    header_ = new QHBoxLayout;
    header_->setSpacing(8);
    toggle_ = new QPushButton(this);
    toggle_->setProperty("role", "disclosure");
    toggle_->setIconSize({16, 16});
    toggle_->setCheckable(true);
    toggle_->setChecked(true);
    value_ = new QLabel(this);
    value_->setProperty("type", "caption");
    value_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value_->setMinimumWidth(24);
    value_->setTextFormat(Qt::PlainText);
    value_->installEventFilter(this);
    header_->addWidget(toggle_);
    header_->addWidget(value_, 1);
    all_->addLayout(header_);
    content_ = new QWidget(this);
    body_ = new QVBoxLayout(content_);
    body_->setContentsMargins(0, 0, 0, 8);
    body_->setSpacing(8);
    all_->addWidget(content_);
    connect(toggle_, &QPushButton::toggled, this, [this](bool on) {
        showState();
        Q_EMIT expandedChanged(on);
    });
    connect(toggle_, &QPushButton::clicked, this, [this](bool on) {
        if (on) Q_EMIT opened();
    });
    showState();
}

void Section::setTitle(const QString& title) {
    toggle_->setText(title);
    toggle_->setAccessibleName(title);
}

void Section::setValue(const QString& value) {
    value_text_ = value;
    toggle_->setAccessibleDescription(value);
    elideValue();
}

void Section::setFoldedWidget(QWidget* widget) {
    folded_ = widget;
    all_->addWidget(widget);
    showState();
}

bool Section::isExpanded() const {
    return toggle_->isChecked();
}

void Section::setExpanded(bool expanded) {
    toggle_->setChecked(expanded);
}

void Section::showState() {
    toggle_->setIcon(theme_.icon(isExpanded() ? QStringLiteral("chev") : QStringLiteral("chevr"), ColorRole::text3));
    content_->setVisible(isExpanded());
    if (folded_ != nullptr) folded_->setVisible(!isExpanded());
}

void Section::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elideValue();
}

/// The whole header opens the section.
bool Section::eventFilter(QObject* watched, QEvent* event) {
    const bool isClick = watched == value_ && event->type() == QEvent::MouseButtonRelease &&
                         static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    if (isClick) toggle_->click();
    return QWidget::eventFilter(watched, event);
}

void Section::elideValue() {
    const QString shown = value_->fontMetrics().elidedText(value_text_, Qt::ElideMiddle, value_->width());
    value_->setText(shown);
    value_->setToolTip(shown == value_text_ ? QString() : value_text_);
}

}  // namespace kinescope::ui
