#pragma once

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/phase_axis.h"

namespace kinescope::ui {

/// One phase of a run as the bar shows it.
struct PhaseItem {
    enum class State { waiting, running, done };

    QString name;
    double expected_seconds = 1;  ///< decides the width
    State state = State::waiting;
    double fraction = 0;  ///< done of it, 0..1; counts while running
    QString text;         ///< "about 0:42", "23 of 50 · 4:14 left", "0:21"

    bool operator==(const PhaseItem&) const = default;
};

/// The least width of a phase, enough for "about 00:00" in the current size of text. Phase bar and precision timeline
/// both use it.
double phaseFloor(const Theme& theme);

/// Load, Encode, Denoise, Decode, Save: what is done, what runs, how long the rest takes.
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
