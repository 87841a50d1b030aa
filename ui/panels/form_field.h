#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>

class QLabel;
class QToolButton;

namespace kinescope::ui {

class MessageLine;
class RequestModel;
class Theme;

/// px, between the fields of a form.
inline constexpr int kFieldGap = 12;

/// A notice below a field about something that the program did, with a link.
struct FieldNotice {
    QString text;
    QString link;
    std::function<void()> call;
};

/// A form field with label, editor and message. The message shows the faults of one request field and their fix;
/// without faults a notice or, without a notice, the hint about an unusual value. If the value differs from the preset,
/// a button next to the label resets it.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// `field` is the key in the request, e.g. "num_frames".
    FormField(const Theme& theme, RequestModel& model, const char* field, QWidget* editor, QWidget* parent = nullptr);

    void setLabel(const QString& label);
    MessageLine* message() const { return message_; }
    void setNotice(const std::optional<FieldNotice>& notice);

private:
    void showMessage();
    void fix();
    void showChange();

    RequestModel& model_;
    std::string field_;
    std::optional<FieldNotice> notice_;
    QWidget* editor_;
    QLabel* label_;
    QToolButton* reset_;
    MessageLine* message_;
};

/// Sets the property by which the style sheet draws an error border around `editor`.
void markFault(QWidget* editor, bool fault);

}  // namespace kinescope::ui
