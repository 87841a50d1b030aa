#pragma once

#include <optional>

#include "core/api/video_request.h"
#include "ui/models/history_item.h"
#include "ui/widgets/island.h"

class QFormLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace kinescope::ui {

class EngineBridge;
class FramePlayer;
class MessageLine;
class Theme;

/// One video of the history: its pictures, what can be done with it, and everything that it was made with.
class DetailsPanel : public Island {
    Q_OBJECT

public:
    DetailsPanel(const Theme& theme, EngineBridge& bridge, QWidget* parent = nullptr);

    /// Null: nothing is chosen.
    void setItem(const HistoryItem* item);
    /// Two are chosen: the button compares them.
    void setComparable(bool comparable);
    FramePlayer* player() const { return player_; }

Q_SIGNALS:
    void useSettingsWanted();
    void showInFolderWanted();
    void compareWanted();
    /// So many more, each with a seed of its own.
    void varyWanted(int count);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* makeButton(const char* name, const char* icon);
    void say();
    void wireButtons();
    /// Beside each other where there is room for their words, else below each other.
    void arrangeButtons();
    void checkFile();
    void showFacts(const HistoryItem& item);
    void addFact(const QString& name, const QString& value);

    const Theme& theme_;
    EngineBridge& bridge_;
    FramePlayer* player_;
    QLabel* title_;
    QLabel* when_;
    QPushButton* use_;
    QPushButton* folder_;
    QPushButton* vary_;
    QPushButton* compare_;
    QPushButton* check_;
    MessageLine* checked_;  ///< what the check found
    QLabel* health_;
    QGridLayout* buttons_;
    QFormLayout* facts_;
    QLabel* prompt_;
    QWidget* content_;
    QString file_;
    std::optional<VideoRequest> request_;  ///< of the file
};

}  // namespace kinescope::ui
