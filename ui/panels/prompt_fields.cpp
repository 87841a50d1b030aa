#include "ui/panels/prompt_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/api/resolved_request.h"
#include "ui/models/request_model.h"
#include "ui/models/vocabulary_rule.h"
#include "ui/panels/form_field.h"
#include "ui/panels/part_prompts.h"
#include "ui/panels/prompt_edit.h"
#include "ui/text/fault_text.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kPromptLines = 5;
constexpr int kNegativeLines = 2;
constexpr int kButtonMargin = 4;  ///< px between the edge of a flat button and its icon

}  // namespace

PromptFields::PromptFields(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      model_(model),
      prompt_(new PromptEdit("promptEdit", kPromptLines, this)),
      parts_(new PartPrompts(theme, model, this)),
      negative_(new PromptEdit("negativeEdit", kNegativeLines, this)),
      toggle_(new QPushButton(this)),
      tokens_(new QLabel(this)),
      message_(new MessageLine(theme, this)),
      negativeMessage_(new MessageLine(theme, this)) {
    auto* label = new QLabel(this);
    label->setProperty("type", "label");
    label->setBuddy(prompt_);
    tokens_->setObjectName(QStringLiteral("tokensLabel"));
    tokens_->setProperty("type", "caption");
    message_->setObjectName(QStringLiteral("promptMessage"));

    auto* head = new QHBoxLayout;
    head->addWidget(label);
    head->addStretch(1);
    head->addWidget(tokens_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(prompt_);
    column->addWidget(message_);
    column->addWidget(parts_);
    auto* toggle = new QHBoxLayout;
    toggle->setContentsMargins(-kButtonMargin, 0, 0, 0);
    toggle->addWidget(toggle_);
    toggle->addStretch(1);
    column->addLayout(toggle);
    column->addWidget(negative_);
    column->addWidget(negativeMessage_);
    buildNegative();

    connect(prompt_, &QPlainTextEdit::textChanged, this, [this] {
        model_.edit(
            [prompt = prompt_->toPlainText().toStdString()](VideoRequest& request) { request.prompt = prompt; });
    });
    connect(message_, &MessageLine::fixActivated, this, [this] {
        model_.edit(
            [this](VideoRequest& request) { request.prompt = examplePrompts(model_.card()).value(0).toStdString(); });
    });
    connect(&model_, &RequestModel::requestChanged, this, &PromptFields::showRequest);
    connect(&model_, &RequestModel::tokensChanged, this, &PromptFields::showTokens);
    connect(&model_, &RequestModel::cardChanged, this, &PromptFields::showTokens);
    inEveryLanguage(this, [this, label] {
        label->setText(tr("Prompt"));
        prompt_->setAccessibleName(tr("Prompt"));
        prompt_->setPlaceholderText(tr("Describe the video"));
        tokens_->setToolTip(tr("Prompt length and the maximum that the model accepts."));
        toggle_->setText(tr("Avoid (negative prompt)"));
        toggle_->setToolTip(tr("Content that the video should not show."));
        negative_->setAccessibleName(tr("Avoid (negative prompt)"));
        showTokens();
    });
}

void PromptFields::buildNegative() {
    toggle_->setObjectName(QStringLiteral("negativeToggleButton"));
    toggle_->setProperty("role", "ghost");
    toggle_->setStyleSheet(QStringLiteral("QPushButton { padding: 0 6px 0 0; text-align: left; }"));
    toggle_->setIcon(theme_.icon(QStringLiteral("plus"), ColorRole::text3));
    toggle_->setIconSize({16, 16});
    toggle_->setCheckable(true);
    negative_->hide();
    negativeMessage_->setObjectName(QStringLiteral("negativeMessage"));
    connect(toggle_, &QPushButton::toggled, this, [this](bool open) {
        negative_->setVisible(open);
        if (open) negative_->setFocus();
    });
    connect(negative_, &QPlainTextEdit::textChanged, this, [this] {
        model_.edit([prompt = negative_->toPlainText().toStdString()](VideoRequest& request) {
            request.negative_prompt = prompt.empty() ? std::nullopt : std::optional(prompt);
        });
    });
}

void PromptFields::focusPrompt() {
    prompt_->setFocus();
}

void PromptFields::focusAndSelect() {
    prompt_->setFocus();
    prompt_->selectAll();
}

void PromptFields::showRequest() {
    prompt_->setTextQuietly(model_.request().prompt);
    negative_->setTextQuietly(model_.request().negative_prompt.value_or(""));
    showMessage();
}

void PromptFields::showTokens() {
    tokens_->clear();
    if (model_.hasCard()) {
        setVisible(model_.card().takes_prompt);
        negative_->setPlaceholderText(QString::fromStdString(model_.card().default_negative_prompt));
        if (model_.tokens())
            tokens_->setText(
                tr("%1 of %2 tokens").arg(countText(*model_.tokens()), countText(model_.card().max_sequence_length)));
    }
    showMessage();
}

void PromptFields::showMessage() {
    negativeMessage_->clear();
    message_->clear();
    const Fault* fault = model_.faultOf("prompt");
    markFault(prompt_, fault != nullptr);
    if (!model_.hasCard()) return;
    const int unread = model_.tokens().value_or(0) - model_.card().max_sequence_length;
    const QString warning = alternativesWarning(model_.request().prompt);
    const QString hint = vocabularyHint(prompt_->toPlainText(), model_.card());
    if (fault) {
        const FaultText text = faultText(*fault, model_.request(), model_.card());
        message_->setMessage(Severity::error, text.message, text.fix);
        message_->setToolTip(text.detail);
    } else if (unread > 0) {
        message_->setToolTip({});
        message_->setMessage(Severity::warning, tr("The last %1 tokens are ignored").arg(countText(unread)));
    } else if (!warning.isEmpty()) {
        message_->setToolTip({});
        message_->setMessage(Severity::warning, warning);
    } else if (!hint.isEmpty()) {
        message_->setMessage(Severity::info, hint,
                             model_.card().example_prompts.empty() ? QString() : tr("Use an example"));
        message_->setToolTip(vocabularyText(model_.card()));
    }
    if (negative_->isVisible() && !negative_->toPlainText().isEmpty() && !uses_negative_prompt(model_.resolved())) {
        negativeMessage_->setMessage(Severity::info, tr("Not used at guidance 1"));
    }
}

}  // namespace kinescope::ui
