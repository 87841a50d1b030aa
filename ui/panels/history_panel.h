#pragma once

#include <QStringList>

#include "ui/widgets/island.h"

class QLabel;
class QLineEdit;
class QListView;

namespace kinescope::ui {

class ElidedLabel;
class HistoryDelegate;
class HistoryModel;
class Segmented;
class Theme;

/// The videos that were made. Keys in the view: Enter uses the settings, F marks a favourite, C compares two, Del moves
/// to the bin.
class HistoryPanel : public Island {
    Q_OBJECT

public:
    HistoryPanel(const Theme& theme, HistoryModel& history, QWidget* parent = nullptr);

    QListView* view() const { return view_; }
    /// The files that are chosen, in the order of the view.
    QStringList chosen() const;
    /// What "This model" means.
    void setModel(const std::string& model);
    void focusSearch();
    /// Rows with their facts, or thumbnails.
    void setAsList(bool asList);

Q_SIGNALS:
    void chosenChanged();
    void asListChanged(bool asList);
    void useSettingsWanted(const QString& file);
    void deleteWanted(const QStringList& files);
    void compareWanted(const QString& a, const QString& b);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void say();
    void buildView();
    bool key(int key);
    void keepChosenOverResets();
    void applyFilter();
    void present();

    const Theme& theme_;
    HistoryModel& history_;
    ElidedLabel* count_;
    QLineEdit* search_;
    Segmented* kinds_;
    Segmented* looks_;
    QListView* view_;
    HistoryDelegate* delegate_ = nullptr;
    QLabel* empty_;
    std::string model_;
    QStringList kept_;  ///< chosen before the rows were made anew
};

}  // namespace kinescope::ui
