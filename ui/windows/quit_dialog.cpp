#include "ui/windows/quit_dialog.h"

#include <QPushButton>

#include "ui/widgets/eta_format.h"

namespace kinescope::ui {
namespace {

QString consequence(const QuitQuestion& question) {
    if (question.isWarned)
        return QuitDialog::tr(
            "The last steps may not be saved; the log has the reason. If you quit now, the job stays in the queue and "
            "may have to repeat them.");
    if (question.step > 0)
        return QuitDialog::tr(
                   "If you quit now, the job stays in the queue and continues from step %1 the next time you start "
                   "Kinescope.")
            .arg(question.step);
    return QuitDialog::tr(
        "If you quit now, the job stays in the queue and continues the next time you start Kinescope.");
}

QString sentence(const QuitQuestion& question) {
    const QString whole = consequence(question);
    if (!question.secondsLeft) return whole;
    return QuitDialog::tr("%1 left. %2", "time, sentence").arg(formatDuration(*question.secondsLeft), whole);
}

}  // namespace

QuitDialog::QuitDialog(const Theme& theme, const QuitQuestion& question, QWidget* parent)
    : GrowingDialog(parent), card_(theme, *this, QStringLiteral("pause")) {
    setObjectName(QStringLiteral("quitDialog"));
    setWindowTitle(tr("Kinescope"));
    const auto answers = [this](QuitAnswer answer) {
        return [this, answer] {
            answer_ = answer;
            accept();
        };
    };
    card_.addQuietButton("finishThenQuitButton", tr("Finish, then quit"), answers(QuitAnswer::finishThenQuit));
    keep_ = card_.addButton("keepWorkingButton", tr("Keep working"), [this] { reject(); });
    later_ = card_.addButton("continueLaterButton", tr("Quit and continue later"), answers(QuitAnswer::continueLater));
    setQuestion(question);
}

void QuitDialog::setQuestion(const QuitQuestion& question) {
    card_.setText(tr("A video is still being generated"), sentence(question));
    card_.setDefaultButton(question.isWarned ? *keep_ : *later_);
}

}  // namespace kinescope::ui
