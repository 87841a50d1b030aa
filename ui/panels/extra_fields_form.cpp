#include "ui/panels/extra_fields_form.h"

#include <QGridLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <type_traits>

#include "core/api/extra_fields.h"
#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/field_name.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kFieldsPerRow = 2;
constexpr double kFineRange = 2;

QString tipOf(const std::string& field) {
    if (field == "min_guidance_scale")
        return ExtraFieldsForm::tr("How closely the first frame follows the start image.");
    if (field == "max_guidance_scale")
        return ExtraFieldsForm::tr("How closely the last frame follows the start image. 1 or less turns guidance off.");
    if (field == "motion_bucket_id")
        return ExtraFieldsForm::tr("Higher values give more motion. The model default is 127.");
    if (field == "noise_aug_strength")
        return ExtraFieldsForm::tr(
            "Noise added to the start image. More noise gives more motion and less similarity to the image.");
    if (field == "decode_chunk_size")
        return ExtraFieldsForm::tr(
            "Decoding fewer frames at once needs less memory, but makes them slightly less consistent.");
    if (field == "decode_timestep")
        return ExtraFieldsForm::tr("Noise level that the VAE expects and removes. The usual value is 0.05.");
    if (field == "decode_noise_scale")
        return ExtraFieldsForm::tr(
            "Noise added to the latents before decoding. A negative value uses the decoder noise level.");
    if (field == "image_cond_noise_scale")
        return ExtraFieldsForm::tr(
            "Noise added to the condition images. More noise gives more motion and less similarity to the images.");
    return {};
}

/// Calls `use` with the optional value of the extra field `field` of a request.
template <class Request, class Use>
void withField(Request& request, const std::string& field, const Use& use) {
    visit_extra_fields(request, [&](const char* name, auto& value) {
        if (field == name) use(value);
    });
}

/// Returns the number of decimals: three for ranges such as 0..1, two for larger ones, none for whole numbers.
int decimalsOf(const CardField& field) {
    int decimals = 0;
    VideoRequest any;
    withField(any, field.name, [&](const auto& value) {
        if (std::is_floating_point_v<typename std::decay_t<decltype(value)>::value_type>)
            decimals = field.max - field.min <= kFineRange ? 3 : 2;
    });
    return decimals;
}

bool isSame(const CardField& a, const CardField& b) {
    return a.name == b.name && a.min == b.min && a.max == b.max;
}

double stepOfField(const CardField& field) {
    if (decimalsOf(field) == 0) return 1;
    return field.max - field.min <= kFineRange ? 0.01 : 0.1;
}

QString widgetName(const std::string& field) {
    return QString::fromStdString(field) + QStringLiteral("Spin");
}

}  // namespace

ExtraFieldsForm::ExtraFieldsForm(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent), theme_(theme), model_(model) {
    setObjectName(QStringLiteral("extraFields"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    connect(&model_, &RequestModel::cardChanged, this, &ExtraFieldsForm::showCard);
    connect(&model_, &RequestModel::requestChanged, this, &ExtraFieldsForm::showRequest);
    inEveryLanguage(this, [this] {
        for (const Editor& editor : editors_) retranslateEditor(editor);
    });
    hide();
}

void ExtraFieldsForm::retranslateEditor(const Editor& editor) {
    editor.box->setLabel(fieldName(editor.field));
    editor.spin->setToolTip(tipOf(editor.field));
    if (editor.field == "decode_noise_scale") editor.spin->setSpecialValueText(tr("Automatic"));
}

/// Shows the fields of the model card. Creates their editors again only if the set of fields has changed.
void ExtraFieldsForm::showCard() {
    const std::vector<CardField>& wanted = model_.card().extra_fields;
    setVisible(!wanted.empty());
    if (std::ranges::equal(wanted, shown_, isSame)) return;
    shown_ = wanted;
    editors_.clear();
    delete fields_;
    fields_ = new QWidget(this);
    layout()->addWidget(fields_);
    auto* grid = new QGridLayout(fields_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kFieldGap);
    grid->setVerticalSpacing(kFieldGap);
    for (std::size_t i = 0; i < wanted.size(); ++i) addField(wanted[i], static_cast<int>(i));
}

void ExtraFieldsForm::addField(const CardField& wanted, int index) {
    const std::string& field = wanted.name;
    const QByteArray name = widgetName(field).toUtf8();
    auto* spin = new DecimalSpin(name.constData(), {}, fields_);
    spin->setDecimals(decimalsOf(wanted));
    spin->setSingleStep(stepOfField(wanted));
    spin->setMinimum(std::min(0.0, wanted.min));
    auto* box = new FormField(theme_, model_, field.c_str(), spin, fields_);
    auto* grid = static_cast<QGridLayout*>(fields_->layout());
    grid->addWidget(box, index / kFieldsPerRow, index % kFieldsPerRow);
    grid->setColumnStretch(index % kFieldsPerRow, 1);
    editors_.push_back({field, spin, box});
    retranslateEditor(editors_.back());
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this, field](double number) {
        model_.edit([&](VideoRequest& request) {
            withField(request, field, [number](auto& value) {
                value = static_cast<typename std::decay_t<decltype(value)>::value_type>(number);
            });
        });
    });
}

void ExtraFieldsForm::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    for (const Editor& editor : editors_) {
        const QSignalBlocker quiet(editor.spin);
        withField(now, editor.field, [&](const auto& value) {
            if (value) editor.spin->setValue(static_cast<double>(*value));
        });
    }
}

}  // namespace kinescope::ui
