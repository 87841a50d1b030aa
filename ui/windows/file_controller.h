#pragma once

#include <QImage>
#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <string>

#include "ui/models/drop_rule.h"
#include "ui/models/preferences.h"

namespace kinescope::ui {

class EngineBridge;
class MainMenu;
class NoticeBoard;
class QueueController;
class RequestModel;
class SettingsController;
struct Desktop;

/// Handles files that are dropped on the window or passed to the program: restores the settings of videos, imports
/// presets, opens requests, images and models in the form, queues lists of requests, and passes on lists of model
/// folders.
class FileController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        RequestModel& request;
        QueueController& controller;
        SettingsController& settings;
        const MainMenu& menu;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
        std::function<void()> showForm;  ///< switches to the Create page
    };

    /// All parts must outlive this object.
    explicit FileController(const Parts& parts, QObject* parent = nullptr);

    /// Returns the inputs that the selected model accepts, for the hint during a drag.
    DropOffer offer() const;
    void carryOut(const DropPlan& plan);
    /// Opens a file or folder passed to the program. Waits for the model to load if necessary.
    void open(const QString& file);
    /// Saves a frame of a video in the data folder on a background thread. Then makes it the start image.
    void useStartImage(const QImage& image, const QString& stem);

Q_SIGNALS:
    /// A list of model folders in ComfyUI's format was opened.
    void folderListOpened(const QString& file);

private:
    void wireMenu();
    /// Asks for a file with one of these extensions ("*.json *.jsonl"). Returns an empty string if the user cancels.
    QString askFile(const QString& title, const QString& folder, const QString& kind, const QString& endings) const;
    void openNow(const QString& file);
    void restoreRequest(const QString& file);
    void replacePrompt(const std::string& prompt);
    void importQueue();
    void showNoSettings(const QString& video);
    void useFirstFrame(const QString& video);
    void showUnreadable(const Error& error);

    Parts parts_;
    QStringList waiting_;
    int startImages_ = 0;  ///< calls of useStartImage()
};

}  // namespace kinescope::ui
