#pragma once

#include <optional>

#include "ui/windows/growing_dialog.h"
#include "ui/windows/question_card.h"

namespace kinescope::ui {

class Theme;

enum class QuitAnswer { keepWorking, finishThenQuit, continueLater };

/// Progress of the current video.
struct QuitQuestion {
    std::optional<double> secondsLeft;
    int step = 0;           ///< the step to continue with; 0: none, because no step or every step is done
    bool isWarned = false;  ///< the engine has warned that it does not save the steps
};

/// Asks how to quit during a run. Escape keeps Kinescope open; Enter quits and continues the job later,
/// unless the steps of the run may not be saved.
class QuitDialog : public GrowingDialog {
    Q_OBJECT

public:
    QuitDialog(const Theme& theme, const QuitQuestion& question, QWidget* parent = nullptr);

    /// Updates the text and the default button while the run goes on.
    void setQuestion(const QuitQuestion& question);
    QuitAnswer answer() const { return answer_; }

private:
    QuestionCard card_;
    QPushButton* keep_ = nullptr;
    QPushButton* later_ = nullptr;
    QuitAnswer answer_ = QuitAnswer::keepWorking;
};

}  // namespace kinescope::ui
