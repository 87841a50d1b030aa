#include "ui/panels/variation_field.h"

#include <QDoubleSpinBox>
#include <QVBoxLayout>

#include "ui/models/request_model.h"
#include "ui/models/vary_seed.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/field_name.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {

VariationField::VariationField(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      strength_(new DecimalSpin("variationStrengthSpin", {})),
      field_(new FormField(theme, model, "variation_strength", strength_, this)) {
    setObjectName(QStringLiteral("variationField"));
    strength_->setDecimals(2);
    strength_->setSingleStep(0.05);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(field_);
    connect(strength_, &QDoubleSpinBox::valueChanged, this, [this](double strength) {
        model_.edit([strength](VideoRequest& request) { request.variation_strength = strength; });
    });
    connect(&model_, &RequestModel::requestChanged, this, &VariationField::showRequest);
    inEveryLanguage(this, [this] { retranslate(); });
    hide();
}

void VariationField::retranslate() {
    field_->setLabel(fieldName("variation_strength"));
    strength_->setToolTip(tr("0 gives the noise of the varied seed, 1 that of the seed above."));
    showRequest();
}

void VariationField::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    setVisible(now.variation_of.has_value());
    if (!now.variation_of) return field_->setNotice(std::nullopt);
    setQuietly(strength_, now.variation_strength.value_or(0));
    field_->setNotice(FieldNotice{.text = tr("Variation of seed %1").arg(*now.variation_of),
                                  .link = tr("End variation"),
                                  .call = [this] { endVariation(model_); }});
}

}  // namespace kinescope::ui
