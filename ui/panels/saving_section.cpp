#include "ui/panels/saving_section.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include "core/api/resolved_request.h"
#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/saving_words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr double kCacheStep = 0.01;
constexpr double kPartStep = 5;  ///< step of the spin boxes, in percent of the steps

}  // namespace

SavingSection::SavingSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      cache_(new DecimalSpin("stepCacheSpin", {})),
      start_(new DecimalSpin("guidanceStartSpin", {})),
      stop_(new DecimalSpin("guidanceStopSpin", {})) {
    setObjectName(QStringLiteral("savingSection"));
    cache_->setDecimals(2);
    cache_->setSingleStep(kCacheStep);
    for (QDoubleSpinBox* part : {start_, stop_}) {
        part->setDecimals(0);
        part->setSingleStep(kPartStep);
    }
    header()->addWidget(new HelpButton(theme, QStringLiteral("speed#doing-less"), this));
    buildFields(theme);
    wire();
    setExpanded(false);
    inEveryLanguage(this, [this] { retranslate(); });
}

void SavingSection::retranslate() {
    setTitle(tr("Acceleration"));
    cacheField_->setLabel(tr("Step cache"));
    startField_->setLabel(tr("Guided from"));
    stopField_->setLabel(tr("Guided until"));
    cache_->setSpecialValueText(tr("Off"));
    start_->setSuffix(tr(" %"));
    stop_->setSuffix(tr(" %"));
    cache_->setToolTip(
        tr("Reuses the prediction of an earlier step while the expected error stays below this value. Higher values "
           "skip more steps."));
    const QString interval =
        tr("Percentage of the steps. Outside this range, the model runs once per step instead of twice, which halves "
           "the time but weakens the prompt.");
    start_->setToolTip(interval);
    stop_->setToolTip(interval);
    showRequest();
}

void SavingSection::buildFields(const Theme& theme) {
    cacheField_ = new FormField(theme, model_, "step_cache", cache_, this);
    startField_ = new FormField(theme, model_, "guidance_start", start_, this);
    stopField_ = new FormField(theme, model_, "guidance_stop", stop_, this);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kFieldGap);
    grid->setVerticalSpacing(kFieldGap);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->addWidget(cacheField_, 0, 0, 1, 2);
    grid->addWidget(startField_, 1, 0);
    grid->addWidget(stopField_, 1, 1);
    body()->addLayout(grid);
}

/// Connects the fields. Stores values without effect as unset, so that the request stays equal to the original.
void SavingSection::wire() {
    const auto unless = [](double value, double idle) {
        return value == idle ? std::nullopt : std::optional<double>(value);
    };
    connect(cache_, &QDoubleSpinBox::valueChanged, this, [this, unless](double value) {
        model_.edit([&](VideoRequest& request) { request.step_cache = unless(value, 0); });
    });
    connect(start_, &QDoubleSpinBox::valueChanged, this, [this, unless](double percent) {
        model_.edit([&](VideoRequest& request) { request.guidance_start = unless(percent / 100, 0); });
    });
    connect(stop_, &QDoubleSpinBox::valueChanged, this, [this, unless](double percent) {
        model_.edit([&](VideoRequest& request) { request.guidance_stop = unless(percent / 100, 1); });
    });
    connect(&model_, &RequestModel::requestChanged, this, &SavingSection::showRequest);
}

void SavingSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    setQuietly(cache_, now.step_cache.value_or(0));
    setQuietly(start_, now.guidance_start.value_or(0) * 100);
    setQuietly(stop_, now.guidance_stop.value_or(1) * 100);
    const bool guided = is_guided(now);
    startField_->setVisible(guided);
    stopField_->setVisible(guided);
    if (!model_.faultOf("step_cache"))
        cacheField_->message()->setMessage(Severity::info, stepCacheText(now.step_cache.value_or(0)));
    setValue(savingSummary(now));
}

}  // namespace kinescope::ui
