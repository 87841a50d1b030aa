#include "ui/panels/guidance_section.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <type_traits>

#include "core/api/guidance_fields.h"
#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/field_name.h"
#include "ui/text/guidance_words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kColumns = 2;

GuidanceMethod methodOf(const VideoRequest& request) {
    return request.guidance_method.value_or(GuidanceMethod::standard);
}

}  // namespace

GuidanceSection::GuidanceSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent), model_(model), method_(new QComboBox(this)), blocks_(new QLineEdit(this)) {
    setObjectName(QStringLiteral("guidanceSection"));
    method_->setObjectName(QStringLiteral("guidanceMethodCombo"));
    blocks_->setObjectName(QStringLiteral("skipBlocksEdit"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("quality#guidance-methods"), this));
    buildFields(theme);
    wire();
    setExpanded(false);
    inEveryLanguage(this, [this] { retranslate(); });
    hide();
}

void GuidanceSection::buildFields(const Theme& theme) {
    methodField_ = new FormField(theme, model_, "guidance_method", method_, this);
    blocksField_ = new FormField(theme, model_, "skip_layer_guidance_layers", blocks_, this);
    addEditors(theme);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kFieldGap);
    grid->setVerticalSpacing(kFieldGap);
    grid->addWidget(methodField_, 0, 0, 1, kColumns);
    grid->addWidget(blocksField_, 1, 0, 1, kColumns);
    // Only the fields of one method are visible, so those of all methods share the cells.
    for (auto editor = editors_.begin(); editor != editors_.end(); ++editor) {
        const auto same_method = [&](const Editor& other) { return other.method == editor->method; };
        const int place = static_cast<int>(std::count_if(editors_.begin(), editor, same_method));
        grid->addWidget(editor->box, 2 + place / kColumns, place % kColumns);
    }
    for (int column = 0; column < kColumns; ++column) grid->setColumnStretch(column, 1);
    body()->addLayout(grid);
}

void GuidanceSection::addEditors(const Theme& theme) {
    for_each_guidance_field([&]<class Value>(const GuidanceField<Value>& field) {
        const QByteArray name = QByteArray(field.name) + "Spin";
        auto* spin = new DecimalSpin(name.constData(), {}, this);
        spin->setDecimals(std::is_floating_point_v<Value> ? 2 : 0);
        spin->setSingleStep(std::is_floating_point_v<Value> && field.max <= 1 ? 0.05 : 1);
        spin->setMinimum(static_cast<double>(field.min));
        editors_.push_back({field.name, field.method, spin, new FormField(theme, model_, field.name, spin, this)});
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this, member = field.member](double number) {
            model_.edit([&](VideoRequest& request) { request.*member = static_cast<Value>(number); });
        });
    });
}

void GuidanceSection::wire() {
    connect(method_, &QComboBox::activated, this,
            [this](int index) { chooseMethod(static_cast<GuidanceMethod>(method_->itemData(index).toInt())); });
    connect(blocks_, &QLineEdit::editingFinished, this, [this] {
        model_.edit([blocks = blocksFrom(blocks_->text())](VideoRequest& request) {
            request.skip_layer_guidance_layers = blocks;
        });
    });
    connect(&model_, &RequestModel::cardChanged, this, &GuidanceSection::showCard);
    connect(&model_, &RequestModel::requestChanged, this, &GuidanceSection::showRequest);
}

/// The fields of other methods are unset. NAG needs guidance 1, so a larger scale is unset, too.
void GuidanceSection::chooseMethod(GuidanceMethod method) {
    model_.edit([method](VideoRequest& request) {
        visit_guidance_fields(request, [](const char*, auto& value) { value.reset(); });
        request.skip_layer_guidance_layers.reset();
        request.guidance_method = method == GuidanceMethod::standard ? std::nullopt : std::optional(method);
        if (method != GuidanceMethod::nag) return;
        request.guidance_scale.reset();
        request.guidance_scale_2.reset();
    });
}

void GuidanceSection::retranslate() {
    setTitle(tr("Guidance method"));
    methodField_->setLabel(tr("Method"));
    blocksField_->setLabel(fieldName("skip_layer_guidance_layers"));
    blocks_->setToolTip(tr("Numbers of the blocks to skip, separated by commas. The first block is 0."));
    for (const Editor& editor : editors_) {
        editor.box->setLabel(fieldName(editor.field));
        editor.spin->setToolTip(guidanceFieldTip(editor.field));
    }
    if (!model_.hasCard()) return;
    showCard();
    showRequest();
}

void GuidanceSection::showCard() {
    const std::vector<GuidanceMethod>& methods = model_.card().guidance_methods;
    setVisible(methods.size() > 1);
    const QSignalBlocker quiet(method_);
    method_->clear();
    for (const GuidanceMethod method : methods) method_->addItem(guidanceMethodName(method), static_cast<int>(method));
}

void GuidanceSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    const GuidanceMethod method = methodOf(now);
    const QSignalBlocker quiet(method_);
    method_->setCurrentIndex(method_->findData(static_cast<int>(method)));
    blocksField_->setVisible(method == GuidanceMethod::skip_layer);
    if (!blocks_->hasFocus()) blocks_->setText(blocksText(now.skip_layer_guidance_layers.value_or(std::vector<int>())));
    for (const Editor& editor : editors_) {
        editor.box->setVisible(editor.method == method);
        visit_guidance_fields(now, [&](const char* name, const auto& value) {
            if (value && std::string_view(name) == editor.field) setQuietly(editor.spin, static_cast<double>(*value));
        });
    }
    if (!model_.faultOf("guidance_method"))
        methodField_->message()->setMessage(Severity::info, guidanceMethodText(method));
    setValue(guidanceMethodName(method));
}

}  // namespace kinescope::ui
