#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;
class Theme;

/// The numbers that only some families have, a field for each one that the model's card names; hidden when it names
/// none.
class ExtraFieldsForm : public QWidget {
    Q_OBJECT

public:
    ExtraFieldsForm(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    struct Editor {
        std::string field;
        QDoubleSpinBox* spin = nullptr;
        FormField* box = nullptr;
    };

    void say(const Editor& editor);
    void showCard();
    void addField(const std::string& field, int index);
    void showRequest();

    const Theme& theme_;
    RequestModel& model_;
    QWidget* fields_ = nullptr;
    std::vector<std::string> shown_;
    std::vector<Editor> editors_;
};

}  // namespace kinescope::ui
