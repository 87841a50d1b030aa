#pragma once

#include "core/api/job.h"
#include "ui/windows/growing_dialog.h"

class QCheckBox;
class QFrame;
class QLabel;
class QPushButton;

namespace kinescope::ui {

class ElidedLabel;
class ModelNames;
class Theme;

enum class RecoveryAnswer { keepInQueue, startOver, skipFinish, proceed };

/// How to continue a job. `safe` uses only the CPU and restarts the job, because devices round differently.
enum class RecoveryMode { normal, safe };

/// Shown at the start if the program was closed during a run, or if another computer has set a job aside.
class RecoveryDialog : public GrowingDialog {
    Q_OBJECT

public:
    struct Facts {
        Job job;
        QString computer = {};  ///< the one that runs the job; empty: this one. Only this one has a safe mode
        int interrupted = 0;    ///< number of other interrupted jobs
        int waiting = 0;
        int crashes = 1;  ///< consecutive ones; from 2, safe mode is preselected if no step is finished
    };

    /// `names` may learn the name of the model while the dialog is shown.
    RecoveryDialog(const Theme& theme, const Facts& facts, const ModelNames& names, QWidget* parent = nullptr);

    RecoveryAnswer answer() const { return answer_; }
    RecoveryMode mode() const;

private:
    QFrame* jobCard();
    void showJob(const Facts& facts, const ModelNames& names);
    QCheckBox* safeModeCheck(const Facts& facts);

    RecoveryAnswer answer_ = RecoveryAnswer::keepInQueue;
    ElidedLabel* name_ = nullptr;
    QLabel* facts_ = nullptr;
    QCheckBox* safe_ = nullptr;  ///< null: the job belongs to another computer
    QPushButton* anew_ = nullptr;
    QPushButton* skipFinish_ = nullptr;  ///< null: the job has no finish steps
};

}  // namespace kinescope::ui
