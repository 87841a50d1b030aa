#include "ui/panels/queue_delegate.h"

#include <QListView>
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
constexpr QSize kSmallPicture(54, 36);  ///< in narrow rows, whose texts need the space
constexpr int kNarrowRow = 260;         ///< px
constexpr int kPictureGap = 12;
constexpr int kBar = 6;
constexpr int kMostRows = 2000;  ///< whose lines are kept
constexpr int kNarrowest = 160;  ///< px; minimum width of a row, which the view stretches to its own width

JobState stateOf(const QModelIndex& index) {
    return static_cast<JobState>(index.data(QueueModel::StateRole).toInt());
}

bool isDraggable(const QModelIndex& index) {
    return index.flags() & Qt::ItemIsDragEnabled;
}

QRect pictureArea(const QRect& row) {
    return {row.topLeft() + QPoint(kMargin + kGrip, kMargin), row.width() < kNarrowRow ? kSmallPicture : kPicture};
}

QRect textArea(const QRect& row) {
    return row.adjusted(kMargin + kGrip + pictureArea(row).width() + kPictureGap, kMargin, -kMargin, -kMargin);
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
    if (index.data(QueueModel::DamagedRole).toBool()) return {};
    switch (stateOf(index)) {
        case JobState::waiting:
            return index.data(QueueModel::SleepsRole).toBool() ? QueueDelegate::tr("Start all") : QString();
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

QueueDelegate::QueueDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), theme_(theme), rows_(kMostRows) {}

std::vector<QueueRowLine> QueueDelegate::linesOf(const QModelIndex& index, int width) const {
    const QueueRowTexts texts{.prompt = index.data().toString(),
                              .facts = index.data(QueueModel::FactsRole).toString(),
                              .computer = index.data(QueueModel::ComputerRole).toString(),
                              .state = index.data(QueueModel::StatusRole).toString(),
                              .aside = asideOf(index),
                              .shortAside = shortAsideOf(index),
                              .reason = index.data(QueueModel::ReasonRole).toString()};
    const QueueRowFonts fonts{.prompt = theme_.font(Type::strong), .others = theme_.font(Type::caption)};
    const JobId job = index.data(Qt::UserRole).toLongLong();
    const Row* known = rows_.object(job);
    if (known && known->texts == texts && known->fonts == fonts && known->width == width) return known->lines;
    std::vector<QueueRowLine> lines = queueRowLines(texts, fonts, width);
    rows_.insert(job, new Row{texts, fonts, width, lines});
    return lines;
}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QListView*>(option.widget);
    const int width = view ? std::max(kNarrowest, view->viewport()->width() - 2 * view->spacing()) : kNarrowest;
    const QRect row(0, 0, width, 0);
    const int texts = heightOf(linesOf(index, textArea(row).width()));
    const int bar = stateOf(index) == JobState::running ? kBar + 6 : 0;
    return {kNarrowest, std::max(texts, pictureArea(row).height()) + bar + 2 * kMargin};
}

QRect QueueDelegate::linkRect(const QRect& row, const QModelIndex& index) const {
    const QString text = linkText(index);
    const QRect area = textArea(row);
    for (const QueueRowLine& line : linesOf(index, area.width())) {
        if (line.part != QueueRowLine::Part::aside || text.isEmpty()) continue;
        const int width = QFontMetrics(theme_.font(Type::caption)).horizontalAdvance(line.text);
        return QRect(line.place.topLeft() + area.topLeft(), QSize(width, line.place.height())).adjusted(-2, -1, 2, 1);
    }
    return {};
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
    paintThumbnail(*painter, theme_, pictureArea(row),
                   {.image = index.data(QueueModel::PictureRole).value<QImage>(),
                    .radius = 6,
                    .fit = Qt::KeepAspectRatioByExpanding});
    paintTexts(*painter, textArea(row), index);
    if (running) paintProgress(*painter, row, index);
    painter->restore();
}

void QueueDelegate::paintTexts(QPainter& painter, const QRect& area, const QModelIndex& index) const {
    using Part = QueueRowLine::Part;
    const bool isLink = !isCounting(index) && !linkText(index).isEmpty();
    for (const QueueRowLine& line : linesOf(index, area.width())) {
        painter.setFont(theme_.font(line.part == Part::prompt ? Type::strong : Type::caption));
        ColorRole role = ColorRole::text2;
        if (line.part == Part::prompt) role = ColorRole::text;
        if (line.part == Part::state) role = colorOf(stateOf(index));
        if (line.part == Part::aside && isLink) role = ColorRole::accent;
        painter.setPen(theme_.color(role));
        painter.drawText(line.place.translated(area.topLeft()), Qt::AlignVCenter | Qt::TextDontClip, line.text);
    }
}

void QueueDelegate::paintProgress(QPainter& painter, const QRect& row, const QModelIndex& index) const {
    const QRect area = textArea(row);
    const int left = pictureArea(row).left();
    const QRectF track(left, area.bottom() - kBar + 1, area.right() + 1 - left, kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.color(ColorRole::hover));
    painter.drawRoundedRect(track, kBar / 2.0, kBar / 2.0);
    QRectF done = track;
    done.setWidth(track.width() * index.data(QueueModel::FractionRole).toDouble());
    painter.setBrush(theme_.color(ColorRole::accent));
    if (done.width() >= kBar) painter.drawRoundedRect(done, kBar / 2.0, kBar / 2.0);
}

}  // namespace kinescope::ui
