#include "ui/panels/queue_delegate.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/models/queue_model.h"
#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMargin = 8;
constexpr int kGrip = 16;
constexpr QSize kPicture(84, 56);
constexpr int kBar = 6;
constexpr int kNarrowest = 160;  ///< px; minimum width of a row, which the view stretches to its own width

JobState stateOf(const QModelIndex& index) {
    return static_cast<JobState>(index.data(QueueModel::StateRole).toInt());
}

bool isDraggable(const QModelIndex& index) {
    return index.flags() & Qt::ItemIsDragEnabled;
}

QRect textArea(const QRect& row) {
    return row.adjusted(kMargin + kGrip + kPicture.width() + 12, kMargin, -kMargin, -kMargin);
}

bool isCounting(const QModelIndex& index) {
    return stateOf(index) == JobState::running && index.data(QueueModel::SecondsLeftRole).isValid();
}

/// Returns the text at the right of a row: its remaining time, its link or its start time.
QString asideOf(const QModelIndex& index) {
    if (isCounting(index))
        return QueueDelegate::tr("%1 left").arg(formatDuration(index.data(QueueModel::SecondsLeftRole).toDouble()));
    const QString link = linkText(index);
    return link.isEmpty() ? startText(index) : link;
}

/// Returns the text of `asideOf` for rows where that has no room.
QString shortAsideOf(const QModelIndex& index) {
    const double seconds = index.data(QueueModel::SecondsToStartRole).toDouble();
    if (isCounting(index) || seconds < 1) return asideOf(index);
    return QueueDelegate::tr("in about %1", "time until a job starts").arg(formatDuration(seconds));
}

ColorRole colorOf(JobState state) {
    if (state == JobState::failed) return ColorRole::error;
    if (state == JobState::paused || state == JobState::interrupted) return ColorRole::warn;
    return state == JobState::finished ? ColorRole::ok : ColorRole::text2;
}

}  // namespace

QString linkText(const QModelIndex& index) {
    switch (stateOf(index)) {
        case JobState::paused:
        case JobState::interrupted:
            return QueueDelegate::tr("Continue");
        case JobState::failed:
        case JobState::cancelled:
            return QueueDelegate::tr("Try again");
        case JobState::finished:
            return QueueDelegate::tr("Show in folder");
        default:
            return {};
    }
}

QString startText(const QModelIndex& index) {
    const QVariant seconds = index.data(QueueModel::SecondsToStartRole);
    if (!seconds.isValid()) return {};
    if (seconds.toDouble() < 1) return QueueDelegate::tr("starts next");
    return QueueDelegate::tr("starts in about %1").arg(formatDuration(seconds.toDouble()));
}

QueueDelegate::QueueDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const int lines =
        QFontMetrics(theme_.font(Type::strong)).height() + 2 * QFontMetrics(theme_.font(Type::caption)).height() + 6;
    const int caption = QFontMetrics(theme_.font(Type::caption)).height();
    const int reason = index.data(QueueModel::ReasonRole).toString().isEmpty() ? 0 : caption + 2;
    const int bar = stateOf(index) == JobState::running ? kBar + 6 : 0;
    return {kNarrowest, std::max(lines + reason, kPicture.height()) + bar + 2 * kMargin};
}

QRect QueueDelegate::linkRect(const QRect& row, const QModelIndex& index) const {
    const QString text = linkText(index);
    if (text.isEmpty()) return {};
    const QFontMetrics caption(theme_.font(Type::caption));
    const QRect area = textArea(row);
    const int width = caption.horizontalAdvance(text) + 4;
    const int top = area.top() + QFontMetrics(theme_.font(Type::strong)).height() + caption.height() + 4;
    return {area.right() - width, top, width, caption.height() + 2};
}

bool QueueDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
    if (event->type() == QEvent::MouseButtonRelease &&
        linkRect(option.rect, index).contains(static_cast<QMouseEvent*>(event)->pos())) {
        Q_EMIT linkActivated(index);
        return true;
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF ground = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const bool running = stateOf(index) == JobState::running;
    if (running || (option.state & QStyle::State_Selected)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme_.color(ColorRole::raised));
        painter->drawRoundedRect(ground, 10, 10);
    }
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected)) {
        painter->setPen(QPen(theme_.color(ColorRole::accent), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(ground, 10, 10);
    }
    const QRect row = option.rect;
    if (isDraggable(index))
        paintIcon(*painter, QStringLiteral("grip"), theme_.color(ColorRole::text3),
                  QRectF(row.left() + 4, row.top() + (row.height() - 16) / 2.0, 16, 16));
    paintThumbnail(*painter, theme_, QRect({row.left() + kMargin + kGrip, row.top() + kMargin}, kPicture),
                   {.image = index.data(QueueModel::PictureRole).value<QImage>(),
                    .radius = 6,
                    .fit = Qt::KeepAspectRatioByExpanding});
    paintTexts(*painter, textArea(row), index);
    if (running) paintProgress(*painter, textArea(row), index);
    painter->restore();
}

void QueueDelegate::paintTexts(QPainter& painter, const QRect& area, const QModelIndex& index) const {
    const QFont strong = theme_.font(Type::strong);
    const QFont caption = theme_.font(Type::caption);
    const QFontMetrics captions(caption);
    int top = area.top();
    const auto line = [&](const QFont& font, ColorRole role, const QString& text, int width) {
        const QFontMetrics metrics(font);
        painter.setFont(font);
        painter.setPen(theme_.color(role));
        painter.drawText(QRect(area.left(), top, width, metrics.height()), Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, width));
        top += metrics.height() + 2;
    };
    const QString aside = asideOf(index);
    const int reserved = aside.isEmpty() ? 0 : captions.horizontalAdvance(aside) + 12;
    const QString status = index.data(QueueModel::StatusRole).toString();
    const bool isLink = !isCounting(index) && !linkText(index).isEmpty();
    const bool narrow = !isLink && reserved > 0 && captions.horizontalAdvance(status) + reserved > area.width();
    line(strong, ColorRole::text, index.data().toString(), area.width());
    if (!narrow) line(caption, ColorRole::text2, index.data(QueueModel::FactsRole).toString(), area.width());
    const int status_top = top;
    line(caption, colorOf(stateOf(index)), status, area.width() - (narrow ? 0 : reserved));
    if (narrow) line(caption, ColorRole::text2, shortAsideOf(index), area.width());
    line(caption, ColorRole::text2, index.data(QueueModel::ReasonRole).toString(), area.width());
    if (narrow) return;
    painter.setFont(caption);
    painter.setPen(theme_.color(isLink ? ColorRole::accent : ColorRole::text2));
    painter.drawText(QRect(area.left(), status_top, area.width(), captions.height()), Qt::AlignRight, aside);
}

void QueueDelegate::paintProgress(QPainter& painter, const QRect& area, const QModelIndex& index) const {
    const QRectF track(area.left() - 12 - kPicture.width(), area.bottom() - kBar + 1,
                       area.width() + 12 + kPicture.width(), kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.color(ColorRole::hover));
    painter.drawRoundedRect(track, kBar / 2.0, kBar / 2.0);
    QRectF done = track;
    done.setWidth(track.width() * index.data(QueueModel::FractionRole).toDouble());
    painter.setBrush(theme_.color(ColorRole::accent));
    if (done.width() >= kBar) painter.drawRoundedRect(done, kBar / 2.0, kBar / 2.0);
}

}  // namespace kinescope::ui
