#pragma once

#include "ui/widgets/section.h"

class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// Settings that trade accuracy for speed: step cache and guidance interval. Off by default. Messages state the loss of
/// accuracy.
class SavingSection : public Section {
    Q_OBJECT

public:
    SavingSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    void wire();
    void retranslate();
    void showRequest();

    RequestModel& model_;
    QDoubleSpinBox* cache_;
    QDoubleSpinBox* start_;
    QDoubleSpinBox* stop_;
    FormField* cacheField_ = nullptr;
    FormField* startField_ = nullptr;
    FormField* stopField_ = nullptr;  ///< hidden without guidance, like startField_
};

}  // namespace kinescope::ui
