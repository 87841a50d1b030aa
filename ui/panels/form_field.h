#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace kinescope::ui {

class MessageLine;
class RequestModel;
class Theme;

/// A field of a form: label above, editor, message below. It shows the faults of one field of the request and offers
/// their fix. While the value differs from the preset's, an arrow beside the label resets it.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// `field` is the request's own name of the value, e.g. "num_frames".
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

/// Marks a field so that the style sheet draws its border in the error colour.
void markFault(QWidget* editor, bool fault);

}  // namespace kinescope::ui
