#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/api/model_card.h"

class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;
class Theme;

/// Fields for family-specific settings, as listed in the model's card; hidden if there are none.
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

    void retranslateEditor(const Editor& editor);
    void showCard();
    void addField(const CardField& wanted, int index);
    void showRequest();

    const Theme& theme_;
    RequestModel& model_;
    QWidget* fields_ = nullptr;
    std::vector<CardField> shown_;
    std::vector<Editor> editors_;
};

}  // namespace kinescope::ui
