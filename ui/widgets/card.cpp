#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

Card::Card(const Theme&, QWidget* parent) : QFrame(parent) {
    setProperty("role", "surface");
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 12, 16, 16);
    all->setSpacing(8);
    header_row_ = new QWidget(this);
    header_ = new QHBoxLayout(header_row_);
    header_->setContentsMargins(0, 0, 0, 0);
    header_->setSpacing(8);
    title_ = new QLabel(header_row_);
    title_->setProperty("type", "subtitle");
    header_->addWidget(title_);
    header_->addStretch(1);
    header_row_->setVisible(false);
    body_ = new QVBoxLayout;
    body_->setSpacing(8);
    all->addWidget(header_row_);
    all->addLayout(body_, 1);
}

void Card::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    header_row_->setVisible(!title.isEmpty());
}

QString Card::title() const {
    return title_->text();
}

}  // namespace kinescope::ui
