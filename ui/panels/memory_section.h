#pragma once

#include "ui/widgets/section.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class MemoryBar;
class RequestModel;

/// Memory use of the largest phase, and the memory settings: limit, block streaming, tiled decoding.
class MemorySection : public Section {
    Q_OBJECT

public:
    MemorySection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    void wire();
    void retranslate();
    void showPlan();
    void showRequest();
    /// Shows a message if the limit is too low for the run, even if its blocks are streamed.
    void showLimitError();

    RequestModel& model_;
    MemoryBar* bar_;
    MemoryBar* foldedBar_;
    QLabel* line_;
    QDoubleSpinBox* limit_;  ///< GiB; 0: automatic
    QComboBox* offload_;
    QCheckBox* tiling_;  ///< hidden unless the model supports it
    FormField* limitField_ = nullptr;
    FormField* offloadField_ = nullptr;
};

}  // namespace kinescope::ui
