#include "ui/panels/empty_preview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/models/vocabulary_rule.h"
#include "ui/panels/ability_line.h"
#include "ui/panels/example_card.h"
#include "ui/panels/icon_disc.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr qsizetype kExamples = 3;
constexpr int kGuardDisc = 36;

}  // namespace

EmptyPreview::EmptyPreview(const Theme& theme, RequestModel& request, QWidget* parent)
    : QScrollArea(parent), theme_(theme), request_(request) {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(24, 16, 24, 8);
    column->setSpacing(0);
    column->addStretch(3);
    column->addWidget(makeWelcome());
    column->addStretch(2);
    column->addWidget(makeExamples());
    column->addSpacing(12);
    column->addWidget(makeGuardCard());
    column->addStretch(2);
    column->addWidget(makeHints());
    setWidget(content);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    connect(&request_, &RequestModel::cardChanged, this, &EmptyPreview::showExamples);
    connect(&request_, &RequestModel::requestChanged, this, &EmptyPreview::showRequest);
    connect(&request_, &RequestModel::planChanged, this, &EmptyPreview::showRequest);
    inEveryLanguage(this, [this] {
        examplesLabel_->setText(tr("Or start from an example"));
        if (request_.hasCard()) showExamples();
        showRequest();
    });
}

QWidget* EmptyPreview::makeWelcome() {
    auto* welcome = new QWidget(this);
    auto* title = new QLabel(welcome);
    title->setProperty("type", "title");
    auto* text = new QLabel(welcome);
    inEveryLanguage(welcome, [title, text] {
        title->setText(tr("Your video appears here"));
        text->setText(tr("Press Generate to start. The preview and the numbers update after every step."));
    });
    text->setAlignment(Qt::AlignHCenter);
    text->setWordWrap(true);
    ability_ = new QLabel(welcome);
    ability_->setObjectName(QStringLiteral("abilityLabel"));
    ability_->setProperty("type", "caption");
    ability_->setAlignment(Qt::AlignHCenter);
    ability_->setWordWrap(true);
    ability_->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(welcome);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(new IconDisc(theme_, QStringLiteral("film"), ColorRole::accent, welcome), 0, Qt::AlignHCenter);
    column->addSpacing(12);
    column->addWidget(title, 0, Qt::AlignHCenter);
    column->addWidget(text);
    column->addWidget(ability_);
    return welcome;
}

QWidget* EmptyPreview::makeExamples() {
    auto* all = new QWidget(this);
    examplesLabel_ = new QLabel(all);
    examplesLabel_->setProperty("type", "label");
    vocabulary_ = new QLabel(all);
    vocabulary_->setObjectName(QStringLiteral("vocabularyLabel"));
    vocabulary_->setProperty("type", "caption");
    vocabulary_->setWordWrap(true);
    vocabulary_->setTextFormat(Qt::PlainText);
    examples_ = new QHBoxLayout;
    examples_->setSpacing(16);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(examplesLabel_);
    column->addLayout(examples_);
    column->addWidget(vocabulary_);
    return all;
}

/// Makes a card that explains the guard to new users.
QWidget* EmptyPreview::makeGuardCard() {
    auto* card = new QFrame(this);
    card->setObjectName(QStringLiteral("guardCard"));
    card->setProperty("role", "card");
    auto* disc = new IconDisc(theme_, QStringLiteral("shield"), ColorRole::ok, card);
    disc->setDiameter(kGuardDisc);
    auto* title = new QLabel(card);
    title->setProperty("type", "strong");
    auto* text = new QLabel(card);
    text->setProperty("type", "caption");
    text->setWordWrap(true);
    auto* start = new QPushButton(card);
    start->setObjectName(QStringLiteral("seeGuardWorkButton"));
    start->setProperty("role", "outlined");
    connect(start, &QPushButton::clicked, this, &EmptyPreview::guardDemoRequested);
    inEveryLanguage(card, [title, text, start] {
        title->setText(tr("See the guard in action"));
        text->setText(
            tr("The same video three times, with a layer whose values exceed the fp16 range: without the guard, with "
               "it, and in float32."));
        start->setText(tr("Show me"));
        start->setToolTip(tr("Takes a few seconds. Nothing is saved."));
    });
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(title);
    words->addWidget(text);
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(12);
    row->addWidget(disc);
    row->addLayout(words, 1);
    row->addWidget(start);
    return card;
}

QWidget* EmptyPreview::makeHints() {
    auto* hints = new QWidget(this);
    auto* row = new QHBoxLayout(hints);
    row->setContentsMargins(0, 8, 0, 8);
    row->setSpacing(10);
    const auto add = [&](const char* key, const char* caption) {
        auto* cap = new Chip(theme_, hints);
        auto* label = new QLabel(hints);
        inEveryLanguage(label, [=] {
            cap->setChip(tr(key));
            label->setText(tr(caption));
        });
        label->setProperty("type", "caption");
        row->addWidget(cap);
        row->addWidget(label);
        row->addSpacing(24);
    };
    add(QT_TR_NOOP("Ctrl+Enter"), QT_TR_NOOP("Generate"));
    add(QT_TR_NOOP("Ctrl+."), QT_TR_NOOP("Stop"));
    add(QT_TR_NOOP("Space"), QT_TR_NOOP("Play or pause"));
    row->addStretch(1);
    return hints;
}

void EmptyPreview::showExamples() {
    qDeleteAll(cards_);
    cards_.clear();
    const QStringList prompts = examplePrompts(request_.card()).mid(0, kExamples);
    for (const QString& prompt : prompts) {
        auto* card = new ExampleCard(theme_, prompt, this);
        card->setObjectName(QStringLiteral("exampleButton%1").arg(cards_.size() + 1));
        connect(card, &ExampleCard::clicked, this, [this, prompt] {
            request_.edit([&](VideoRequest& request) { request.prompt = prompt.toStdString(); });
        });
        examples_->addWidget(card, 1);
        cards_ << card;
    }
    examplesLabel_->setVisible(!cards_.isEmpty());
    updateVocabularyHint();
}

void EmptyPreview::updateVocabularyHint() {
    if (!request_.hasCard()) return;
    vocabulary_->setText(vocabularySummary(request_.card()));
    vocabulary_->setVisible(!vocabulary_->text().isEmpty());
}

void EmptyPreview::setDevices(const std::vector<DeviceInfo>& devices) {
    devices_ = devices;
    showRequest();
}

void EmptyPreview::showRequest() {
    if (!request_.hasCard()) return;
    const QString ability = request_.plan() ? abilityLine(*request_.plan(), devices_) : QString();
    ability_->setText(ability);
    ability_->setVisible(!ability.isEmpty());
    const VideoRequest now = request_.resolved();
    const QString length = formatClipLength(static_cast<double>(*now.num_frames) / std::max(1, *now.fps));
    const double seconds = request_.plan() ? request_.plan()->seconds : 0;
    const QString caption = seconds > 0 ? tr("%1, about %2").arg(length, formatDuration(seconds)) : length;
    for (ExampleCard* card : std::as_const(cards_)) {
        card->setCaption(caption);
        card->setChosen(card->text().toStdString() == now.prompt);
    }
}

}  // namespace kinescope::ui
