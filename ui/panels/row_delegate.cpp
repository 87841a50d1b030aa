#include "ui/panels/row_delegate.h"

#include <QPainter>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kRowMargin = 8;
constexpr int kIcon = 18;

ColorRole wordsRole(int column, Severity severity) {
    if (severity == Severity::warning || severity == Severity::error) return lookOf(severity).role;
    return column == 0 ? ColorRole::text : ColorRole::text2;
}

}  // namespace

RowDelegate::RowDelegate(const Theme& theme, StateOf stateOf, QObject* parent)
    : QStyledItemDelegate(parent), theme_(theme), stateOf_(std::move(stateOf)) {}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int icon = stateOf_(index) == Severity::none ? 0 : kIcon + kRowMargin;
    const int textWidth = option.fontMetrics.horizontalAdvance(index.data().toString());
    return {textWidth + icon + 2 * kRowMargin + 4, rowHeight(option.fontMetrics)};
}

void RowDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option) const {
    if (option.state & QStyle::State_Selected) {
        painter.fillRect(option.rect, theme_.tint(ColorRole::accent, 0.16));
    } else if (option.state & QStyle::State_MouseOver) {
        painter.fillRect(option.rect, theme_.color(ColorRole::raised));
    }
    painter.setPen(theme_.color(ColorRole::line));
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (option.state & QStyle::State_HasFocus) {
        painter.setPen(QPen(theme_.color(ColorRole::accent), 2));
        painter.drawRect(option.rect.adjusted(1, 1, -1, -2));
    }
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintGround(*painter, option);
    const Severity severity = stateOf_(index);
    QRect area = option.rect.adjusted(kRowMargin, 0, -kRowMargin, 0);
    if (severity != Severity::none) {
        const SeverityLook look = lookOf(severity);
        paintIcon(*painter, look.icon, theme_.color(look.role),
                  QRectF(area.left(), option.rect.center().y() - kIcon / 2.0, kIcon, kIcon));
        area.adjust(kIcon + kRowMargin, 0, 0, 0);
    }
    painter->setPen(theme_.color(wordsRole(index.column(), severity)));
    painter->setFont(theme_.font(Type::body));
    const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    const int sides = static_cast<int>((alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter);
    painter->drawText(area, sides,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, area.width()));
    painter->restore();
}

}  // namespace kinescope::ui
