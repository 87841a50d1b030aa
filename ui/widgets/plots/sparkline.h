#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// A line plot without axes. Non-finite values leave gaps in the line.
class Sparkline : public PaintedWidget {
    Q_OBJECT

public:
    explicit Sparkline(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the values. The height covers the range `low`..`high`, the width `num_values` values, so that the line
    /// grows from the left during a run.
    void setValues(const QList<double>& values, double low, double high, int num_values);
    void setRole(ColorRole role);

    QSize sizeHint() const override { return {90, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<double> values_;
    double low_ = 0;
    double high_ = 1;
    int num_values_ = 1;
    ColorRole role_ = ColorRole::ok;
};

}  // namespace kinescope::ui
