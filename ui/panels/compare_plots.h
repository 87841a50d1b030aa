#pragma once

#include "ui/models/log_differences.h"
#include "ui/widgets/island.h"

namespace kinescope::ui {

class HeatMap;
class Histogram;
class StepCursor;
class Theme;

/// The numbers of two runs: where and when their blocks part, and how their latents lie at the step under the pointer.
/// Hidden while there are no two logs.
class ComparePlots : public Island {
    Q_OBJECT

public:
    explicit ComparePlots(const Theme& theme, QWidget* parent = nullptr);

    void showDifferences(const LogDifferences& differences);
    void clear();

private:
    void say();
    void showLatents();

    StepCursor* cursor_;
    HeatMap* map_;
    Histogram* latents_;
    LogDifferences differences_;
};

}  // namespace kinescope::ui
