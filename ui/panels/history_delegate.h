#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTimer>

class QListView;

namespace kinescope::ui {

class Theme;

enum class HistoryViewMode { grid, list };

/// Paints a video as a 184 px tile or as a list row, and a day as a heading. The video under the pointer plays.
class HistoryDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    HistoryDelegate(const Theme& theme, QListView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    void setViewMode(HistoryViewMode mode) { viewMode_ = mode; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void play(const QModelIndex& index);
    /// Returns the current frame of the thumbnail clip, or a null image if the clip is not loaded yet.
    QImage pictureOf(const QModelIndex& index) const;
    void paintTile(QPainter& painter, const QRectF& tile, const QModelIndex& index) const;
    void paintRow(QPainter& painter, const QRectF& row, const QModelIndex& index) const;
    void paintBadges(QPainter& painter, const QRectF& area, const QModelIndex& index) const;
    void paintTexts(QPainter& painter, const QRectF& area, const QModelIndex& index) const;

    const Theme& theme_;
    QListView& view_;
    /// Kept, because the view cannot be asked for it while it is destroyed.
    const QObject* const viewport_;
    QPersistentModelIndex playing_;
    int frame_ = 0;
    HistoryViewMode viewMode_ = HistoryViewMode::grid;
    QTimer clock_;
};

}  // namespace kinescope::ui
