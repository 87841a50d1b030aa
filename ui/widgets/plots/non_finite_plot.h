#pragma once

#include <QSet>

#include "ui/widgets/plots/step_widget.h"

namespace kinescope::ui {

/// Plots the number of NaN or infinite values per step: a dot for 0, otherwise a bar with the count.
class NonFinitePlot : public StepWidget {
    Q_OBJECT

public:
    explicit NonFinitePlot(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the counts. counts[i] belongs to step i + 1 and is -1 if the step was not measured. If `uncounted` contains
    /// i, it is only the least number.
    void setCounts(const QList<qint64>& counts, const QSet<qsizetype>& uncounted = {});

    struct Label {
        QRectF place;
        QString text;
    };

    /// Returns the counts beside their bars. A count that would cover another one or a bar is left out, the newest is
    /// kept; the table and the description of a step have all of them.
    QList<Label> labels() const;

    PlotTable table() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF barOf(qsizetype index) const;
    QString textOf(qsizetype index) const;

    QList<qint64> counts_;
    QSet<qsizetype> uncounted_;
};

}  // namespace kinescope::ui
