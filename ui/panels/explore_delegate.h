#pragma once

#include <QStyledItemDelegate>
#include <QTimer>

class QListView;

namespace kinescope::ui {

class Theme;

/// Paints a result of an exploration as a tile. Finished clips move for some seconds when they appear, and as long as
/// the pointer is over the grid.
class ExploreDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ExploreDelegate(const Theme& theme, QListView& view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Lets the clips move for some seconds.
    void startMoving();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showNextFrame();
    void paintPicture(QPainter& painter, const QRectF& where, const QModelIndex& index) const;
    void paintTexts(QPainter& painter, const QRectF& area, const QModelIndex& index) const;

    const Theme& theme_;
    QListView& view_;
    QTimer clock_;
    int frame_ = 0;
    int framesLeft_ = 0;
};

}  // namespace kinescope::ui
