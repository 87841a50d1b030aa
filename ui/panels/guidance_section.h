#pragma once

#include <vector>

#include "core/api/guidance_method.h"
#include "ui/widgets/section.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// Guidance methods and their parameters. Hidden for models with standard guidance only.
class GuidanceSection : public Section {
    Q_OBJECT

public:
    GuidanceSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    struct Editor {
        const char* field;
        GuidanceMethod method;
        QDoubleSpinBox* spin;
        FormField* box;
    };

    void buildFields(const Theme& theme);
    void addEditors(const Theme& theme);
    void wire();
    void chooseMethod(GuidanceMethod method);
    void retranslate();
    void showCard();
    void showRequest();

    RequestModel& model_;
    QComboBox* method_;
    QLineEdit* blocks_;
    FormField* methodField_ = nullptr;
    FormField* blocksField_ = nullptr;
    std::vector<Editor> editors_;
};

}  // namespace kinescope::ui
