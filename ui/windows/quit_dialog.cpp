#include "ui/windows/quit_dialog.h"

#include "ui/widgets/eta_format.h"

namespace kinescope::ui {
namespace {

QString sentence(const QuitQuestion& question) {
    const QString later =
        question.step > 0
            ? QuitDialog::tr(
                  "If you quit now, the job stays in the queue and continues from step %1 the next time you start "
                  "Kinescope.")
                  .arg(question.step)
            : QuitDialog::tr(
                  "If you quit now, the job stays in the queue and continues the next time you start Kinescope.");
    if (!question.secondsLeft) return later;
    return QuitDialog::tr("%1 left. %2", "time, sentence").arg(formatDuration(*question.secondsLeft), later);
}

}  // namespace

QuitDialog::QuitDialog(const Theme& theme, const QuitQuestion& question, QWidget* parent)
    : QDialog(parent), card_(theme, *this, QStringLiteral("pause")) {
    setObjectName(QStringLiteral("quitDialog"));
    setWindowTitle(tr("Kinescope"));
    setQuestion(question);
    const auto answers = [this](QuitAnswer answer) {
        return [this, answer] {
            answer_ = answer;
            accept();
        };
    };
    card_.addQuietButton("finishThenQuitButton", tr("Finish, then quit"), answers(QuitAnswer::finishThenQuit));
    card_.addButton("keepWorkingButton", tr("Keep working"), [this] { reject(); });
    card_.addDefaultButton("continueLaterButton", tr("Quit and continue later"), answers(QuitAnswer::continueLater));
}

void QuitDialog::setQuestion(const QuitQuestion& question) {
    card_.setText(tr("A video is still being generated"), sentence(question));
}

}  // namespace kinescope::ui
