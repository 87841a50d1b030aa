#include "ui/windows/quit_dialog.h"

#include <QPushButton>

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
    const QString warning = QuitDialog::tr("The log has a warning about this run: steps that can't be saved are lost.");
    const QString whole = question.isWarned ? later + QLatin1Char(' ') + warning : later;
    if (!question.secondsLeft) return whole;
    return QuitDialog::tr("%1 left. %2", "time, sentence").arg(formatDuration(*question.secondsLeft), whole);
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
    QPushButton* keep = card_.addButton("keepWorkingButton", tr("Keep working"), [this] { reject(); });
    card_.addDefaultButton("continueLaterButton", tr("Quit and continue later"), answers(QuitAnswer::continueLater));
    if (!question.isWarned) return;
    keep->setDefault(true);
    keep->setFocus();
}

void QuitDialog::setQuestion(const QuitQuestion& question) {
    card_.setText(tr("A video is still being generated"), sentence(question));
}

}  // namespace kinescope::ui
