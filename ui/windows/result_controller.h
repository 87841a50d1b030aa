#pragma once

#include <QObject>
#include <functional>

#include "ui/models/preferences.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

class FramePlayer;
class NoticeBoard;
class NumbersPanel;
class RunModel;
enum class NumbersExport;

/// Saves the frames and statistics of a run. Copies and converts logs on a worker thread.
class ResultController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        const RunModel& run;
        const FramePlayer& player;
        const NumbersPanel& numbers;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
    };

    /// All parts must outlive this object.
    explicit ResultController(const Parts& parts, QObject* parent = nullptr);

    /// Returns the video of the active run, a file or a folder of frames, or an empty string if there is none.
    QString file() const;
    /// Shows the video in the file manager or, if there is none, the output folder.
    void show();
    void exportNumbers(NumbersExport what);
    void saveFrame();

private:
    /// Asks for a path with the right extension. Returns an empty string if the user cancels.
    QString askName(const QString& title, const QString& proposal, const QString& kind, const QString& ending);
    void copy(const QString& from, const QString& to);
    /// Calls `save`, which returns an error message or an empty string, on a worker thread and shows its result.
    void saveLater(const QString& to, const std::function<QString()>& save);
    /// Shows the result of an export. An empty `problem` means success.
    void showResult(const QString& problem, const QString& to);

    Parts parts_;
};

}  // namespace kinescope::ui
