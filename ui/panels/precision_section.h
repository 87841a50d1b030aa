#pragma once

#include "ui/widgets/section.h"

namespace kinescope::ui {

class RequestModel;

/// What the denoiser will compute in, and why.
class PrecisionSection : public Section {
    Q_OBJECT

public:
    PrecisionSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void showPlan();

    RequestModel& model_;
    QLabel* result_;
    QLabel* reason_;
};

}  // namespace kinescope::ui
