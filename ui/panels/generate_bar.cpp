#include "ui/panels/generate_bar.h"

#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "ui/models/computer_list_model.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/panels/hint_words.h"
#include "ui/text/error_catalog.h"
#include "ui/text/fault_text.h"
#include "ui/text/field_name.h"
#include "ui/widgets/elided_combo.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMaxVideos = 64;
constexpr int kButtonHeight = 40;

}  // namespace

GenerateBar::GenerateBar(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent)
    : QWidget(parent),
      request_(request),
      run_(run),
      button_(new QPushButton(this)),
      more_(new QToolButton(this)),
      count_(new QSpinBox(this)),
      advice_(new QLabel(this)),
      key_(new QLabel(this)),
      hint_(new MessageLine(theme, this)),
      computers_(ComputerListModel::of(request.bridge())),
      runsOnLabel_(new QLabel(this)),
      runsOn_(new ElidedCombo(this)) {
    hint_->setObjectName(QStringLiteral("generateHint"));
    button_->setObjectName(QStringLiteral("generateButton"));
    button_->setProperty("role", "primary");
    button_->setIcon(theme.icon(QStringLiteral("play"), ColorRole::onFill));
    button_->setIconSize({18, 18});
    advice_->setObjectName(QStringLiteral("generateAdviceLabel"));
    advice_->setProperty("type", "caption");
    advice_->setWordWrap(true);
    advice_->setTextFormat(Qt::PlainText);
    key_->setProperty("type", "caption");
    buildMenu(theme);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(button_, 1);
    buttons->addWidget(more_);
    auto* row = new QHBoxLayout;
    row->addWidget(advice_, 1);
    row->addWidget(key_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(makeRunsOn());
    column->addLayout(buttons);
    column->addLayout(row);
    column->addWidget(hint_);
    connect(button_, &QPushButton::clicked, this, &GenerateBar::generateRequested);
    connect(hint_, &MessageLine::fixActivated, this, [this] {
        const std::vector<RequestHint> hints = request_.hints();
        if (!hints.empty()) request_.edit([&](VideoRequest& form) { applyHint(form, hints.front()); });
    });
    connect(&request_, &RequestModel::requestChanged, this, &GenerateBar::updateContent);
    connect(&request_, &RequestModel::planChanged, this, &GenerateBar::updateContent);
    connect(&run_, &RunModel::stateChanged, this, &GenerateBar::updateContent);
    inEveryLanguage(this, [this] {
        key_->setText(tr("Ctrl+Enter"));
        button_->setToolTip(tr("Generates the video with these settings."));
        updateContent();
    });
}

QLayout* GenerateBar::makeRunsOn() {
    runsOn_->setObjectName(QStringLiteral("runsOnCombo"));
    runsOn_->setModel(&computers_);
    runsOn_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    runsOnLabel_->setObjectName(QStringLiteral("runsOnLabel"));
    runsOnLabel_->setBuddy(runsOn_);
    auto* row = new QHBoxLayout;
    row->addWidget(runsOnLabel_);
    row->addWidget(runsOn_, 1);
    connect(runsOn_, &QComboBox::activated, this,
            [this](int index) { computers_.choose(runsOn_->itemData(index).toString().toStdString()); });
    connect(&computers_, &ComputerListModel::changed, this, &GenerateBar::showRunsOn);
    connect(&computers_, &ComputerListModel::chosenChanged, this, &GenerateBar::showRunsOn);
    inEveryLanguage(runsOn_, [this] {
        runsOnLabel_->setText(tr("R&uns on"));
        runsOn_->setAccessibleName(tr("Runs on"));
        runsOn_->setToolTip(tr("The computer that generates the video. Add computers under Preferences > Computers."));
    });
    showRunsOn();
    return row;
}

void GenerateBar::showRunsOn() {
    const bool hasChoice = computers_.rowCount() > 1;
    runsOn_->setVisible(hasChoice);
    runsOnLabel_->setVisible(hasChoice);
    runsOn_->setCurrentIndex(computers_.rowOf(computers_.chosen()));
}

void GenerateBar::buildMenu(const Theme& theme) {
    more_->setObjectName(QStringLiteral("generateMenuButton"));
    more_->setProperty("role", "icon");
    more_->setIcon(theme.icon(QStringLiteral("chev"), ColorRole::text));
    more_->setFixedHeight(kButtonHeight);
    more_->setFocusPolicy(Qt::StrongFocus);
    more_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more_);
    auto* box = new QWidget(menu);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(12, 6, 12, 6);
    auto* label = new QLabel(box);
    count_->setObjectName(QStringLiteral("countSpin"));
    count_->setRange(1, kMaxVideos);
    label->setBuddy(count_);
    row->addWidget(label, 1);
    row->addWidget(count_);
    auto* variations = new QWidgetAction(menu);
    variations->setDefaultWidget(box);
    menu->addAction(variations);
    auto* queue = menu->addAction(QString(), this, &GenerateBar::queueRequested);
    inEveryLanguage(more_, [this, label, queue] {
        more_->setAccessibleName(tr("More options"));
        more_->setToolTip(tr("Generate several videos or add them to the queue."));
        label->setText(tr("Variations with different seeds"));
        count_->setAccessibleName(tr("Variations"));
        queue->setText(tr("Add to &queue"));
    });
    queue->setObjectName(QStringLiteral("actionAddToQueueHere"));
    more_->setMenu(menu);
    connect(count_, &QSpinBox::valueChanged, this, &GenerateBar::updateContent);
}

