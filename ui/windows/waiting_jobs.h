#pragma once

#include <QObject>

namespace kinescope::ui {

class EngineBridge;
class NoticeBoard;

/// Offers to start the jobs that wait from an earlier session, which do not start by themselves.
class WaitingJobs : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this object.
    WaitingJobs(EngineBridge& bridge, NoticeBoard& notices, QObject* parent);

    /// Shows a notice if there are such jobs. It goes when they have started or are gone.
    void offer();

private:
    bool exist() const;

    EngineBridge& bridge_;
    NoticeBoard& notices_;
};

}  // namespace kinescope::ui
