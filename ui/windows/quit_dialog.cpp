#include "ui/windows/quit_dialog.h"

#include "ui/widgets/eta_format.h"
#include "ui/windows/question_card.h"

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

QuitDialog::QuitDialog(const Theme& theme, const QuitQuestion& question, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("quitDialog"));
    setWindowTitle(tr("Kinescope"));
    QuestionCard card(theme, *this, QStringLiteral("pause"));
    card.setText(tr("A video is still being generated"), sentence(question));
    const auto answers = [this](QuitAnswer answer) {
        return [this, answer] {
            answer_ = answer;
            accept();
        };
    };
    card.addQuietButton("finishThenQuitButton", tr("Finish, then quit"), answers(QuitAnswer::finishThenQuit));
    card.addButton("keepWorkingButton", tr("Keep working"), [this] { reject(); });
    card.addDefaultButton("continueLaterButton", tr("Quit and continue later"), answers(QuitAnswer::continueLater));
}

}  // namespace kinescope::ui
