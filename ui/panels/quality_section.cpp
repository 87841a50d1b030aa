#include "ui/panels/quality_section.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/panels/decoder_section.h"
#include "ui/panels/form_field.h"
#include "ui/panels/guidance_section.h"
#include "ui/panels/saving_section.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

/// Models with a guidance scale for each frame do not use the common one.
bool hasGuidanceScale(const ModelCard& card) {
    return card.extra_field("max_guidance_scale") == nullptr;
}

}  // namespace

QualitySection::QualitySection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      steps_(new NumberSpin("stepsSpin", {})),
      guidance_(new DecimalSpin("guidanceSpin", {})),
      guidance2_(new DecimalSpin("guidance2Spin", {})),
      scheduler_(new QComboBox(this)),
      shift_(new DecimalSpin("shiftSpin", {})) {
    setObjectName(QStringLiteral("qualitySection"));
    scheduler_->setObjectName(QStringLiteral("schedulerCombo"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("first-video#settings"), this));
    buildFields(theme);
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void QualitySection::retranslate() {
    setTitle(tr("Quality"));
    stepsField_->setLabel(tr("Steps"));
    guidanceField_->setLabel(tr("Guidance"));
    guidance2Field_->setLabel(tr("Guidance, second expert"));
    schedulerField_->setLabel(tr("Scheduler"));
    shiftField_->setLabel(tr("Flow shift"));
    guidance_->setToolTip(tr("How closely the video follows the prompt. High values oversaturate the colors."));
    guidance2_->setToolTip(tr("Guidance for the second expert, which generates the details."));
    scheduler_->setToolTip(tr("The algorithm that turns noise into frames. UniPC needs fewer steps than Euler."));
    shift_->setToolTip(tr("Higher values spend more steps on large shapes and motion."));
    if (!model_.hasCard()) return;
    showCard();
    showRequest();
}

void QualitySection::buildFields(const Theme& theme) {
    stepsField_ = new FormField(theme, model_, "num_inference_steps", steps_, this);
    guidanceField_ = new FormField(theme, model_, "guidance_scale", guidance_, this);
    guidance2Field_ = new FormField(theme, model_, "guidance_scale_2", guidance2_, this);
    schedulerField_ = new FormField(theme, model_, "scheduler", scheduler_, this);
    shiftField_ = new FormField(theme, model_, "flow_shift", shift_, this);
    grid_ = new QGridLayout;
    grid_->setHorizontalSpacing(kFieldGap);
    grid_->setVerticalSpacing(kFieldGap);
    grid_->setColumnStretch(0, 1);
    grid_->setColumnStretch(1, 1);
    body()->addLayout(grid_);
    arrange({stepsField_, guidanceField_, schedulerField_, shiftField_});
    body()->addWidget(new GuidanceSection(theme, model_, this));
    body()->addWidget(new SavingSection(theme, model_, this));
    body()->addWidget(new DecoderSection(theme, model_, this));
}

void QualitySection::arrange(const std::vector<FormField*>& fields) {
    constexpr int kColumns = 2;
    for (FormField* field : {stepsField_, guidanceField_, schedulerField_, shiftField_, guidance2Field_}) {
        grid_->removeWidget(field);
        field->setVisible(std::ranges::find(fields, field) != fields.end());
    }
    int next = 0;
    for (FormField* field : fields) {
        grid_->addWidget(field, next / kColumns, next % kColumns);
        ++next;
    }
}

void QualitySection::wire() {
    connect(steps_, &QSpinBox::valueChanged, this,
            [this](int steps) { model_.edit([=](VideoRequest& request) { request.num_inference_steps = steps; }); });
    connect(guidance_, &QDoubleSpinBox::valueChanged, this,
            [this](double scale) { model_.edit([=](VideoRequest& request) { request.guidance_scale = scale; }); });
    connect(guidance2_, &QDoubleSpinBox::valueChanged, this,
            [this](double scale) { model_.edit([=](VideoRequest& request) { request.guidance_scale_2 = scale; }); });
    connect(shift_, &QDoubleSpinBox::valueChanged, this,
            [this](double shift) { model_.edit([=](VideoRequest& request) { request.flow_shift = shift; }); });
    connect(scheduler_, &QComboBox::activated, this, [this](int index) {
        model_.edit([name = scheduler_->itemData(index).toString().toStdString()](VideoRequest& request) {
            request.scheduler = name;
        });
    });
    connect(&model_, &RequestModel::cardChanged, this, &QualitySection::showCard);
    connect(&model_, &RequestModel::requestChanged, this, &QualitySection::showRequest);
}

void QualitySection::showCard() {
    std::vector<FormField*> fields = {stepsField_};
    if (hasGuidanceScale(model_.card())) fields.push_back(guidanceField_);
    fields.push_back(schedulerField_);
    if (model_.card().default_flow_shift) fields.push_back(shiftField_);
    if (model_.card().default_guidance_scale_2) fields.push_back(guidance2Field_);
    arrange(fields);
    const QSignalBlocker quiet(scheduler_);
    scheduler_->clear();
    for (const std::string& name : model_.card().schedulers)
        scheduler_->addItem(schedulerName(name), QString::fromStdString(name));
    steps_->setToolTip(tr("More steps give cleaner frames but take longer. The model default is %1.")
                           .arg(model_.card().default_num_inference_steps));
}

void QualitySection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    const QSignalBlocker quietSteps(steps_);
    steps_->setValue(*now.num_inference_steps);
    setQuietly(guidance_, *now.guidance_scale);
    if (now.flow_shift) setQuietly(shift_, *now.flow_shift);
    if (now.guidance_scale_2) setQuietly(guidance2_, *now.guidance_scale_2);
    const QSignalBlocker quietScheduler(scheduler_);
    scheduler_->setCurrentIndex(scheduler_->findData(QString::fromStdString(now.scheduler.value_or(""))));
    const QString guidance = QLocale().toString(*now.guidance_scale, 'f', 1);
    setValue(hasGuidanceScale(model_.card()) ? tr("%1 steps, guidance %2").arg(*now.num_inference_steps).arg(guidance)
                                             : tr("%Ln steps", nullptr, *now.num_inference_steps));
}

}  // namespace kinescope::ui
