#pragma once

#include <QDialog>
#include <optional>

namespace kinescope::ui {

class Theme;

enum class QuitAnswer { keepWorking, finishThenQuit, continueLater };

/// How far the video is that is being made.
struct QuitQuestion {
    std::optional<double> secondsLeft;
    int step = 0;  ///< the one that it goes on with; 0: not at the steps yet
};

/// Asked when the window is closed while a video is being made. Escape keeps working; Enter quits and continues later.
class QuitDialog : public QDialog {
    Q_OBJECT

public:
    QuitDialog(const Theme& theme, const QuitQuestion& question, QWidget* parent = nullptr);

    QuitAnswer answer() const { return answer_; }

private:
    QuitAnswer answer_ = QuitAnswer::keepWorking;
};

}  // namespace kinescope::ui
