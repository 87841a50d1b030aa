#pragma once

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/phase_axis.h"

namespace kinescope::ui {

/// A moment of a run: so far into that phase (counted as in the phase bar).
struct PhaseMoment {
    int phase = 0;
    double part = 0;  ///< 0..1

    bool operator==(const PhaseMoment&) const = default;
};

/// From when to when a component computed in one precision.
struct PrecisionSpan {
    PhaseMoment from;
    PhaseMoment to;
    QString text;    ///< "fp16 weights, float32 stream"
    int series = 0;  ///< colour of Theme::series
    QString detail;  ///< stored, computed, sums, reason: the tooltip

    bool operator==(const PrecisionSpan&) const = default;
};

struct PrecisionRow {
    QString name;
    QList<PrecisionSpan> spans;

    bool operator==(const PrecisionRow&) const = default;
};

/// Precision over the life of a run, one row for each component, on the axis of the phase bar above it. What lies
/// ahead is dashed; repairs are dotted lines.
class PrecisionTimeline : public PaintedWidget {
    Q_OBJECT

public:
    explicit PrecisionTimeline(const Theme& theme, QWidget* parent = nullptr);

    void setPhases(const QList<double>& expected_seconds);
    void setRows(const QList<PrecisionRow>& rows);
    void setNow(const PhaseMoment& now);
    void setRepairs(const QList<PhaseMoment>& repairs);
    /// Width of the names at the left, as wide as the column beside the phase bar.
    void setLabelWidth(int width_px);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    PhaseAxis axis() const;
    double rowHeight() const;
    QRectF spanRect(const PhaseAxis& axis, int row, const PrecisionSpan& span) const;
    void paintSpan(QPainter& painter, const QRectF& where, const PrecisionSpan& span, double now) const;

    QList<double> expected_seconds_;
    QList<PrecisionRow> rows_;
    PhaseMoment now_;
    QList<PhaseMoment> repairs_;
    int label_width_ = 148;
};

}  // namespace kinescope::ui
