#pragma once

#include "ui/widgets/section.h"

namespace kinescope::ui {

class RequestModel;

/// Precision of the denoiser and the reason for it.
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
