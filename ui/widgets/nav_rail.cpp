#include "ui/widgets/nav_rail.h"

#include <QButtonGroup>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

namespace {

constexpr int kFullWidth = 72;
constexpr int kCompactWidth = 56;

/// A button with the icon above its text. If it is checked, it has a raised background and a bar at the window edge.
class RailButton : public QToolButton {
public:
    RailButton(const Theme& theme, QWidget* parent) : QToolButton(parent), theme_(theme) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF ground = QRectF(rect()).adjusted(8, 0, -8, 0);
        const bool labeled = toolButtonStyle() == Qt::ToolButtonTextUnderIcon;
        painter.setPen(Qt::NoPen);
        if (isChecked() || underMouse()) {
            painter.setBrush(theme_.color(isChecked() ? ColorRole::raised : ColorRole::hover));
            painter.drawRoundedRect(ground, 8, 8);
        }
        if (isChecked()) {
            painter.setBrush(theme_.color(ColorRole::accent));
            painter.drawRoundedRect(QRectF(0, ground.center().y() - 10, 3, 20), 1.5, 1.5);
        }
        const double icon_top = labeled ? ground.top() + 6 : ground.center().y() - 10;
        icon().paint(&painter, QRect(qRound(ground.center().x()) - 10, qRound(icon_top), 20, 20), Qt::AlignCenter,
                     QIcon::Normal, isChecked() ? QIcon::On : QIcon::Off);
        if (labeled) {
            painter.setFont(theme_.font(Type::caption));
            painter.setPen(theme_.color(isChecked() ? ColorRole::text : ColorRole::text2));
            painter.drawText(QRectF(0, icon_top + 22, width(), height() - icon_top - 22), Qt::AlignHCenter, text());
        }
        if (hasFocus()) {
            painter.setPen(QPen(theme_.color(ColorRole::accent), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), 8, 8);
        }
    }

private:
    const Theme& theme_;
};

void setWords(QAbstractButton* button, const QString& text) {
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolTip(text);
}

}  // namespace

NavRail::NavRail(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), pages_(new QButtonGroup(this)), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 8);
    column_->setSpacing(8);
    column_->addStretch(1);
    connect(pages_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) Q_EMIT currentChanged(id);
    });
    connect(&theme_, &Theme::themeChanged, this, [this] { setWidth(width_); });
    setWidth(Width::full);
}

QToolButton* NavRail::makeButton(const QString& icon, const QString& text) {
    auto* button = new RailButton(theme_, this);
    button->setIcon(theme_.icon(icon, ColorRole::text2, ColorRole::accent));
    setWords(button, text);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void NavRail::applyWidth(QToolButton* button) const {
    const int caption = QFontMetrics(theme_.font(Type::caption)).height();
    // With large text, the label does not fit below the icon, so only the tooltip shows it.
    const bool labeled = width_ == Width::full && button->isCheckable() && theme_.textScalePercent() < 150;
    button->setToolButtonStyle(labeled ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
    button->setFixedSize(width(), labeled ? 34 + caption : 40);
}

QToolButton* NavRail::addPage(const QString& icon, const QString& text) {
    QToolButton* button = makeButton(icon, text);
    button->setCheckable(true);
    applyWidth(button);
    pages_->addButton(button, num_pages_);
    column_->insertWidget(num_pages_++, button);
    if (num_pages_ == 1) button->setChecked(true);
    return button;
}

QToolButton* NavRail::addCommand(const QString& icon, const QString& text) {
    QToolButton* button = makeButton(icon, text);
    applyWidth(button);
    column_->addWidget(button);
    commands_ << button;
    return button;
}

void NavRail::setPageText(int index, const QString& text) {
    if (QAbstractButton* button = pages_->button(index)) setWords(button, text);
}

void NavRail::setCommandText(int index, const QString& text) {
    if (index < commands_.size()) setWords(commands_[index], text);
}

int NavRail::currentIndex() const {
    return pages_->checkedId();
}

void NavRail::setCurrentIndex(int index) {
    if (auto* button = pages_->button(index)) button->setChecked(true);
}

void NavRail::setWidth(Width width) {
    width_ = width;
    const int px = width == Width::compact ? kCompactWidth : kFullWidth;
    setFixedWidth(px);
    resize(px, height());
    for (auto* button : findChildren<QToolButton*>()) applyWidth(button);
}

}  // namespace kinescope::ui
