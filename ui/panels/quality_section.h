#pragma once

#include <vector>

#include "ui/widgets/section.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// Steps, guidance, scheduler, flow shift and acceleration settings.
class QualitySection : public Section {
    Q_OBJECT

public:
    QualitySection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    /// Shows these fields side by side in two columns and hides the others.
    void arrange(const std::vector<FormField*>& fields);
    void wire();
    void retranslate();
    void showCard();
    void showRequest();

    RequestModel& model_;
    QGridLayout* grid_ = nullptr;
    QSpinBox* steps_;
    QDoubleSpinBox* guidance_;
    QDoubleSpinBox* guidance2_;
    QComboBox* scheduler_;
    QDoubleSpinBox* shift_;
    FormField* stepsField_ = nullptr;
    FormField* schedulerField_ = nullptr;
    FormField* shiftField_ = nullptr;
    FormField* guidanceField_ = nullptr;
    FormField* guidance2Field_ = nullptr;  ///< for the second expert
};

}  // namespace kinescope::ui
