#pragma once

#include <QObject>

#include "ui/models/preferences.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

class FramePlayer;
class NoticeBoard;
class NumbersPanel;
class RunModel;
enum class NumbersExport;

/// Gives the user what a run made: the video, single frames, the numbers. Files are copied beside the window's thread.
class ResultDesk : public QObject {
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

    /// All parts must outlive it.
    explicit ResultDesk(const Parts& parts, QObject* parent = nullptr);

    /// The video of the run on stage: a file, or a folder of frames; empty: there is none.
    QString file() const;
    /// It, or the folder of videos, in the file manager.
    void show();
    void exportVideo();
    void exportNumbers(NumbersExport what);
    void saveFrame();

private:
    /// A name under `title` that ends as it must; empty: the user changed their mind.
    QString askName(const QString& title, const QString& proposal, const QString& kind, const QString& ending);
    void copy(const QString& from, const QString& to);
    void savePlots(const QString& to);
    void saveTable(const QString& log, const QString& to);
    /// `problem` empty: it went well.
    void tell(const QString& problem, const QString& to);

    Parts parts_;
};

}  // namespace kinescope::ui
