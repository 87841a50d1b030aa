#pragma once

#include <QObject>
#include <QTimer>
#include <utility>

#include "core/api/computers.h"
#include "ui/bridge/engine_bridge.h"

class QSettings;

namespace kinescope::ui {

class ComputerListModel;
enum class Contact;
class NoticeBoard;
class RunModel;

/// Tells the user when the computer of the current job cannot be reached or its connection is lost, and remembers which
/// computer is selected for new jobs.
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
    void showUnreachable(JobId job, const ComputerStatus& computer);
    /// The job of the run, also before its first event; 0: none.
    JobId jobOfRun() const;
    /// The contact to a job whose computer is connected.
    Contact contactTo(JobId job) const;
    /// The computer of that job, or nullptr.
    const ComputerStatus* computerOfRun() const;

    Parts parts_;
    ComputerListModel& computers_;
    bool isSelected_ = false;         ///< in this session
    QTimer lost_;                     ///< runs since the connection was lost
    JobId reached_ = 0;               ///< the job whose computer has been connected
    std::pair<JobId, QString> told_;  ///< the job and the reason of the last notice about an unreachable computer
};

}  // namespace kinescope::ui
