#pragma once

#include <optional>

#include "core/api/error.h"
#include "core/api/video_description.h"
#include "core/api/video_files.h"
#include "core/api/video_request.h"
#include "ui/bridge/newest.h"
#include "ui/models/history_item.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace kinescope::ui {

class EngineBridge;
class FramePlayer;
class MessageLine;
class TextView;
class Theme;

/// Details of a video in the history: player, actions and settings.
class DetailsPanel : public Card {
    Q_OBJECT

public:
    DetailsPanel(const Theme& theme, EngineBridge& bridge, QWidget* parent = nullptr);

    /// Shows `item`. nullptr clears the panel.
    void setItem(const HistoryItem* item);
    /// Enables the Compare button if exactly two videos are selected.
    void setComparable(bool comparable);
    FramePlayer* player() const { return player_; }

Q_SIGNALS:
    void useSettingsRequested();
    void showInFolderRequested();
    void exportRequested();
    void continueRequested();
    void finishRequested();
    void compareRequested();
    /// Emitted when the user requests `count` variations with different seeds.
    void varyRequested(int count);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* makeButton(const char* name, const char* icon);
    void retranslate();
    void wireButtons();
    /// Arranges the buttons in two columns if their texts fit, otherwise in one.
    void arrangeButtons();
    void checkFile();
    /// Drops the check that runs, and removes the answer of the last one.
    void dropCheck();
    void readFrames();
    void describeFile();
    void noteUnreadable(const Error& error);
    /// Shows what the player says while it has no frames: to select a video, or why this one cannot be read.
    void showEmptyState();
    void setPlayedRate();
    void showFacts();
    void addSettings(const VideoRequest& request);
    /// Adds size, length and frame rate, from the settings until those of the file are known.
    void addShape(const VideoRequest& request);
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
    QPushButton* export_;
    QPushButton* continue_;
    QPushButton* finish_;
    QPushButton* check_;
    MessageLine* checked_;  ///< result of the file check
    bool isChecking_ = false;
    ReadId checkId_ = 0;    ///< of the newest check
    ReadId playingId_ = 0;  ///< of the frames for the player
    Newest newestCheck_;
    QLabel* health_;
    QGridLayout* buttons_;
    QGridLayout* facts_;  ///< not a QFormLayout, which can give a row the height for another width
    TextView* prompt_;
    QScrollArea* scroll_;  ///< hidden if no video is selected
    QWidget* content_;
    Newest newestItem_;
    QString file_;
    qint64 bytes_ = 0;
    QDateTime made_;
    std::optional<VideoRequest> request_;  ///< settings stored in the file
    std::optional<VideoDescription> described_;
    std::optional<Error> unreadable_;  ///< why the file has no frames to show
};

}  // namespace kinescope::ui
