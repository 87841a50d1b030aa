#include "ui/panels/example_card.h"

#include <QPainter>

#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kTile = 40;
constexpr int kLines = 2;
constexpr int kNarrow = 200;  ///< px; below this width, the tile is hidden

}  // namespace

ExampleCard::ExampleCard(const Theme& theme, const QString& prompt, QWidget* parent)
    : QAbstractButton(parent), theme_(theme) {
    setText(prompt);
    setAccessibleName(prompt);
    inEveryLanguage(this, [this] { setToolTip(tr("Use this example as the prompt.")); });
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void ExampleCard::setCaption(const QString& caption) {
    caption_ = caption;
    update();
}

void ExampleCard::setChosen(bool chosen) {
    chosen_ = chosen;
    update();
}

QSize ExampleCard::sizeHint() const {
    const QFontMetrics body(theme_.font(Type::body));
    const QFontMetrics caption(theme_.font(Type::caption));
    return {240, 2 * kMargin + kLines * body.lineSpacing() + 4 + caption.height()};
}

/// Returns the left edge of the text.
int ExampleCard::paintTile(QPainter& painter) const {
    const QRectF tile(kMargin, (height() - kTile) / 2.0, kTile, kTile);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.tint(ColorRole::accent, 0.16, ColorRole::raised));
    painter.drawRoundedRect(tile, 8, 8);
    paintIcon(painter, QStringLiteral("film"), theme_.color(ColorRole::accent), tile.adjusted(10, 10, -10, -10));
    return kMargin + kTile + kMargin;
}

void ExampleCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = hasFocus() || chosen_;
    painter.setPen(marked ? QPen(theme_.color(ColorRole::accent), hasFocus() ? 2 : 1)
                          : QPen(theme_.tokens().outline, 1));
    painter.setBrush(theme_.color(underMouse() || isDown() ? ColorRole::hover : ColorRole::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);

    const int left = width() < kNarrow ? kMargin : paintTile(painter);
    QRect area(left, kMargin, width() - left - kMargin, height() - 2 * kMargin);
    painter.setFont(theme_.font(Type::body));
    painter.setPen(theme_.color(ColorRole::text));
    const QRect lines(area.left(), area.top(), area.width(), kLines * painter.fontMetrics().lineSpacing());
    painter.setClipRect(lines);
    painter.drawText(lines, Qt::AlignTop | Qt::TextWordWrap, text());
    painter.setClipping(false);
    painter.setFont(theme_.font(Type::caption));
    painter.setPen(theme_.color(ColorRole::text3));
    painter.drawText(area, Qt::AlignBottom, painter.fontMetrics().elidedText(caption_, Qt::ElideRight, area.width()));
}

}  // namespace kinescope::ui
