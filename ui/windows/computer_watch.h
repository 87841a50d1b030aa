#pragma once

#include <QObject>
#include <QTimer>

#include "core/api/computers.h"
#include "ui/bridge/engine_bridge.h"

class QSettings;

namespace kinescope::ui {

class ComputerListModel;
class NoticeBoard;
class RunModel;

/// Tells the user when the connection to the computer that runs the current job is lost, and remembers which computer
/// is selected for new jobs.
class ComputerWatch : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        RunModel& run;
        NoticeBoard& notices;
        QSettings& settings;
    };

    /// All parts must outlive this object.
    ComputerWatch(const Parts& parts, QObject* parent);

private:
    void selectAgain();
    void follow();
    void showLoss();
    /// The computer of the running job, or nullptr.
    const ComputerStatus* computerOfRun() const;

    Parts parts_;
    ComputerListModel& computers_;
    bool isSelected_ = false;  ///< in this session
    QTimer lost_;              ///< runs since the connection was lost
    JobId reached_ = 0;        ///< the job whose computer has been connected
};

}  // namespace kinescope::ui
