#include "ui/windows/question_card.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/panels/icon_disc.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kWidth = 540;
constexpr int kDisc = 40;

void setRole(QPushButton& button, const QString& role) {
    button.setProperty("role", role);
    button.style()->unpolish(&button);
    button.style()->polish(&button);
}

}  // namespace

QuestionCard::QuestionCard(const Theme& theme, QDialog& dialog, const QString& icon)
    : dialog_(dialog),
      title_(new QLabel(&dialog)),
      sentence_(new QLabel(&dialog)),
      body_(new QVBoxLayout),
      buttons_(new QHBoxLayout) {
    auto* disc = new IconDisc(theme, icon, ColorRole::accent, &dialog);
    disc->setDiameter(kDisc);
    title_->setObjectName(QStringLiteral("questionTitleLabel"));
    title_->setProperty("type", "subtitle");
    title_->setTextFormat(Qt::PlainText);
    sentence_->setObjectName(QStringLiteral("questionSentenceLabel"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(title_);
    words->addWidget(sentence_);
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(disc, 0, Qt::AlignTop);
    head->addLayout(words, 1);
    body_->setSpacing(10);
    buttons_->setSpacing(8);
    buttons_->addStretch(1);
    auto* all = new QVBoxLayout(&dialog);
    all->setContentsMargins(24, 24, 24, 20);
    all->setSpacing(16);
    all->addLayout(head);
    all->addLayout(body_);
    all->addLayout(buttons_);
    dialog.setMinimumWidth(kWidth);
}

void QuestionCard::setText(const QString& title, const QString& sentence) {
    if (title == dialog_.accessibleName() && sentence == dialog_.accessibleDescription()) return;
    title_->setText(title);
    setBreakableText(*sentence_, sentence);
    dialog_.setAccessibleName(title);
    dialog_.setAccessibleDescription(sentence);
}

QPushButton* QuestionCard::makeButton(const char* name, const QString& text, const Call& call) {
    auto* button = new QPushButton(text, &dialog_);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleName(text);
    button->setAutoDefault(false);
    QObject::connect(button, &QPushButton::clicked, &dialog_, call);
    return button;
}

QPushButton* QuestionCard::addQuietButton(const char* name, const QString& text, const Call& call) {
    QPushButton* button = makeButton(name, text, call);
    button->setProperty("role", "ghost");
    buttons_->insertWidget(0, button);
    return button;
}

QPushButton* QuestionCard::addButton(const char* name, const QString& text, const Call& call) {
    QPushButton* button = makeButton(name, text, call);
    buttons_->addWidget(button);
    return button;
}

QPushButton* QuestionCard::addDefaultButton(const char* name, const QString& text, const Call& call) {
    QPushButton* button = addButton(name, text, call);
    setDefaultButton(*button);
    return button;
}

void QuestionCard::setDefaultButton(QPushButton& button) {
    if (default_ == &button) return;
    const bool hasFocus = !default_ || dialog_.focusWidget() == default_;
    if (default_) setRole(*default_, {});
    setRole(button, QStringLiteral("primary"));
    button.setDefault(true);
    if (hasFocus) button.setFocus();
    default_ = &button;
}

}  // namespace kinescope::ui
