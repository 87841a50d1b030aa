#pragma once

#include "ui/models/log_differences.h"
#include "ui/widgets/card.h"

namespace kinescope::ui {

class HeatMap;
class Histogram;
class StepCursor;
class Theme;

/// Plots of two runs: differences by block and step, and the latents at the step under the pointer. Visible only if
/// both runs have a numeric log.
class ComparePlots : public Card {
    Q_OBJECT

public:
    explicit ComparePlots(const Theme& theme, QWidget* parent = nullptr);

    void showDifferences(const LogDifferences& differences);
    void clear();

private:
    void retranslate();
    void showLatents();

    StepCursor* cursor_;
    HeatMap* map_;
    Histogram* latents_;
    LogDifferences differences_;
};

}  // namespace kinescope::ui
