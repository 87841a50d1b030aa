#include "ui/windows/recovery_dialog.h"

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/queue_model.h"
#include "ui/panels/elided_label.h"
#include "ui/windows/question_card.h"

namespace kinescope::ui {
namespace {

QString sentence(const JobRecord& job) {
    if (job.step == 0)
        return RecoveryDialog::tr("Kinescope closed while it was making this video. No step was finished yet.");
    return RecoveryDialog::tr(
               "Kinescope closed while it was making this video. Step %1 of %2 is saved, nothing before "
               "it has to be made again.")
        .arg(job.step)
        .arg(job.num_steps);
}

QWidget* jobCard(const RecoveryDialog::Facts& facts, QWidget* parent) {
    auto* card = new QFrame(parent);
    card->setProperty("role", "card");
    auto* title = new ElidedLabel(card);
    title->setProperty("type", "strong");
    title->setFullText(QString::fromStdString(facts.job.request.prompt).simplified());
    QStringList parts{modelWords(facts.job.request.model), sizeWords(facts.job.request)};
    if (facts.waiting > 0) parts << RecoveryDialog::tr("%n more jobs wait", nullptr, facts.waiting);
    parts.removeAll(QString());
    auto* note = new QLabel(parts.join(QStringLiteral(", ")), card);
    note->setProperty("type", "note");
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(title);
    column->addWidget(note);
    return card;
}

}  // namespace

RecoveryDialog::RecoveryDialog(const Theme& theme, const Facts& facts, QWidget* parent)
    : QDialog(parent), safe_(new QCheckBox(tr("Safe mode: use the CPU only, from the first step"), this)) {
    setObjectName(QStringLiteral("recoveryDialog"));
    setWindowTitle(tr("Kinescope"));
    QuestionCard card(theme, *this, QStringLiteral("refresh"));
    card.setWords(tr("Continue where it stopped?"), sentence(facts.job));
    card.body()->addWidget(jobCard(facts, this));
    card.body()->addWidget(safe_);
    safe_->setObjectName(QStringLiteral("safeModeCheck"));
    safe_->setAccessibleName(safe_->text());
    safe_->setToolTip(tr("Leaves the graphics card out. Slower, but it tells whether the driver was the cause."));
    safe_->setChecked(facts.crashes > 1);
    const auto answers = [this](RecoveryAnswer answer) {
        return [this, answer] {
            answer_ = answer;
            accept();
        };
    };
    card.addQuietButton("keepInQueueButton", tr("Keep in queue"), [this] { reject(); });
    card.addButton("recoverAnewButton", tr("Start over"), answers(RecoveryAnswer::startOver));
    QPushButton* go = card.addDefaultButton("recoverButton", tr("Continue"), answers(RecoveryAnswer::proceed));
    const auto name = [this, go, step = facts.job.step] {
        const bool from_step = step > 0 && !safe_->isChecked();
        go->setText(from_step ? tr("Continue from step %1").arg(step) : tr("Continue"));
        go->setAccessibleName(go->text());
    };
    connect(safe_, &QCheckBox::toggled, this, name);
    name();
}

bool RecoveryDialog::safeMode() const {
    return safe_->isChecked();
}

}  // namespace kinescope::ui