int GenerateBar::count() const {
    return editing_ ? 1 : count_->value();
}

void GenerateBar::setEditingJob(bool editing) {
    editing_ = editing;
    updateContent();
}

int GenerateBar::numVideos() const {
    return editing_ ? 1 : count() * request_.numPrompts();
}

/// Returns true if the prompt of the edited job has become several ones.
bool GenerateBar::hasAlternativesOfJob() const {
    return editing_ && request_.numPrompts() > 1;
}

QString GenerateBar::action() const {
    const int videos = numVideos();
    if (editing_) return tr("Update job");
    if (run_.running()) return videos > 1 ? tr("Add %Ln to queue", nullptr, videos) : tr("Add to queue");
    return videos > 1 ? tr("Generate %Ln videos", nullptr, videos) : tr("Generate");
}

void GenerateBar::updateContent() {
    button_->setText(action());
    button_->setAccessibleName(button_->text());
    button_->setEnabled(request_.canRun() && !hasAlternativesOfJob());
    more_->setEnabled(request_.canRun() && !editing_);
    const Advice shown = advice();
    advice_->setText(shown.text);
    advice_->setToolTip(shown.detail);
    showHint();
}

void GenerateBar::showHint() {
    const std::vector<RequestHint> hints = request_.hints();
    if (hints.empty()) return hint_->clear();
    const RequestHint& hint = hints.front();
    const HintText text = hintText(hint, request_.card());
    hint_->setMessage(Severity::warning,
                      tr("%1: %2", "field, hint").arg(fieldName(hint.field, request_.card()), text.message), text.fix);
}

GenerateBar::Advice GenerateBar::advice() const {
    const auto of = [](const ErrorText& error) { return Advice{error.sentence, error.detail}; };
    if (!request_.hasCard())
        return request_.cardError() ? of(errorText(*request_.cardError())) : Advice{tr("Preparing…"), {}};
    if (!request_.faults().empty()) return adviceOnFault();
    if (hasAlternativesOfJob()) return {tr("A queued job has one prompt. Remove the alternatives in braces."), {}};
    if (request_.planError()) return of(errorText(*request_.planError()));
    return request_.plan() ? adviceOnTime() : Advice();
}

/// Returns the first fault with the name of its field, because the field may be in a collapsed section.
GenerateBar::Advice GenerateBar::adviceOnFault() const {
    const Fault& fault = request_.faults().front();
    const FaultText text = faultText(fault, request_.request(), request_.card());
    return {tr("%1: %2", "field, what is wrong with it").arg(fieldName(fault.field, request_.card()), text.message),
            text.detail};
}

GenerateBar::Advice GenerateBar::adviceOnTime() const {
    const int videos = numVideos();
    const double seconds = request_.plan()->seconds * videos;
    if (seconds > 0 && videos > 1) return {tr("%1 videos, about %2").arg(videos).arg(formatDuration(seconds)), {}};
    const QString computer = QString::fromStdString(computers_.chosen());
    if (seconds > 0 && !computer.isEmpty()) return {tr("About %1 on %2").arg(formatDuration(seconds), computer), {}};
    return {seconds > 0 ? tr("About %1 on this computer").arg(formatDuration(seconds))
                        : tr("Time estimate: after the first video"),
            {}};
}

}  // namespace kinescope::ui
