#pragma once

#include "ui/widgets/section.h"

namespace kinescope::ui {

class MemoryBar;
class RequestModel;

/// What the run takes of the memory in its tightest phase.
class MemorySection : public Section {
    Q_OBJECT

public:
    MemorySection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void showPlan();

    RequestModel& model_;
    MemoryBar* bar_;
    MemoryBar* foldedBar_;
    QLabel* line_;
};

}  // namespace kinescope::ui
