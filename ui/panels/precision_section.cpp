#include "ui/panels/precision_section.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/precision_choices.h"
#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/precision_rows.h"
#include "ui/panels/precision_table.h"
#include "ui/text/error_catalog.h"
#include "ui/text/policy_words.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/elided_combo.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/open_list.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

const ComponentPolicy* denoiserOf(const PolicySummary& policy) {
    const auto found = std::ranges::find_if(
        policy, [](const ComponentPolicy& part) { return role_of(part.component) == ComponentRole::denoiser; });
    return found == policy.end() ? nullptr : &*found;
}

/// Returns the compute type, and the storage type if it is different.
QString dtypesOf(const ComponentPolicy& part) {
    if (part.storage == part.compute) return dtypeName(part.compute);
    return PrecisionSection::tr("%1 weights, computes in %2").arg(dtypeName(part.storage), dtypeName(part.compute));
}

/// Returns the resulting precision. Mentions half-precision sums, which are used only if the user enables them.
QString resultOf(const ComponentPolicy& part) {
    if (!hasHalfSums(part)) return dtypesOf(part);
    return PrecisionSection::tr("%1, half-precision sums").arg(dtypesOf(part));
}

/// An option of a combo box.
struct Option {
    QString text;
    DtypeChoice value = DtypeChoice::automatic;
    QString detail;  ///< tooltip
    enum class State { usable, unsupported } state = State::usable;
};

void setOptions(QComboBox* combo, const std::vector<Option>& options, DtypeChoice current) {
    const QSignalBlocker quiet(combo);
    combo->clear();
    auto* items = qobject_cast<QStandardItemModel*>(combo->model());
    for (const Option& option : options) {
        combo->addItem(option.text, static_cast<int>(option.value));
        combo->setItemData(combo->count() - 1, option.detail, Qt::ToolTipRole);
        if (option.state == Option::State::unsupported) items->item(combo->count() - 1)->setEnabled(false);
    }
    const int known = combo->findData(static_cast<int>(current));
    if (known < 0) combo->addItem(dtypeName(to_string(current)), static_cast<int>(current));
    combo->setCurrentIndex(known < 0 ? combo->count() - 1 : known);
}

/// Appends the memory of a plan to an option: "fp16 · 310.0 MiB". Without a plan, returns only the option.
QString withMemory(const QString& text, const PrecisionChoice* choice) {
    if (!choice || choice->peakBytes <= 0) return text;
    return QStringLiteral("%1 · %2").arg(text, bytesText(choice->peakBytes));
}

Option refused(const QString& name, DtypeChoice value, const QString& why) {
    return {PrecisionSection::tr("%1 (not possible here)", "precision").arg(name), value, why,
            Option::State::unsupported};
}

}  // namespace

