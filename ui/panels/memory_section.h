#pragma once

#include "ui/widgets/section.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class MemoryBar;
class RequestModel;

/// What the run takes of the memory in its tightest phase, and what may be done about it: a limit, blocks that are
/// streamed, frames that are decoded in tiles.
class MemorySection : public Section {
    Q_OBJECT

public:
    MemorySection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    void wire();
    void say();
    void showPlan();
    void showRequest();
    /// A limit that no streaming can keep is told where it is set.
    void showLimitError();

    RequestModel& model_;
    MemoryBar* bar_;
    MemoryBar* foldedBar_;
    QLabel* line_;
    QDoubleSpinBox* limit_;  ///< GiB; 0: automatic
    QComboBox* offload_;
    QCheckBox* tiling_;  ///< hidden where the model's card does not take it
    FormField* limitField_ = nullptr;
    FormField* offloadField_ = nullptr;
};

}  // namespace kinescope::ui
