#include "ui/panels/explore_form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "core/api/prompt_variants.h"
#include "ui/models/queue_model.h"
#include "ui/models/request_model.h"
#include "ui/panels/prompt_edit.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/error_catalog.h"
#include "ui/text/fault_text.h"
#include "ui/text/field_name.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kPromptLines = 2;
constexpr int kMaxSeeds = 64;
constexpr int kFirstSeeds = 4;

bool areTooMany(int videos) {
    return videos > static_cast<int>(kMostPromptVariants);
}

}  // namespace

ExploreForm::ExploreForm(const Theme& theme, RequestModel& request, QWidget* parent)
    : Card(theme, parent),
      request_(request),
      prompt_(new PromptEdit("explorePromptEdit", kPromptLines, this)),
      seedsLabel_(new QLabel(this)),
      seeds_(new NumberSpin("exploreSeedsSpin", {}, this)),
      start_(new QPushButton(this)),
      note_(new QLabel(this)),
      message_(new MessageLine(theme, this)) {
    setObjectName(QStringLiteral("exploreForm"));
    header()->insertWidget(1, new HelpButton(theme, QStringLiteral("quality#explore"), this));
    seeds_->setRange(1, kMaxSeeds);
    seeds_->setValue(kFirstSeeds);
    seedsLabel_->setBuddy(seeds_);
    seedsLabel_->setProperty("type", "label");
    start_->setObjectName(QStringLiteral("exploreButton"));
    start_->setProperty("role", "primary");
    start_->setIcon(theme.icon(QStringLiteral("play"), ColorRole::onFill));
    note_->setObjectName(QStringLiteral("exploreNoteLabel"));
    note_->setProperty("type", "caption");
    note_->setWordWrap(true);
    message_->setObjectName(QStringLiteral("exploreMessage"));
    auto* row = new QHBoxLayout;
    row->addWidget(note_, 1);
    row->addWidget(seedsLabel_);
    row->addWidget(seeds_);
    row->addWidget(start_);
    body()->addWidget(prompt_);
    body()->addWidget(message_);
    body()->addLayout(row);
    connect(prompt_, &QPlainTextEdit::textChanged, this, [this] {
        request_.edit([prompt = prompt_->toPlainText().toStdString()](VideoRequest& form) { form.prompt = prompt; });
    });
    connect(seeds_, &QSpinBox::valueChanged, this, &ExploreForm::showRequest);
    connect(start_, &QPushButton::clicked, this, &ExploreForm::start);
    connect(&request_, &RequestModel::requestChanged, this, &ExploreForm::showRequest);
    connect(&request_, &RequestModel::planChanged, this, &ExploreForm::showRequest);
    inEveryLanguage(this, [this] { retranslate(); });
}

int ExploreForm::numSeeds() const {
    return seeds_->value();
}

void ExploreForm::start() {
    if (start_->isEnabled()) Q_EMIT exploreRequested(numSeeds());
}

void ExploreForm::retranslate() {
    setTitle(tr("Explore"));
    prompt_->setAccessibleName(tr("Prompt with alternatives"));
    prompt_->setPlaceholderText(tr("Alternatives in braces: a {red|blue} ball"));
    prompt_->setToolTip(tr("Alternatives in braces make one prompt each: a {red|blue} ball."));
    seedsLabel_->setText(tr("&Seeds"));
    seeds_->setAccessibleName(tr("Seeds for each prompt"));
    seeds_->setToolTip(tr("Consecutive seeds for each prompt, from the seed in Create on."));
    showRequest();
}

void ExploreForm::showRequest() {
    prompt_->setTextQuietly(request_.request().prompt);
    const int videos = numSeeds() * request_.numPrompts();
    start_->setText(tr("Generate %Ln videos", nullptr, videos));
    start_->setEnabled(request_.canRun() && !areTooMany(videos));
    showMessage(videos);
    showNote(videos);
}

/// Shows the first reason for which the videos cannot be made as they are.
void ExploreForm::showMessage(int videos) {
    message_->clear();
    const auto& error = request_.hasCard() ? request_.planError() : request_.cardError();
    if (!request_.faults().empty() && request_.hasCard()) {
        const Fault& fault = request_.faults().front();
        const FaultText text = faultText(fault, request_.request(), request_.card());
        message_->setMessage(
            Severity::error,
            tr("%1: %2", "field, what is wrong with it").arg(fieldName(fault.field, request_.card()), text.message));
    } else if (areTooMany(videos)) {
        message_->setMessage(Severity::error, tr("At most %1 videos at once. Choose fewer seeds or alternatives.")
                                                  .arg(static_cast<int>(kMostPromptVariants)));
    } else if (error) {
        message_->setMessage(Severity::error, errorText(*error).sentence);
    } else if (const QString warning = alternativesWarning(request_.request().prompt); !warning.isEmpty()) {
        message_->setMessage(Severity::warning, warning);
    }
}

void ExploreForm::showNote(int videos) {
    note_->clear();
    if (!request_.hasCard()) return;
    const VideoRequest full = request_.resolved();
    const QString what = tr("%1, %2. Change model and settings in Create.", "model, size and length")
                             .arg(modelName(request_.card()), sizeText(full));
    const double seconds = request_.plan() ? request_.plan()->seconds * videos : 0;
    note_->setText(seconds > 0 ? tr("%1 About %2.", "sentence, duration").arg(what, formatDuration(seconds)) : what);
}

}  // namespace kinescope::ui