PrecisionSection::PrecisionSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      choices_(new PrecisionChoices(model.bridge(), model, this)),
      result_(new QLabel(this)),
      reason_(new QLabel(this)),
      storage_(new ElidedCombo(this)),
      guard_(new ElidedCombo(this)),
      fastSums_(new QCheckBox(this)),
      all_(new QPushButton(this)) {
    setObjectName(QStringLiteral("precisionSection"));
    result_->setObjectName(QStringLiteral("precisionLabel"));
    reason_->setObjectName(QStringLiteral("precisionReasonLabel"));
    reason_->setProperty("type", "caption");
    reason_->setWordWrap(true);
    result_->setTextFormat(Qt::PlainText);
    reason_->setTextFormat(Qt::PlainText);
    header()->addWidget(new HelpButton(theme, QStringLiteral("precision"), this));
    buildFields(theme);
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

PrecisionSection::RoleField PrecisionSection::makeRoleField(const Theme& theme, ComponentRole role) {
    struct Names {
        const char* combo;
        const char* field;
        DtypeChoice VideoRequest::*value;
    };
    const Names names = role == ComponentRole::denoiser ? Names{"dtypeCombo", "dtype", &VideoRequest::dtype}
                        : role == ComponentRole::text_encoder
                            ? Names{"textEncoderDtypeCombo", "text_encoder_dtype", &VideoRequest::text_encoder_dtype}
                            : Names{"vaeDtypeCombo", "vae_dtype", &VideoRequest::vae_dtype};
    auto* combo = new ElidedCombo(this);
    combo->setObjectName(QLatin1String(names.combo));
    return {role, names.value, combo, new FormField(theme, model_, names.field, combo, this)};
}

void PrecisionSection::buildFields(const Theme& theme) {
    roles_ = {makeRoleField(theme, ComponentRole::denoiser), makeRoleField(theme, ComponentRole::text_encoder),
              makeRoleField(theme, ComponentRole::vae)};
    storage_->setObjectName(QStringLiteral("storageCombo"));
    guard_->setObjectName(QStringLiteral("guardCombo"));
    for (const GuardMode mode : {GuardMode::heal, GuardMode::observe, GuardMode::off})
        guard_->addItem(QString(), static_cast<int>(mode));
    fastSums_->setObjectName(QStringLiteral("fastSumsCheck"));
    all_->setObjectName(QStringLiteral("allComponentsButton"));
    all_->setProperty("role", "link");
    storageField_ = new FormField(theme, model_, "storage", storage_, this);
    guardField_ = new FormField(theme, model_, "guard", guard_, this);
    for (QComboBox* combo : {roles_[0].combo, roles_[1].combo, roles_[2].combo, storage_, guard_}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(8);
        whenListCloses(*combo, [this] { showRequest(); });
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kFieldGap);
    grid->setVerticalSpacing(kFieldGap);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->addWidget(roles_[0].field, 0, 0);
    grid->addWidget(storageField_, 0, 1);
    grid->addWidget(roles_[1].field, 1, 0);
    grid->addWidget(roles_[2].field, 1, 1);
    grid->addWidget(guardField_, 2, 0);
    grid->addWidget(fastSums_, 3, 0, 1, 2);
    body()->setSpacing(4);
    body()->addWidget(result_);
    body()->addWidget(reason_);
    body()->addWidget(all_, 0, Qt::AlignLeft);
    body()->addSpacing(4);
    body()->addLayout(grid);
}

void PrecisionSection::bind(QComboBox* combo, DtypeChoice VideoRequest::*value) {
    connect(combo, &QComboBox::activated, this, [this, combo, value](int index) {
        const auto chosen = static_cast<DtypeChoice>(combo->itemData(index).toInt());
        model_.edit([&](VideoRequest& request) { request.*value = chosen; });
    });
}

void PrecisionSection::wire() {
    for (const RoleField& role : roles_) bind(role.combo, role.value);
    bind(storage_, &VideoRequest::storage);
    connect(guard_, &QComboBox::activated, this, [this](int index) {
        const auto mode = static_cast<GuardMode>(guard_->itemData(index).toInt());
        model_.edit([mode](VideoRequest& request) { request.guard = mode; });
    });
    connect(fastSums_, &QCheckBox::toggled, this, [this](bool fast) {
        model_.edit([fast](VideoRequest& request) {
            request.half_accumulation = fast ? HalfAccumulation::allowed : HalfAccumulation::forbidden;
        });
    });
    connect(all_, &QPushButton::clicked, this, &PrecisionSection::showTable);
    connect(this, &Section::expandedChanged, choices_,
            [this](bool expanded) { expanded ? choices_->begin() : choices_->stop(); });
    connect(choices_, &PrecisionChoices::changed, this, &PrecisionSection::showChoices);
    connect(&model_, &RequestModel::planChanged, this, &PrecisionSection::showPlan);
    connect(&model_, &RequestModel::cardChanged, this, &PrecisionSection::showPlan);
    connect(&model_, &RequestModel::requestChanged, this, &PrecisionSection::showRequest);
    if (isExpanded()) choices_->begin();
}

void PrecisionSection::retranslate() {
    setTitle(tr("Precision"));
    roles_[0].field->setLabel(tr("Denoiser"));
    roles_[1].field->setLabel(tr("Text encoder"));
    roles_[2].field->setLabel(tr("VAE"));
    storageField_->setLabel(tr("Stored weights"));
    guardField_->setLabel(tr("Guard"));
    for (const RoleField& role : roles_)
        role.combo->setToolTip(
            tr("The type in which this component computes. Auto: the fastest one that this device and "
               "this model support without loss. The list shows the memory that the run needs."));
    storage_->setToolTip(tr(
        "The type in which the denoiser's weights are kept in memory. Smaller types need less memory and round more."));
    const QStringList guards{tr("Heal"), tr("Observe"), tr("Off")};
    for (int i = 0; i < guards.size(); ++i) guard_->setItemText(i, guards[i]);
    guard_->setToolTip(
        tr("What happens if values become invalid (NaN or infinity). Heal: repeats the step with more precision. "
           "Observe: only records the finding. Off: checks only the finished frames."));
    fastSums_->setText(tr("Half-precision sums"));
    fastSums_->setAccessibleName(fastSums_->text());
    fastSums_->setToolTip(
        tr("Lets fp16 matrix products accumulate in fp16. Faster on some graphics cards, but a frequent cause of black "
           "videos. No effect on a CPU."));
    all_->setText(tr("All components…"));
    all_->setToolTip(
        tr("Shows the data type, the precision of sums, the attention method, the device and the reason for each "
           "component."));
    showPlan();
    showRequest();
}

void PrecisionSection::showPlan() {
    const ComponentPolicy* part = model_.plan() ? denoiserOf(model_.plan()->policy) : nullptr;
    all_->setEnabled(part != nullptr);
    if (table_ && model_.plan()) table_->setPolicy(model_.plan()->policy);
    if (!part) {
        setValue({});
        result_->setText(tr("Selected during planning"));
        reason_->clear();
        return;
    }
    const QString compute = dtypeName(part->compute);
    setValue(isAutomatic(*part) ? tr("Auto: %1").arg(compute) : compute);
    result_->setText(resultOf(*part));
    reason_->setText(asSentence(reasonOf(*part)));
    reason_->setToolTip(QString::fromStdString(part->reason));
}

void PrecisionSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest& now = model_.request();
    if (!isListOpen(*guard_)) guard_->setCurrentIndex(guard_->findData(static_cast<int>(now.guard)));
    const QSignalBlocker quiet(fastSums_);
    fastSums_->setChecked(now.half_accumulation == HalfAccumulation::allowed);
    showChoices();
}

