#include "ui/panels/history_delegate.h"

#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/models/history_model.h"
#include "ui/models/thumbnail_store.h"
#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr QSize kPicture(184, 116);
constexpr QSize kRowPicture(64, 40);
constexpr int kRowSide = 110;  ///< px for the date at the right end of a row
constexpr int kRowMargin = 6;
constexpr int kFrameMs = 160;
constexpr double kBadge = 20;
constexpr QSizeF kLeastBadges(88, 58);  ///< smallest area in which no badge covers another one
static_assert(kPicture.width() <= kLargestThumbnail.width() && kPicture.height() <= kLargestThumbnail.height());

struct StatusLook {
    QString icon;
    ColorRole role;
};

StatusLook lookOfBadge(HistoryBadge badge) {
    switch (badge) {
        case HistoryBadge::healed:
            return {QStringLiteral("shield"), ColorRole::ok};
        case HistoryBadge::completed:
            return {QStringLiteral("okc"), ColorRole::ok};
        case HistoryBadge::warned:
        case HistoryBadge::cancelled:
        case HistoryBadge::stopped:
            return {QStringLiteral("warnt"), ColorRole::warn};
        case HistoryBadge::failed:
            return {QStringLiteral("stopo"), ColorRole::error};
        case HistoryBadge::none:
            break;
    }
    return {{}, ColorRole::text3};
}

/// Returns the area of the badges, which are in the corners of the picture unless it is very narrow.
QRectF badgesOn(const QRectF& picture) {
    QRectF area({0, 0}, picture.size().expandedTo(kLeastBadges));
    area.moveCenter(picture.center());
    return area;
}

}  // namespace

HistoryDelegate::HistoryDelegate(const Theme& theme, QListView& view)
    : QStyledItemDelegate(&view), theme_(theme), view_(view), viewport_(view.viewport()) {
    clock_.setInterval(kFrameMs);
    connect(&clock_, &QTimer::timeout, this, [this] {
        if (!playing_.isValid() || !view_.isVisible()) return clock_.stop();
        ++frame_;
        view_.update(playing_);
    });
    view_.setMouseTracking(true);
    view_.viewport()->installEventFilter(this);
}

bool HistoryDelegate::eventFilter(QObject* watched, QEvent* event) {
    if (watched != viewport_) return QStyledItemDelegate::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) play(view_.indexAt(static_cast<QMouseEvent*>(event)->pos()));
    if (event->type() == QEvent::Leave) play({});
    return false;
}

void HistoryDelegate::play(const QModelIndex& index) {
    if (playing_ == index) return;
    if (playing_.isValid()) view_.update(playing_);
    playing_ = index;
    frame_ = 0;
    if (index.isValid() && theme_.animationMs() > 0) clock_.start();
}

QSize HistoryDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const int caption = QFontMetrics(theme_.font(Type::caption)).height();
    const int body = QFontMetrics(theme_.font(Type::body)).height();
    if (index.data(HistoryModel::HeadingRole).toBool()) return {view_.viewport()->width() - 8, body + 14};
    if (viewMode_ == HistoryViewMode::list)
        return {view_.viewport()->width() - 8, std::max(kRowPicture.height(), body + caption + 4) + 2 * kRowMargin};
    return {kPicture.width() + 2 * kRowMargin, kPicture.height() + body + caption + 8 + 2 * kRowMargin};
}

void HistoryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(HistoryModel::HeadingRole).toBool()) {
        painter->setFont(theme_.font(Type::caption));
        painter->setPen(theme_.color(ColorRole::text2));
        painter->drawText(option.rect.adjusted(kRowMargin, 0, 0, -4), Qt::AlignLeft | Qt::AlignBottom,
                          index.data().toString());
        painter->restore();
        return;
    }
    paintSelection(*painter, theme_, option);
    viewMode_ == HistoryViewMode::list ? paintRow(*painter, option.rect, index)
                                       : paintTile(*painter, option.rect, index);
    painter->restore();
}

void HistoryDelegate::paintTile(QPainter& painter, const QRectF& tile, const QModelIndex& index) const {
    const QRectF picture(tile.topLeft() + QPointF(kRowMargin, kRowMargin), QSizeF(kPicture));
    paintBadges(painter, badgesOn(paintThumbnail(painter, theme_, picture, {.image = pictureOf(index)})), index);
    paintTexts(painter, QRectF(picture.left() + 2, picture.bottom() + 4, picture.width() - 4, tile.height()), index);
}

QImage HistoryDelegate::pictureOf(const QModelIndex& index) const {
    const auto frames = index.data(HistoryModel::FramesRole).value<QList<QImage>>();
    if (frames.isEmpty()) return {};
    return frames[playing_ == index ? frame_ % frames.size() : frames.size() / 2];
}

