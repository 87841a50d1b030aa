#include "ui/panels/form_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <QVariant>

#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"
#include "ui/panels/hint_words.h"
#include "ui/text/fault_text.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kResetIcon = 12;

/// Replaces the widget kind at the end of an object name: ("framesSpin", "Message") gives "framesMessage".
QString partName(const QString& editor, const char* part) {
    int end = static_cast<int>(editor.size());
    while (end > 1 && !editor[end - 1].isUpper()) --end;
    return editor.left(end - 1) + QLatin1String(part);
}

}  // namespace

void markFault(QWidget* editor, bool fault) {
    if (editor->property("fault").toBool() == fault) return;
    editor->setProperty("fault", fault);
    editor->style()->unpolish(editor);
    editor->style()->polish(editor);
}

FormField::FormField(const Theme& theme, RequestModel& model, const char* field, QWidget* editor, QWidget* parent)
    : QWidget(parent),
      model_(model),
      field_(field),
      editor_(editor),
      label_(new QLabel(this)),
      reset_(new QToolButton(this)),
      message_(new MessageLine(theme, this)) {
    label_->setProperty("type", "label");
    label_->setBuddy(editor);
    message_->setObjectName(partName(editor->objectName(), "Message"));
    reset_->setObjectName(partName(editor->objectName(), "ResetButton"));
    reset_->setProperty("role", "reset");
    reset_->setIcon(theme.icon(QStringLiteral("refresh")));
    reset_->setIconSize({kResetIcon, kResetIcon});
    reset_->setFocusPolicy(Qt::StrongFocus);
    // Not higher than the label, so that the fields of a row stay level.
    reset_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored);
    reset_->hide();
    auto* top = new QHBoxLayout;
    top->setSpacing(4);
    top->addWidget(label_);
    top->addWidget(reset_);
    top->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(top);
    column->addWidget(editor);
    column->addWidget(message_);
    column->addStretch(1);
    connect(&model_, &RequestModel::requestChanged, this, &FormField::showMessage);
    connect(&model_.presets(), &PresetModel::changed, this, &FormField::showChange);
    connect(reset_, &QToolButton::clicked, this, [this] { model_.presets().resetField(field_); });
    connect(message_, &MessageLine::fixActivated, this, &FormField::fix);
}

void FormField::fix() {
    if (const Fault* fault = model_.faultOf(field_))
        return model_.edit([broken = *fault](VideoRequest& request) { applyFix(request, broken); });
    if (notice_) return FieldNotice(*notice_).call();
    if (const RequestHint* hint = model_.hintOf(field_))
        model_.edit([taken = *hint](VideoRequest& request) { applyHint(request, taken); });
}

void FormField::setLabel(const QString& label) {
    label_->setText(label);
    editor_->setAccessibleName(label);
    setIconButtonText(reset_, tr("Reset %1").arg(label));
}

void FormField::setNotice(const std::optional<FieldNotice>& notice) {
    notice_ = notice;
    showMessage();
}

void FormField::showChange() {
    reset_->setVisible(model_.presets().isChanged(field_));
    if (model_.hintOf(field_)) showMessage();
}

void FormField::showMessage() {
    const Fault* fault = model_.faultOf(field_);
    markFault(editor_->focusProxy() ? editor_->focusProxy() : editor_, fault != nullptr);
    message_->setToolTip({});
    if (fault) {
        const FaultText text = faultText(*fault, model_.request(), model_.card());
        message_->setMessage(Severity::error, text.message, text.fix);
        message_->setToolTip(text.detail);
    } else if (notice_) {
        message_->setMessage(Severity::info, notice_->text, notice_->link);
    } else if (const RequestHint* hint = model_.hintOf(field_)) {
        const HintText text = hintText(*hint, model_.card());
        message_->setMessage(Severity::warning, text.message, text.fix);
    } else {
        message_->clear();
    }
}

}  // namespace kinescope::ui
