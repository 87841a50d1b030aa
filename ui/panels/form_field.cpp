#include "ui/panels/form_field.h"

#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>
#include <QVariant>

#include "ui/models/fault_text.h"
#include "ui/models/request_model.h"
#include "ui/widgets/message_line.h"

namespace kinescope::ui {
namespace {

/// "framesSpin" -> "framesMessage"
QString messageName(const QString& editor) {
    int end = static_cast<int>(editor.size());
    while (end > 1 && !editor[end - 1].isUpper()) --end;
    return editor.left(end - 1) + QStringLiteral("Message");
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
      message_(new MessageLine(theme, this)) {
    label_->setProperty("type", "label");
    label_->setBuddy(editor);
    message_->setObjectName(messageName(editor->objectName()));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(label_);
    column->addWidget(editor);
    column->addWidget(message_);
    column->addStretch(1);
    connect(&model_, &RequestModel::requestChanged, this, &FormField::showFault);
    connect(message_, &MessageLine::cureActivated, this, [this] {
        if (const Fault* fault = model_.faultOf(field_)) {
            model_.edit([cured = *fault](VideoRequest& request) { applyCure(request, cured); });
        }
    });
}

void FormField::setLabel(const QString& label) {
    label_->setText(label);
    editor_->setAccessibleName(label);
}

void FormField::showFault() {
    const Fault* fault = model_.faultOf(field_);
    markFault(editor_->focusProxy() ? editor_->focusProxy() : editor_, fault != nullptr);
    if (!fault) return message_->clear();
    const FaultText text = faultText(*fault, model_.request(), model_.card());
    message_->setMessage(Severity::error, text.message, text.cure);
    message_->setToolTip(text.detail);
}

}  // namespace kinescope::ui
