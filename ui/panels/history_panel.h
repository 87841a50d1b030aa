#pragma once

#include <QStringList>

#include "ui/panels/history_delegate.h"
#include "ui/widgets/card.h"

class QLabel;
class QLineEdit;
class QListView;

namespace kinescope::ui {

class ElidedLabel;
class HistoryModel;
class Segmented;
class Theme;
class VideoActions;

/// The finished videos. Keys: Enter uses the settings, F toggles a favorite, C compares two videos, Del moves videos to
/// the trash.
class HistoryPanel : public Card {
    Q_OBJECT

public:
    HistoryPanel(const Theme& theme, HistoryModel& history, VideoActions& videos, QWidget* parent = nullptr);

    QListView* view() const { return view_; }
    /// Returns the selected files in view order.
    QStringList selectedFiles() const;
    /// Selects only this video. If the filter hides it, shows all videos.
    void select(const QString& file);
    /// Sets the model for the filter "This model".
    void setModel(const std::string& model);
    void focusSearch();
    void setViewMode(HistoryViewMode mode);

Q_SIGNALS:
    void selectionChanged();
    void viewModeChanged(kinescope::ui::HistoryViewMode mode);
    void useSettingsRequested(const QString& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void buildView();
    bool handleKey(int key);
    void showMenu(const QPoint& where);
    void keepSelectionOnReset();
    void applyFilter();
    void showAll();
    void updateContent();

    const Theme& theme_;
    HistoryModel& history_;
    VideoActions& videos_;
    ElidedLabel* count_;
    QLineEdit* search_;
    Segmented* kinds_;
    Segmented* looks_;
    QListView* view_;
    HistoryDelegate* delegate_ = nullptr;
    QLabel* empty_;
    std::string model_;
    QStringList selectedBeforeReset_;  ///< restored after a model reset
    QString currentBeforeReset_;       ///< the same for the file at which the arrow keys start
};

}  // namespace kinescope::ui
