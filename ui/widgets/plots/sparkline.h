#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// A line plot without axes. Non-finite values leave a gap.
class Sparkline : public PaintedWidget {
    Q_OBJECT

public:
    explicit Sparkline(const Theme& theme, QWidget* parent = nullptr);

    /// `low`..`high` spans the height and `num_values` the width, so that the line of a run grows from the left.
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
