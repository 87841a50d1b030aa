#pragma once

#include <QDialog>

#include "core/api/job.h"

class QCheckBox;
class QPushButton;

namespace kinescope::ui {

class Theme;

enum class RecoveryAnswer { keepInQueue, startOver, skipFinish, proceed };

/// How to continue a job. `safe` uses only the CPU and restarts the job, because devices round differently.
enum class RecoveryMode { normal, safe };

/// Shown at the start if the program was closed during a run.
class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    /// `waiting` is the number of other waiting jobs. `crashes` is the number of consecutive crashes; if it is 2 or
    /// more, safe mode is preselected.
    struct Facts {
        Job job;
        int waiting = 0;
        int crashes = 1;
    };

    RecoveryDialog(const Theme& theme, const Facts& facts, QWidget* parent = nullptr);

    RecoveryAnswer answer() const { return answer_; }
    RecoveryMode mode() const;

private:
    RecoveryAnswer answer_ = RecoveryAnswer::keepInQueue;
    QCheckBox* safe_;
    QPushButton* skipFinish_ = nullptr;  ///< null: the job has no finish steps
};

}  // namespace kinescope::ui