/// Paints a list row: thumbnail and texts, with the date and clip length at the right.
void HistoryDelegate::paintRow(QPainter& painter, const QRectF& row, const QModelIndex& index) const {
    const QRectF picture({row.left() + kRowMargin, row.top() + kRowMargin}, QSizeF(kRowPicture));
    paintThumbnail(painter, theme_, picture, {.image = pictureOf(index), .radius = 6});
    const QRectF area = row.adjusted(kRowPicture.width() + 3.0 * kRowMargin, kRowMargin, -kRowMargin, -kRowMargin);
    const bool missing = index.data(HistoryModel::MissingRole).toBool();
    const QString time = missing ? tr("File moved or deleted") : index.data(HistoryModel::TimeRole).toString();
    const QVariant length = index.data(HistoryModel::LengthRole);
    painter.setFont(theme_.font(Type::caption));
    painter.setPen(theme_.color(missing ? ColorRole::warn : ColorRole::text3));
    painter.drawText(area, Qt::AlignRight | Qt::AlignTop, time);
    if (length.isValid()) painter.drawText(area, Qt::AlignRight | Qt::AlignBottom, formatClipLength(length.toDouble()));
    const StatusLook look = lookOfBadge(index.data(HistoryModel::BadgeRole).value<HistoryBadge>());
    const QRectF state(area.right() - kRowSide, area.center().y() - 8, 16, 16);
    if (!look.icon.isEmpty()) paintIcon(painter, look.icon, theme_.color(look.role), state);
    const QRectF text = area.adjusted(0, 0, -kRowSide - kRowMargin, 0);
    const auto elided = [&](const QString& line) {
        return painter.fontMetrics().elidedText(line, Qt::ElideRight, static_cast<int>(text.width()));
    };
    painter.setPen(theme_.color(ColorRole::text2));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, elided(index.data(HistoryModel::FactsRole).toString()));
    painter.setFont(theme_.font(Type::body));
    painter.setPen(theme_.color(missing ? ColorRole::text3 : ColorRole::text));
    const QString star = index.data(HistoryModel::FavoriteRole).toBool() ? QStringLiteral("★ ") : QString();
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, elided(star + index.data().toString()));
}

void HistoryDelegate::paintBadges(QPainter& painter, const QRectF& area, const QModelIndex& index) const {
    const QColor veil(0, 0, 0, 170);  // on thumbnails; the same in every theme
    painter.setPen(Qt::NoPen);
    const StatusLook look = lookOfBadge(index.data(HistoryModel::BadgeRole).value<HistoryBadge>());
    const QRectF left(area.left() + 6, area.bottom() - kBadge - 6, kBadge, kBadge);
    if (!look.icon.isEmpty()) {
        painter.setBrush(veil);
        painter.drawEllipse(left);
        paintIcon(painter, look.icon, darkTokens().color(look.role), left.adjusted(3, 3, -3, -3));
    }
    if (index.data(HistoryModel::FavoriteRole).toBool()) paintFavorite(painter, theme_, area);
    const QVariant length = index.data(HistoryModel::LengthRole);
    if (!length.isValid()) return;
    const QString duration = formatClipLength(length.toDouble());
    painter.setFont(theme_.font(Type::caption));
    const double width = painter.fontMetrics().horizontalAdvance(duration) + 12;
    const QRectF right(area.right() - width - 6, area.bottom() - kBadge - 6, width, kBadge);
    painter.setPen(Qt::NoPen);
    painter.setBrush(veil);
    painter.drawRoundedRect(right, kBadge / 2, kBadge / 2);
    painter.setPen(Qt::white);
    painter.drawText(right, Qt::AlignCenter, duration);
}

void HistoryDelegate::paintTexts(QPainter& painter, const QRectF& area, const QModelIndex& index) const {
    const bool missing = index.data(HistoryModel::MissingRole).toBool();
    const QFont body = theme_.font(Type::body);
    const QFontMetrics metrics(body);
    painter.setFont(body);
    painter.setPen(theme_.color(missing ? ColorRole::text3 : ColorRole::text));
    painter.drawText(QPointF(area.left(), area.top() + metrics.ascent()),
                     metrics.elidedText(index.data().toString(), Qt::ElideRight, static_cast<int>(area.width())));
    painter.setFont(theme_.font(Type::caption));
    painter.setPen(theme_.color(missing ? ColorRole::warn : ColorRole::text3));
    const QString note = missing ? tr("File moved or deleted") : index.data(HistoryModel::TimeRole).toString();
    painter.drawText(QPointF(area.left(), area.top() + metrics.height() + 2 + painter.fontMetrics().ascent()), note);
}

}  // namespace kinescope::ui
