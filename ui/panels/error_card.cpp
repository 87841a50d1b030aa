#include "ui/panels/error_card.h"

#include <QApplication>
#include <QClipboard>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/panels/icon_disc.h"
#include "ui/widgets/language.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kCardWidth = 640;
constexpr int kMaxDetail = 400;  ///< characters; the report contains the full text

}  // namespace

ErrorCard::ErrorCard(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      sentence_(new TextView(this)),
      detail_(new TextView(this)),
      buttons_(new QHBoxLayout) {
    auto* card = new QFrame(this);
    card->setObjectName(QStringLiteral("errorCard"));
    card->setStyleSheet(QStringLiteral("QFrame#errorCard { border: 1px solid palette(mid); border-radius: 12px; }"));
    card->setMaximumWidth(kCardWidth);
    title_->setObjectName(QStringLiteral("errorTitleLabel"));
    title_->setProperty("type", "subtitle");
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    sentence_->setObjectName(QStringLiteral("errorSentenceText"));
    detail_->setObjectName(QStringLiteral("errorDetailText"));
    detail_->setProperty("type", "caption");
    for (TextView* view : {sentence_, detail_}) view->setFocusPolicy(Qt::ClickFocus);  // Tab visits the actions
    auto* disc = new IconDisc(theme, QStringLiteral("stopo"), ColorRole::error, card);
    disc->setDiameter(48);

    auto* textColumn = new QVBoxLayout;
    textColumn->setSpacing(8);
    textColumn->addWidget(title_);
    textColumn->addWidget(sentence_);
    textColumn->addWidget(detail_);
    textColumn->addSpacing(8);
    textColumn->addLayout(buttons_);
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(24, 24, 24, 20);
    row->setSpacing(16);
    row->addWidget(disc, 0, Qt::AlignTop);
    row->addLayout(textColumn, 1);
    buttons_->setSpacing(8);

    auto* centered = new QHBoxLayout;
    centered->addStretch(1);
    centered->addWidget(card, 8);
    centered->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->addStretch(1);
    all->addLayout(centered);
    all->addStretch(1);
    inEveryLanguage(this, [this] {
        if (error_) setError(Error(*error_));
    });
}

void ErrorCard::setError(const Error& error) {
    error_ = error;
    const ErrorText text = errorText(error);
    title_->setText(text.title);
    sentence_->showText(text.sentence);
    // Engine messages are English. In other languages they appear only in the tooltip and the report.
    const bool isReadable = !text.detail.isEmpty() && currentLanguage() == QLatin1String("en");
    detail_->showText(isReadable ? tr("Details: %1").arg(cutText(text.detail, kMaxDetail)) : QString());
    sentence_->setToolTip(isReadable ? QString() : text.detail);
    for (TextView* view : {sentence_, detail_}) view->setAccessibleName(text.title);
    report_ = errorReport(error);
    showFixes(text.fixes);
}

void ErrorCard::focusFix() {
    if (QLayoutItem* best = buttons_->itemAt(0); best && best->widget()) best->widget()->setFocus();
}

void ErrorCard::showFixes(const std::vector<Fix>& fixes) {
    while (QLayoutItem* item = buttons_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    auto* copy = new QPushButton(tr("Copy report"), this);
    copy->setObjectName(QStringLiteral("copyReportButton"));
    copy->setProperty("role", "ghost");
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(report_); });
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        auto* button = new QPushButton(fixes[i].label, this);
        button->setObjectName(QStringLiteral("fixButton%1").arg(i + 1));
        if (i == 0) button->setProperty("role", "primary");
        connect(button, &QPushButton::clicked, this, [this, action = fixes[i].action] { Q_EMIT fixChosen(action); });
        buttons_->addWidget(button);
    }
    buttons_->addStretch(1);
    buttons_->addWidget(copy);
}

}  // namespace kinescope::ui