void PrecisionSection::showChoices() {
    for (const RoleField& field : roles_)
        if (!isListOpen(*field.combo)) showRole(field);
    if (!isListOpen(*storage_)) showStorage();
}

/// Lists the types of a component. Includes the memory of the run, but only for the denoiser, whose type changes it
/// much.
void PrecisionSection::showRole(const RoleField& field) {
    const bool isDenoiser = field.role == ComponentRole::denoiser;
    const PrecisionChoice* automatic =
        isDenoiser ? choices_->computed(DtypeChoice::automatic) : choices_->withDenoiser(model_.request().dtype);
    const ComponentPolicy* own = automatic ? automatic->part(field.role) : nullptr;
    field.field->setVisible(!automatic || own || automatic->refusal);
    std::vector<Option> options;
    const QString first = own ? tr("Auto: %1").arg(dtypeName(own->compute)) : tr("Auto");
    options.push_back({isDenoiser ? withMemory(first, automatic) : first, DtypeChoice::automatic,
                       own ? asSentence(reasonOf(*own)) : QString()});
    for (const DtypeChoice type : kComputeDtypes) {
        const PrecisionChoice* choice = choices_->computed(type);
        const ComponentPolicy* part = choice ? choice->part(field.role) : nullptr;
        const QString name = dtypeName(to_string(type));
        const QString why = part                        ? asSentence(reasonOf(*part))
                            : choice && choice->refusal ? errorText(*choice->refusal).sentence
                                                        : QString();
        const bool isRefused = choice && (choice->refusal || (part && !isAsRequested(type, part->compute)));
        if (isRefused)
            options.push_back(refused(name, type, why));
        else
            options.push_back({isDenoiser ? withMemory(name, choice) : name, type, why});
    }
    setOptions(field.combo, options, model_.request().*field.value);
}

void PrecisionSection::showStorage() {
    const PrecisionChoice* automatic = choices_->computed(DtypeChoice::automatic);
    const ComponentPolicy* own = automatic ? automatic->part(ComponentRole::denoiser) : nullptr;
    std::vector<Option> options;
    options.push_back({withMemory(own ? tr("Auto: %1").arg(dtypeName(own->storage)) : tr("Auto"), automatic),
                       DtypeChoice::automatic, QString()});
    for (const DtypeChoice type : kOfferedStorage) {
        const PrecisionChoice* choice = choices_->stored(type);
        const ComponentPolicy* part = choice ? choice->part(ComponentRole::denoiser) : nullptr;
        const QString name = dtypeName(to_string(type));
        const QString why = part                        ? asSentence(reasonOf(*part))
                            : choice && choice->refusal ? errorText(*choice->refusal).sentence
                                                        : QString();
        const bool isRefused = choice && (choice->refusal || (part && !isAsRequested(type, part->storage)));
        if (isRefused)
            options.push_back(refused(name, type, why));
        else
            options.push_back({withMemory(name, choice), type, why});
    }
    setOptions(storage_, options, model_.request().storage);
}

void PrecisionSection::showTable() {
    if (!model_.plan()) return;
    if (!table_) {
        table_ = new PrecisionTable(window());
        table_->setAttribute(Qt::WA_DeleteOnClose);
    }
    table_->setPolicy(model_.plan()->policy);
    table_->show();
    table_->raise();
}

}  // namespace kinescope::ui
