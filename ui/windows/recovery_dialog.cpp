#include "ui/windows/recovery_dialog.h"

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/model_names.h"
#include "ui/models/queue_model.h"
#include "ui/panels/elided_label.h"
#include "ui/text/words.h"
#include "ui/widgets/text_lines.h"
#include "ui/windows/question_card.h"

namespace kinescope::ui {
namespace {

/// A job of another computer is set aside after it has ended the engine there.
QString sentenceElsewhere(const Job& job, const QString& computer) {
    if (job.step == 0)
        return RecoveryDialog::tr("The engine on “%1” ended while it generated this video. No step was finished.")
            .arg(computer);
    return RecoveryDialog::tr(
               "The engine on “%1” ended while it generated this video. Steps 1 to %2 of %3 are saved there.",
               "computer, finished steps, all steps")
        .arg(computer, QString::number(job.step), QString::number(job.num_steps));
}

QString sentence(const RecoveryDialog::Facts& facts) {
    const Job& job = facts.job;
    if (!facts.computer.isEmpty()) return sentenceElsewhere(job, facts.computer);
    if (job.step == 0)
        return RecoveryDialog::tr("Kinescope was closed while generating this video. No step was finished.");
    return RecoveryDialog::tr("Kinescope was closed while generating this video. Steps 1 to %1 of %2 are saved.")
        .arg(job.step)
        .arg(job.num_steps);
}

}  // namespace

RecoveryDialog::RecoveryDialog(const Theme& theme, const Facts& facts, const ModelNames& names, QWidget* parent)
    : GrowingDialog(parent) {
    setObjectName(QStringLiteral("recoveryDialog"));
    setWindowTitle(tr("Kinescope"));
    QuestionCard card(theme, *this, QStringLiteral("refresh"));
    card.setText(tr("Continue where it stopped?"), sentence(facts));
    card.body()->addWidget(jobCard());
    showJob(facts, names);
    connect(&names, &ModelNames::changed, this, [this, facts, &names] { showJob(facts, names); });
    if (facts.computer.isEmpty()) {
        safe_ = safeModeCheck(facts);
        card.body()->addWidget(safe_);
    }
    const auto answers = [this](RecoveryAnswer answer) {
        return [this, answer] {
            answer_ = answer;
            accept();
        };
    };
    card.addQuietButton("keepInQueueButton", tr("Keep in queue"), [this] { reject(); });
    anew_ = card.addButton("recoverAnewButton", tr("Start over"), answers(RecoveryAnswer::startOver));
    if (facts.job.step > 0 && !facts.job.request.finish.is_empty()) {
        skipFinish_ =
            card.addButton("recoverSkipFinishButton", tr("Without finish steps"), answers(RecoveryAnswer::skipFinish));
        skipFinish_->setToolTip(tr(
            "Continues, and leaves out the upscaler, the interpolator and the sound: their files may be the cause."));
    }
    QPushButton* go = card.addDefaultButton("recoverButton", tr("Continue"), answers(RecoveryAnswer::proceed));
    const auto name = [this, go, step = facts.job.step, numSteps = facts.job.num_steps] {
        const bool startsOver = mode() == RecoveryMode::safe;
        const QString proceed = step < numSteps ? tr("Continue from step %1").arg(step + 1) : tr("Continue");
        const QString withSteps = startsOver ? tr("Start over on the CPU") : proceed;
        go->setText(step > 0 ? withSteps : tr("Continue"));
        go->setAccessibleName(go->text());
        anew_->setEnabled(!startsOver);
        if (skipFinish_) skipFinish_->setEnabled(!startsOver);
    };
    if (safe_) connect(safe_, &QCheckBox::toggled, this, name);
    name();
}

QFrame* RecoveryDialog::jobCard() {
    auto* card = new QFrame(this);
    card->setProperty("role", "card");
    name_ = new ElidedLabel(card);
    name_->setProperty("type", "strong");
    name_->setObjectName(QStringLiteral("recoverJobLabel"));
    facts_ = new QLabel(card);
    facts_->setTextFormat(Qt::PlainText);
    facts_->setObjectName(QStringLiteral("recoverFactsLabel"));
    facts_->setProperty("type", "note");
    facts_->setWordWrap(true);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(name_);
    column->addWidget(facts_);
    return card;
}

void RecoveryDialog::showJob(const Facts& facts, const ModelNames& names) {
    const VideoRequest& request = facts.job.request;
    name_->setFullText(jobName(facts.job, names));
    QStringList parts{names.nameOf(request.model), sizeText(request)};
    if (!facts.job.created.empty()) parts << tr("added %1", "date and time").arg(localTimeText(facts.job.created));
    if (facts.waiting > 0) parts << tr("%Ln more jobs are waiting", nullptr, facts.waiting);
    if (facts.interrupted > 0) parts << tr("%Ln more interrupted jobs stay in the queue", nullptr, facts.interrupted);
    parts.removeAll(QString());
    setBreakableText(*facts_, parts.join(QStringLiteral(", ")));
}

QCheckBox* RecoveryDialog::safeModeCheck(const Facts& facts) {
    auto* check = new QCheckBox(tr("Safe mode: start over and use only the CPU"), this);
    check->setObjectName(QStringLiteral("safeModeCheck"));
    check->setAccessibleName(check->text());
    check->setToolTip(tr("Does not use the graphics card. Slower, but shows whether the driver was the cause."));
    check->setChecked(facts.crashes > 1 && facts.job.step == 0);  // Enter must not discard finished steps
    return check;
}

RecoveryMode RecoveryDialog::mode() const {
    return safe_ && safe_->isChecked() ? RecoveryMode::safe : RecoveryMode::normal;
}

}  // namespace kinescope::ui
