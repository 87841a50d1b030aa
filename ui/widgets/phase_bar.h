#pragma once

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/plots/phase_axis.h"

namespace kinescope::ui {

/// A phase of a run as shown in the bar.
struct PhaseItem {
    enum class State { waiting, running, done };

    QString name;
    double expected_seconds = 1;  ///< determines the width
    State state = State::waiting;
    double fraction = 0;  ///< completed fraction 0..1; used while running
    QString text;         ///< "about 0:42", "23 of 50 · 4:14 left", "0:21"

    bool operator==(const PhaseItem&) const = default;
};

/// Returns the minimum width of a phase in px, which fits "about 00:00" at the current text size. Used by the phase bar
/// and the precision timeline.
double phaseFloor(const Theme& theme);

/// Progress bar with one segment per phase: load, encode, denoise, decode, save.
class PhaseBar : public PaintedWidget {
    Q_OBJECT

public:
    explicit PhaseBar(const Theme& theme, QWidget* parent = nullptr);

    void setPhases(const QList<PhaseItem>& phases);
    const QList<PhaseItem>& phases() const { return phases_; }
    PhaseAxis axis() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintSegment(QPainter& painter, const PhaseItem& item, const QRectF& where) const;
    void paintLabels(QPainter& painter, const PhaseAxis& axis) const;

    QList<PhaseItem> phases_;
};

}  // namespace kinescope::ui
