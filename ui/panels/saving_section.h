#pragma once

#include "ui/widgets/section.h"

class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// What makes a video faster at the price of other pictures: a step's prediction used again, guidance in a part of the
/// steps alone. Off unless asked for; the price is said where it is set.
class SavingSection : public Section {
    Q_OBJECT

public:
    SavingSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    void wire();
    void say();
    void showRequest();

    RequestModel& model_;
    QDoubleSpinBox* cache_;
    QDoubleSpinBox* start_;
    QDoubleSpinBox* stop_;
    FormField* cacheField_ = nullptr;
    FormField* startField_ = nullptr;
    FormField* stopField_ = nullptr;  ///< both are hidden where nothing is guided
};

}  // namespace kinescope::ui
