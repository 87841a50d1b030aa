#include "ui/panels/explore_delegate.h"

#include <QEvent>
#include <QListView>
#include <QPainter>
#include <algorithm>

#include "ui/models/explore_model.h"
#include "ui/models/thumbnail_store.h"
#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr QSize kTilePicture(kLargestThumbnail.width(), 132);
constexpr int kTileMargin = 6;
constexpr int kBar = 4;
constexpr int kTileFrameMs = 160;
constexpr int kShownFrames = 3 * 8;  ///< three rounds of a thumbnail

TileState stateOf(const QModelIndex& index) {
    return static_cast<TileState>(index.data(ExploreModel::StateRole).toInt());
}

ColorRole colorOf(TileState state) {
    if (state == TileState::failed) return ColorRole::error;
    return state == TileState::stopped || state == TileState::missing ? ColorRole::warn : ColorRole::text3;
}

}  // namespace

ExploreDelegate::ExploreDelegate(const Theme& theme, QListView& view)
    : QStyledItemDelegate(&view), theme_(theme), view_(view) {
    clock_.setInterval(kTileFrameMs);
    connect(&clock_, &QTimer::timeout, this, &ExploreDelegate::showNextFrame);
    view_.setMouseTracking(true);
    view_.viewport()->installEventFilter(this);
}

bool ExploreDelegate::eventFilter(QObject* watched, QEvent* event) {
    // Compare the type first: the view cannot be asked for its viewport while it is destroyed.
    const bool isSeen = event->type() == QEvent::Enter || event->type() == QEvent::Show;
    if (isSeen && watched == view_.viewport()) startMoving();
    return QStyledItemDelegate::eventFilter(watched, event);
}

void ExploreDelegate::startMoving() {
    framesLeft_ = kShownFrames;
    if (theme_.animationMs() > 0 && view_.isVisible()) clock_.start();
}

/// Shows the next frame. Stops after some seconds, so that an idle window uses no CPU time.
void ExploreDelegate::showNextFrame() {
    ++frame_;
    const bool isWatched = view_.viewport()->underMouse();
    if (!view_.isVisible() || (--framesLeft_ <= 0 && !isWatched)) clock_.stop();
    view_.viewport()->update();
}

QSize ExploreDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    const int body = QFontMetrics(theme_.font(Type::body)).height();
    const int caption = QFontMetrics(theme_.font(Type::caption)).height();
    return {kTilePicture.width() + 2 * kTileMargin, kTilePicture.height() + body + 2 * caption + 10 + 2 * kTileMargin};
}

void ExploreDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintSelection(*painter, theme_, option);
    const QRectF tile = option.rect;
    const QRectF picture(tile.topLeft() + QPointF(kTileMargin, kTileMargin), QSizeF(kTilePicture));
    paintPicture(*painter, picture, index);
    paintTexts(*painter, QRectF(picture.left() + 2, picture.bottom() + 4, picture.width() - 4, tile.height()), index);
    painter->restore();
}

void ExploreDelegate::paintPicture(QPainter& painter, const QRectF& where, const QModelIndex& index) const {
    const auto frames = index.data(ExploreModel::FramesRole).value<QList<QImage>>();
    const QImage frame = frames.isEmpty() ? QImage() : frames[(frame_ + frames.size() / 2) % frames.size()];
    const QRectF picture = paintThumbnail(painter, theme_, where, {.image = frame});
    if (index.data(ExploreModel::FavoriteRole).toBool()) paintFavorite(painter, theme_, picture);
    if (stateOf(index) != TileState::running) return;
    QRectF bar(where.left(), where.bottom() - kBar, where.width(), kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.color(ColorRole::hover));
    painter.drawRect(bar);
    bar.setWidth(bar.width() * std::clamp(index.data(ExploreModel::FractionRole).toDouble(), 0.0, 1.0));
    painter.setBrush(theme_.color(ColorRole::accent));
    painter.drawRect(bar);
}

void ExploreDelegate::paintTexts(QPainter& painter, const QRectF& area, const QModelIndex& index) const {
    double top = area.top();
    const auto line = [&](Type type, ColorRole role, const QString& text) {
        painter.setFont(theme_.font(type));
        painter.setPen(theme_.color(role));
        const QFontMetrics metrics = painter.fontMetrics();
        painter.drawText(QPointF(area.left(), top + metrics.ascent()),
                         metrics.elidedText(text, Qt::ElideRight, static_cast<int>(area.width())));
        top += metrics.height() + 2;
    };
    line(Type::body, ColorRole::text, index.data().toString());
    line(Type::caption, ColorRole::text2, index.data(ExploreModel::SeedRole).toString());
    line(Type::caption, colorOf(stateOf(index)), index.data(ExploreModel::StatusRole).toString());
}

}  // namespace kinescope::ui
