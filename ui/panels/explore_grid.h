#pragma once

#include <QModelIndex>

#include "ui/widgets/card.h"

class QLabel;
class QListView;
class QPushButton;

namespace kinescope::ui {

class ElidedLabel;
class ExploreDelegate;
class ExploreModel;
class Theme;

/// The results of an exploration as tiles. Keys: Enter uses the settings, M makes more like the selected one, F toggles
/// a favorite, C compares two videos.
class ExploreGrid : public Card {
    Q_OBJECT

public:
    ExploreGrid(const Theme& theme, ExploreModel& model, QWidget* parent = nullptr);

    QListView* view() const { return view_; }
    /// Says why the model of the selected result can't make more like it; empty: it can.
    void setMoreRefused(const QString& reason);
    /// Returns the rows of the selected results, in order.
    QList<int> selectedRows() const;

Q_SIGNALS:
    void selectionChanged();
    void useRequested(int row);
    void moreRequested(int row);
    void clearRequested();
    void showInFolderRequested(const QString& file);
    void exportRequested(const QString& file);
    void compareRequested(const QString& a, const QString& b);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(const Theme& theme);
    void retranslate();
    void updateContent();
    bool handleKey(int key);
    void showMenu(const QPoint& where);
    void more();
    void favorite();
    void compare();
    bool isDone(int row) const;

    ExploreModel& model_;
    ElidedLabel* count_;
    QPushButton* use_;
    QPushButton* more_;
    QPushButton* favorite_;
    QPushButton* compare_;
    QPushButton* clear_;
    QListView* view_;
    ExploreDelegate* delegate_ = nullptr;
    QLabel* empty_;
    QString moreRefused_;
};

}  // namespace kinescope::ui
