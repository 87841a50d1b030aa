#include "ui/panels/history_delegate.h"

#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/models/history_model.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr QSize kPicture(184, 116);
constexpr int kGap = 6;
constexpr int kFrameMs = 160;
constexpr double kBadge = 20;

struct StatusLook {
    QString icon;
    ColorRole role;
};

StatusLook lookOfStatus(const QString& status) {
    if (status == QLatin1String("healed")) return {QStringLiteral("shield"), ColorRole::ok};
    if (status == QLatin1String("completed")) return {QStringLiteral("okc"), ColorRole::ok};
    if (status == QLatin1String("cancelled")) return {QStringLiteral("warnt"), ColorRole::warn};
    if (status == QLatin1String("failed")) return {QStringLiteral("stopo"), ColorRole::error};
    return {{}, ColorRole::text3};
}

}  // namespace

HistoryDelegate::HistoryDelegate(const Theme& theme, QListView& view)
    : QStyledItemDelegate(&view), theme_(theme), view_(view) {
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
    if (watched != view_.viewport()) return QStyledItemDelegate::eventFilter(watched, event);
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
    return {kPicture.width() + 2 * kGap, kPicture.height() + body + caption + 8 + 2 * kGap};
}

void HistoryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(HistoryModel::HeadingRole).toBool()) {
        painter->setFont(theme_.font(Type::caption));
        painter->setPen(theme_.color(ColorRole::text2));
        painter->drawText(option.rect.adjusted(kGap, 0, 0, -4), Qt::AlignLeft | Qt::AlignBottom,
                          index.data().toString());
        painter->restore();
        return;
    }
    const QRectF tile = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const bool selected = option.state & QStyle::State_Selected;
    if (selected || (option.state & QStyle::State_HasFocus)) {
        painter->setPen(QPen(theme_.color(selected ? ColorRole::accent : ColorRole::edge), 2));
        painter->setBrush(selected ? QBrush(theme_.tint(ColorRole::accent, 0.10)) : QBrush(Qt::NoBrush));
        painter->drawRoundedRect(tile, 10, 10);
    }
    const QRectF picture(QPointF(option.rect.topLeft()) + QPointF(kGap, kGap), QSizeF(kPicture));
    paintPicture(*painter, picture, index);
    paintBadges(*painter, picture, index);
    paintWords(*painter, QRectF(picture.left() + 2, picture.bottom() + 4, picture.width() - 4, tile.height()), index);
    painter->restore();
}

void HistoryDelegate::paintPicture(QPainter& painter, const QRectF& where, const QModelIndex& index) const {
    QPainterPath clip;
    clip.addRoundedRect(where, 8, 8);
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(where, theme_.color(ColorRole::well));
    const auto frames = index.data(HistoryModel::FramesRole).value<QList<QImage>>();
    if (frames.isEmpty()) {
        paintIcon(painter, QStringLiteral("film"), theme_.color(ColorRole::edge),
                  QRectF(where.center().x() - 12, where.center().y() - 12, 24, 24));
    } else {
        const bool plays = playing_ == index;
        const QImage& frame = frames[plays ? frame_ % frames.size() : frames.size() / 2];
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        QSizeF size(frame.size());
        size.scale(where.size(), Qt::KeepAspectRatio);
        QRectF target({0, 0}, size);
        target.moveCenter(where.center());
        painter.drawImage(target, frame);
    }
    painter.restore();
}

void HistoryDelegate::paintBadges(QPainter& painter, const QRectF& picture, const QModelIndex& index) const {
    const QColor veil(0, 0, 0, 170);  // on pictures, in every theme
    painter.setPen(Qt::NoPen);
    const StatusLook look = lookOfStatus(index.data(HistoryModel::StatusRole).toString());
    const QRectF left(picture.left() + 6, picture.bottom() - kBadge - 6, kBadge, kBadge);
    if (!look.icon.isEmpty()) {
        painter.setBrush(veil);
        painter.drawEllipse(left);
        paintIcon(painter, look.icon, darkTokens().color(look.role), left.adjusted(3, 3, -3, -3));
    }
    if (index.data(HistoryModel::FavouriteRole).toBool()) {
        const QRectF top(picture.right() - kBadge - 6, picture.top() + 6, kBadge, kBadge);
        painter.setBrush(veil);
        painter.drawEllipse(top);
        painter.setPen(darkTokens().color(ColorRole::warn));
        painter.drawText(top, Qt::AlignCenter, QStringLiteral("★"));
        painter.setPen(Qt::NoPen);
    }
    const QVariant length = index.data(HistoryModel::LengthRole);
    if (!length.isValid()) return;
    const QString words = formatClipLength(length.toDouble());
    painter.setFont(theme_.font(Type::caption));
    const double width = painter.fontMetrics().horizontalAdvance(words) + 12;
    const QRectF right(picture.right() - width - 6, picture.bottom() - kBadge - 6, width, kBadge);
    painter.setBrush(veil);
    painter.drawRoundedRect(right, kBadge / 2, kBadge / 2);
    painter.setPen(Qt::white);
    painter.drawText(right, Qt::AlignCenter, words);
}

void HistoryDelegate::paintWords(QPainter& painter, const QRectF& words, const QModelIndex& index) const {
    const bool missing = index.data(HistoryModel::MissingRole).toBool();
    const QFont body = theme_.font(Type::body);
    const QFontMetrics metrics(body);
    painter.setFont(body);
    painter.setPen(theme_.color(missing ? ColorRole::text3 : ColorRole::text));
    painter.drawText(QPointF(words.left(), words.top() + metrics.ascent()),
                     metrics.elidedText(index.data().toString(), Qt::ElideRight, static_cast<int>(words.width())));
    painter.setFont(theme_.font(Type::caption));
    painter.setPen(theme_.color(missing ? ColorRole::warn : ColorRole::text3));
    const QString note = missing ? tr("Moved or deleted") : index.data(HistoryModel::TimeRole).toString();
    painter.drawText(QPointF(words.left(), words.top() + metrics.height() + 2 + painter.fontMetrics().ascent()), note);
}

}  // namespace kinescope::ui
