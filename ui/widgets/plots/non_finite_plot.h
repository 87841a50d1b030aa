#pragma once

#include "ui/widgets/plots/step_widget.h"

namespace kinescope::ui {

/// Number of NaN or infinite values per step: a dot for 0, otherwise a bar with the count.
class NonFinitePlot : public StepWidget {
    Q_OBJECT

public:
    explicit NonFinitePlot(const Theme& theme, QWidget* parent = nullptr);

    /// counts[i] belongs to step i + 1; -1 if not measured.
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
