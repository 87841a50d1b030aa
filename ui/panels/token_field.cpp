#include "ui/panels/token_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/access_token.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"

namespace kinescope::ui {
namespace {

constexpr int kMostWidth = 280;

}  // namespace

TokenField::TokenField(const Theme& theme, const QString& file, QWidget* parent)
    : QWidget(parent),
      file_(file),
      isSaved_(hasToken(file)),
      label_(new QLabel(this)),
      edit_(new QLineEdit(this)),
      save_(new QPushButton(this)),
      remove_(new QPushButton(this)),
      message_(new MessageLine(theme, this)) {
    setObjectName(QStringLiteral("tokenField"));
    label_->setProperty("type", "label");
    label_->setBuddy(edit_);
    edit_->setObjectName(QStringLiteral("tokenEdit"));
    edit_->setEchoMode(QLineEdit::Password);
    edit_->setMaximumWidth(kMostWidth);
    save_->setObjectName(QStringLiteral("saveTokenButton"));
    remove_->setObjectName(QStringLiteral("removeTokenButton"));
    message_->setObjectName(QStringLiteral("tokenMessage"));
    auto* row = new QHBoxLayout;
    row->addWidget(label_);
    row->addWidget(edit_, 1);
    row->addWidget(save_);
    row->addWidget(remove_);
    row->addWidget(new HelpButton(theme, QStringLiteral("models#gated"), this));
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(message_);
    connect(edit_, &QLineEdit::textChanged, this, &TokenField::updateState);
    connect(edit_, &QLineEdit::returnPressed, this, &TokenField::save);
    connect(save_, &QPushButton::clicked, this, &TokenField::save);
    connect(remove_, &QPushButton::clicked, this, &TokenField::remove);
    inEveryLanguage(this, [this] { retranslate(); });
}

void TokenField::retranslate() {
    label_->setText(tr("Access &token for gated models"));
    edit_->setAccessibleName(tr("Access token for %1").arg(QLatin1String(kTokenHost)));
    edit_->setToolTip(
        tr("Some models need an account at %1. The token is sent only to this host.").arg(QLatin1String(kTokenHost)));
    save_->setText(tr("Save"));
    save_->setAccessibleName(tr("Save token"));
    remove_->setText(tr("Remove"));
    remove_->setAccessibleName(tr("Remove token"));
    message_->clear();  // in the previous language
    updateState();
}

void TokenField::updateState() {
    edit_->setPlaceholderText(isSaved_ ? tr("A token is saved") : tr("None"));
    save_->setEnabled(!edit_->text().isEmpty());
    remove_->setVisible(isSaved_);
}

void TokenField::save() {
    const QString token = edit_->text().trimmed();
    if (token.isEmpty()) return;
    if (!isToken(token))
        return message_->setMessage(Severity::error,
                                    tr("This is not a token: it contains spaces or non-ASCII characters."));
    store(token);
}

void TokenField::remove() {
    store({});
}

void TokenField::store(const QString& token) {
    const QString fault = saveToken(token, file_);
    if (!fault.isEmpty()) return message_->setMessage(Severity::error, tr("The token was not saved: %1").arg(fault));
    isSaved_ = !token.isEmpty();
    edit_->clear();
    updateState();
    message_->setMessage(Severity::ok, token.isEmpty() ? tr("The token is removed.")
                                                       : tr("The token is saved in a file that only you can read."));
}

}  // namespace kinescope::ui
