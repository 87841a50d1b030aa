#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTimer>

class QListView;

namespace kinescope::ui {

class Theme;

/// A video as a painted tile of 184 px, or as a row with its facts; a day as a heading across the view. The video under
/// the pointer plays.
class HistoryDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    HistoryDelegate(const Theme& theme, QListView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// Rows with their facts instead of tiles.
    void setAsList(bool asList) { asList_ = asList; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void play(const QModelIndex& index);
    /// The one of the clip that is on show now; null: not there yet.
    QImage pictureOf(const QModelIndex& index) const;
    void paintTile(QPainter& painter, const QRectF& tile, const QModelIndex& index) const;
    void paintRow(QPainter& painter, const QRectF& row, const QModelIndex& index) const;
    void paintBadges(QPainter& painter, const QRectF& picture, const QModelIndex& index) const;
    void paintWords(QPainter& painter, const QRectF& words, const QModelIndex& index) const;

    const Theme& theme_;
    QListView& view_;
    QPersistentModelIndex playing_;
    int frame_ = 0;
    bool asList_ = false;
    QTimer clock_;
};

}  // namespace kinescope::ui
