#pragma once

#include <array>

#include "core/api/finish_steps.h"
#include "ui/widgets/section.h"

class QToolButton;

namespace kinescope::ui {

class ElidedLabel;
class FormField;
class RequestModel;

/// The finish steps of an opened request: upscaler, interpolator and sound. Each can be removed; the dialog of the
/// library adds steps to a finished video. Hidden for a request without them.
class FinishSection : public Section {
    Q_OBJECT

public:
    FinishSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    /// Removes a step from the steps of a request.
    using Removal = void (*)(FinishSteps&);
    /// Describes a step; empty: there is none.
    using Description = QString (*)(const FinishSteps&);
    struct Row {
        const char* name;  ///< key of the file in the request
        Description describe;
        Removal clear;
        FormField* field = nullptr;
        ElidedLabel* text = nullptr;
        QToolButton* remove = nullptr;
    };

    void build(const Theme& theme, Row& row);
    void retranslate();
    void showRequest();

    RequestModel& model_;
    std::array<Row, 3> rows_;
};

}  // namespace kinescope::ui
