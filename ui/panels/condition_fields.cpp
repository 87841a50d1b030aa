#include "ui/panels/condition_fields.h"

#include <QVBoxLayout>

#include "ui/models/condition_frame.h"
#include "ui/models/request_model.h"
#include "ui/panels/condition_row.h"
#include "ui/panels/form_field.h"
#include "ui/panels/image_dialog.h"
#include "ui/panels/pasted_picture.h"
#include "ui/text/field_name.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/language.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kRowGap = 8;
constexpr auto kField = "conditions";
/// The maximum number of conditions, as in a request file.
constexpr std::size_t kMostConditions = 100;

}  // namespace

ConditionFields::ConditionFields(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      model_(model),
      list_(new QWidget(this)),
      column_(new QVBoxLayout(list_)),
      addTile_(new ImageTile(theme, {}, list_)) {
    setObjectName(QStringLiteral("conditionFields"));
    list_->setObjectName(QStringLiteral("conditionsList"));
    list_->setFocusProxy(addTile_);
    addTile_->setObjectName(QStringLiteral("addConditionTile"));
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(kRowGap);
    column_->addWidget(addTile_, 0, Qt::AlignLeft);
    field_ = new FormField(theme, model, kField, list_, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field_);
    connect(addTile_, &ImageTile::clicked, this, [this] { add(askForImageOrVideo(window(), {})); });
    connect(addTile_, &ImageTile::fileGiven, this, &ConditionFields::add);
    takePictures(addTile_);
    connect(&model_, &RequestModel::cardChanged, this, &ConditionFields::showRequest);
    connect(&model_, &RequestModel::requestChanged, this, &ConditionFields::showRequest);
    inEveryLanguage(this, [this] {
        field_->setLabel(fieldName(kField));
        addTile_->setHint(tr("Add image or video"));
        addTile_->setAccessibleName(tr("Add a condition"));
    });
    hide();
}

void ConditionFields::showRequest() {
    const std::vector<FrameCondition>& conditions = model_.request().conditions;
    setNumRows(conditions.size());
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        rows_[i]->setCondition(conditions[i]);
        rows_[i]->setCropSize(model_.cropSize());
    }
    const bool isSupported = model_.hasCard() && model_.card().takes_conditions;
    addTile_->setVisible(isSupported && conditions.size() < kMostConditions);
    setVisible(isSupported || !conditions.empty());
}

void ConditionFields::setNumRows(std::size_t count) {
    while (rows_.size() > count) {
        ConditionRow* row = rows_.back();
        rows_.pop_back();
        removeLater(row);
    }
    while (rows_.size() < count) {
        const std::size_t index = rows_.size();
        auto* row = new ConditionRow(theme_, static_cast<int>(index) + 1, list_);
        column_->insertWidget(static_cast<int>(index), row);
        connect(row, &ConditionRow::changed, this, [this, index](const FrameCondition& now) { edit(index, now); });
        connect(row, &ConditionRow::removeRequested, this, [this, index] { remove(index); });
        rows_.push_back(row);
    }
}

void ConditionFields::add(const QString& file) {
    if (file.isEmpty() || !model_.hasCard()) return;
    const int frame = nextConditionFrame(model_.resolved(), model_.card());
    model_.edit([&](VideoRequest& request) {
        request.conditions.push_back({.file = file.toStdU16String(), .frame_index = frame});
    });
}

void ConditionFields::edit(std::size_t index, const FrameCondition& condition) {
    model_.edit([&](VideoRequest& request) {
        if (index < request.conditions.size()) request.conditions[index] = condition;
    });
}

void ConditionFields::remove(std::size_t index) {
    model_.edit([&](VideoRequest& request) {
        if (index < request.conditions.size())
            request.conditions.erase(request.conditions.begin() + static_cast<std::ptrdiff_t>(index));
    });
}

}  // namespace kinescope::ui
