#include "ui/panels/generate_bar.h"

#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/error_catalogue.h"
#include "ui/models/fault_text.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

GenerateBar::GenerateBar(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent)
    : QWidget(parent),
      request_(request),
      run_(run),
      button_(new QPushButton(this)),
      advice_(new QLabel(this)),
      key_(new QLabel(tr("Ctrl+Enter"), this)) {
    button_->setObjectName(QStringLiteral("generateButton"));
    button_->setProperty("role", "primary");
    button_->setIcon(theme.icon(QStringLiteral("play"), ColorRole::onFill));
    button_->setIconSize({18, 18});
    button_->setToolTip(tr("Make the video with these settings."));
    advice_->setObjectName(QStringLiteral("generateAdviceLabel"));
    advice_->setProperty("type", "caption");
    advice_->setWordWrap(true);
    key_->setProperty("type", "caption");
    auto* row = new QHBoxLayout;
    row->addWidget(advice_, 1);
    row->addWidget(key_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(button_);
    column->addLayout(row);
    connect(button_, &QPushButton::clicked, this, &GenerateBar::generateWanted);
    connect(&request_, &RequestModel::requestChanged, this, &GenerateBar::present);
    connect(&request_, &RequestModel::planChanged, this, &GenerateBar::present);
    connect(&run_, &RunModel::stateChanged, this, &GenerateBar::present);
    present();
}

void GenerateBar::present() {
    const bool running = run_.running();
    button_->setText(running ? tr("Generating…") : tr("Generate"));
    button_->setAccessibleName(button_->text());
    button_->setEnabled(request_.canRun() && !running);
    key_->setVisible(!running);
    advice_->setText(advice());
}

QString GenerateBar::advice() const {
    if (!request_.hasCard())
        return request_.cardError() ? errorText(*request_.cardError()).title : tr("Getting ready…");
    if (!request_.faults().empty()) return faultText(request_.faults().front(), request_.card()).message;
    if (run_.running())
        return tr("Stop with %1").arg(QKeySequence(Qt::CTRL | Qt::Key_Period).toString(QKeySequence::NativeText));
    if (request_.planError()) return errorText(*request_.planError()).title;
    if (!request_.plan()) return {};
    const double seconds = request_.plan()->seconds;
    return seconds > 0 ? tr("About %1 on this computer").arg(formatDuration(seconds))
                       : tr("The time is known after the first video");
}

}  // namespace kinescope::ui
