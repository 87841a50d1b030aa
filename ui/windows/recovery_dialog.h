#pragma once

#include <QDialog>

#include "core/api/job_record.h"

class QCheckBox;

namespace kinescope::ui {

class Theme;

enum class RecoveryAnswer { keepInQueue, startOver, proceed };

/// Asked at the start when an earlier run of the program ended in the middle of a video.
class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    /// `waiting`: jobs behind it. `crashes`: how often in a row; from the second on safe mode is proposed.
    struct Facts {
        JobRecord job;
        int waiting = 0;
        int crashes = 1;
    };

    RecoveryDialog(const Theme& theme, const Facts& facts, QWidget* parent = nullptr);

    RecoveryAnswer answer() const { return answer_; }
    /// The job shall use the CPU alone. It then begins anew: other devices round otherwise.
    bool safeMode() const;

private:
    RecoveryAnswer answer_ = RecoveryAnswer::keepInQueue;
    QCheckBox* safe_;
};

}  // namespace kinescope::ui
