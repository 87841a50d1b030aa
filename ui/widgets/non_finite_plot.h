#pragma once

#include "ui/widgets/step_widget.h"

namespace kinescope::ui {

/// Values that are not a number, or infinite: a dot for each clean step, a bar with its count for any other.
class NonFinitePlot : public StepWidget {
    Q_OBJECT

public:
    explicit NonFinitePlot(const Theme& theme, QWidget* parent = nullptr);

    /// counts[i] belongs to step i + 1; −1: not measured.
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
