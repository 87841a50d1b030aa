#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTimer>

class QListView;

namespace kinescope::ui {

class Theme;

/// A video as a painted tile of 184 px, a day as a heading across the view. The tile under the pointer plays.
class HistoryDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    HistoryDelegate(const Theme& theme, QListView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void play(const QModelIndex& index);
    void paintPicture(QPainter& painter, const QRectF& where, const QModelIndex& index) const;
    void paintBadges(QPainter& painter, const QRectF& picture, const QModelIndex& index) const;
    void paintWords(QPainter& painter, const QRectF& words, const QModelIndex& index) const;

    const Theme& theme_;
    QListView& view_;
    QPersistentModelIndex playing_;
    int frame_ = 0;
    QTimer clock_;
};

}  // namespace kinescope::ui
