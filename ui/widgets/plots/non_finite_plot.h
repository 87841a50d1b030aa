#pragma once

#include "ui/widgets/plots/step_widget.h"

namespace kinescope::ui {

/// Plots the number of NaN or infinite values per step: a dot for 0, otherwise a bar with the count.
class NonFinitePlot : public StepWidget {
    Q_OBJECT

public:
    explicit NonFinitePlot(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the counts. counts[i] belongs to step i + 1 and is -1 if the step was not measured.
    void setCounts(const QList<qint64>& counts);

    PlotTable table() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    QList<qint64> counts_;
};

}  // namespace kinescope::ui
