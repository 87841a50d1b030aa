#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace kinescope::ui {

class MessageLine;
class RequestModel;
class Theme;

/// A form field with label, editor and message. Shows the faults of one request field and their fix. While the value
/// differs from the preset, a button beside the label resets it.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// `field` is the key in the request, e.g. "num_frames".
    FormField(const Theme& theme, RequestModel& model, const char* field, QWidget* editor, QWidget* parent = nullptr);

    void setLabel(const QString& label);
    MessageLine* message() const { return message_; }

private:
    void showFault();
    void showChange();

    RequestModel& model_;
    std::string field_;
    QWidget* editor_;
    QLabel* label_;
    QToolButton* reset_;
    MessageLine* message_;
};

/// Sets the property with which the style sheet draws an error border.
void markFault(QWidget* editor, bool fault);

}  // namespace kinescope::ui
