#include "ui/widgets/film_strip.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kStripHeight = 56;  ///< px with text of 100 %
constexpr double kTileGap = 4;
constexpr double kTileRadius = 4;
constexpr double kTileMargin = 4;  ///< for the ring around the selected picture

}  // namespace

FilmStrip::FilmStrip(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Slider, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    inEveryLanguage(this, [this] { updateValueText(); });
}

void FilmStrip::setTiles(const QList<Tile>& tiles) {
    tiles_ = tiles;
    update();
}

void FilmStrip::setSelected(int step) {
    selected_ = step;
    updateValueText();
    update();
}

void FilmStrip::updateValueText() {
    setValueText(selected_ > 0 ? tr("Step %1").arg(QLocale().toString(selected_)) : QString());
}

/// Returns the height in px. It grows with the text, because each picture shows its number.
int FilmStrip::stripHeight() const {
    return theme().scaledToText(kStripHeight);
}

QSize FilmStrip::sizeHint() const {
    return {360, stripHeight()};
}

QSize FilmStrip::minimumSizeHint() const {
    return {120, stripHeight()};
}

QSizeF FilmStrip::tileSize() const {
    const double height = stripHeight() - 2 * kTileMargin;
    const QSize picture = tiles_.isEmpty() ? QSize(4, 3) : tiles_.constFirst().picture.size();
    return {std::round(height * picture.width() / std::max(picture.height(), 1)), height};
}

/// Returns the indexes of the pictures that are shown.
QList<qsizetype> FilmStrip::shown() const {
    const double room = width() - 2 * kTileMargin + kTileGap;
    const auto fitting = std::max<qsizetype>(1, static_cast<qsizetype>(room / (tileSize().width() + kTileGap)));
    const qsizetype count = std::min(fitting, tiles_.size());
    QList<qsizetype> indexes;
    for (qsizetype place = 0; place < count; ++place)
        indexes << (count < 2 ? 0 : place * (tiles_.size() - 1) / (count - 1));
    includeSelected(indexes);
    return indexes;
}

/// Replaces the nearest index with that of the selected picture. Keeps the first and the last index if there are more.
void FilmStrip::includeSelected(QList<qsizetype>& indexes) const {
    const auto found = std::ranges::find(tiles_, selected_, &Tile::step);
    if (found == tiles_.end()) return;
    const qsizetype wanted = found - tiles_.begin();
    if (indexes.contains(wanted)) return;
    const int kept = indexes.size() > 2 ? 1 : 0;  // at each end
    const auto distance = [wanted](qsizetype index) { return std::abs(index - wanted); };
    *std::ranges::min_element(indexes.begin() + kept, indexes.end() - kept, {}, distance) = wanted;
}

QList<int> FilmStrip::shownSteps() const {
    QList<int> steps;
    for (const qsizetype index : shown()) steps << tiles_[index].step;
    return steps;
}

QRectF FilmStrip::rectOf(qsizetype place) const {
    const QSizeF size = tileSize();
    return {QPointF(kTileMargin + static_cast<double>(place) * (size.width() + kTileGap), kTileMargin), size};
}

void FilmStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QList<qsizetype> indexes = shown();
    for (qsizetype place = 0; place < indexes.size(); ++place)
        paintTile(painter, tiles_[indexes[place]], rectOf(place));
    paintFocus(painter, QRectF(rect()), kTileRadius);
}

void FilmStrip::paintTile(QPainter& painter, const Tile& tile, const QRectF& rect) const {
    QPainterPath frame;
    frame.addRoundedRect(rect, kTileRadius, kTileRadius);
    painter.save();
    painter.setClipPath(frame);
    painter.drawImage(rect, tile.picture);
    painter.restore();
    painter.setFont(theme().font(Type::caption));
    const QString number = QLocale().toString(tile.step);
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(number) + 6, metrics.height());
    const QRectF badge(rect.bottomLeft() - QPointF(0, size.height()), size);
    painter.fillRect(badge, darkTokens().color(ColorRole::well));  // the picture may be bright or dark in every theme
    painter.setPen(darkTokens().color(ColorRole::text));
    painter.drawText(badge, Qt::AlignCenter, number);
    if (tile.step != selected_) return;
    painter.setPen(QPen(theme().color(ColorRole::accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), kTileRadius + 2, kTileRadius + 2);
}

void FilmStrip::mousePressEvent(QMouseEvent* event) {
    const QList<qsizetype> indexes = shown();
    for (qsizetype place = 0; place < indexes.size(); ++place)
        if (event->button() == Qt::LeftButton && rectOf(place).contains(event->position())) {
            const int step = tiles_[indexes[place]].step;
            return choose(step == selected_ ? 0 : step);
        }
}

void FilmStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left) return moveBy(-1);
    if (event->key() == Qt::Key_Right) return moveBy(1);
    if (event->key() == Qt::Key_Escape && selected_ > 0) return choose(0);
    PaintedWidget::keyPressEvent(event);
}

void FilmStrip::choose(int step) {
    setSelected(step);
    Q_EMIT stepChosen(step);
}

/// Selects the previous or next step; without a selected one, the last step.
void FilmStrip::moveBy(int delta) {
    if (tiles_.isEmpty()) return;
    const auto found = std::ranges::find(tiles_, selected_, &Tile::step);
    const qsizetype index = found == tiles_.end() ? tiles_.size() - 1 : found - tiles_.begin() + delta;
    choose(tiles_[std::clamp<qsizetype>(index, 0, tiles_.size() - 1)].step);
}

}  // namespace kinescope::ui
