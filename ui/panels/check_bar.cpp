#include "ui/panels/check_bar.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <cmath>

#include "ui/panels/elided_label.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kThousandths = 1000;
constexpr int kBarWidth = 120;

}  // namespace

CheckBar::CheckBar(QWidget* parent)
    : QWidget(parent),
      start_(new QPushButton(this)),
      stop_(new QPushButton(this)),
      bar_(new QProgressBar(this)),
      words_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("checkBar"));
    start_->setObjectName(QStringLiteral("checkFilesButton"));
    stop_->setObjectName(QStringLiteral("stopCheckButton"));
    bar_->setObjectName(QStringLiteral("checkProgressBar"));
    words_->setObjectName(QStringLiteral("checkLabel"));
    words_->setProperty("type", "caption");
    bar_->setRange(0, kThousandths);
    bar_->setTextVisible(false);
    bar_->setFixedWidth(kBarWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(words_, 1, Qt::AlignRight);
    row->addWidget(bar_);
    row->addWidget(stop_);
    row->addWidget(start_);
    connect(start_, &QPushButton::clicked, this, &CheckBar::startRequested);
    connect(stop_, &QPushButton::clicked, this, &CheckBar::stopRequested);
    inEveryLanguage(this, [this] { retranslate(); });
}

void CheckBar::showFacts(const CheckFacts& facts) {
    facts_ = facts;
    retranslate();
}

void CheckBar::retranslate() {
    const bool running = facts_.phase == CheckFacts::Phase::running;
    start_->setText(tr("Check files"));
    start_->setToolTip(
        tr("Reads every file in full to verify its checksum and to find invalid values (NaN or infinity)."));
    stop_->setText(tr("Stop"));
    stop_->setAccessibleName(tr("Stop the check"));
    bar_->setAccessibleName(tr("Check progress"));
    bar_->setValue(static_cast<int>(std::lround(facts_.share * kThousandths)));
    words_->setFullText(facts_.error ? errorText(*facts_.error).sentence
                        : running    ? tr("Reading %1").arg(facts_.file)
                                     : QString());
    start_->setVisible(!running);
    for (QWidget* each : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(stop_)}) each->setVisible(running);
}

}  // namespace kinescope::ui
