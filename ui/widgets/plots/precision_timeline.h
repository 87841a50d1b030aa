#pragma once

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/plots/phase_axis.h"

namespace kinescope::ui {

/// A point in a run: phase index and progress within the phase.
struct PhaseMoment {
    int phase = 0;
    double part = 0;  ///< 0..1

    bool operator==(const PhaseMoment&) const = default;
};

/// A period in which a component or site computes in one precision.
struct PrecisionSpan {
    PhaseMoment from;
    PhaseMoment to;
    QString text;    ///< "fp16 weights, float32 stream"
    int series = 0;  ///< index into Theme::series
    QString detail;  ///< tooltip with the reason

    bool operator==(const PrecisionSpan&) const = default;
};

struct PrecisionRow {
    QString name;
    QList<PrecisionSpan> spans;

    bool operator==(const PrecisionRow&) const = default;
};

/// Shows the precision during a run, one row per component, aligned with the phase bar above. Future spans are dashed;
/// dotted lines mark repairs.
class PrecisionTimeline : public PaintedWidget {
    Q_OBJECT

public:
    explicit PrecisionTimeline(const Theme& theme, QWidget* parent = nullptr);

    void setPhases(const QList<double>& expected_seconds);
    void setRows(const QList<PrecisionRow>& rows);
    void setNow(const PhaseMoment& now);
    void setRepairs(const QList<PhaseMoment>& repairs);
    /// Sets the width of the names at the left. It must equal the width of the column next to the phase bar.
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
