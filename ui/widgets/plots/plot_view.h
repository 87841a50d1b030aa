#pragma once

#include <QPointF>
#include <array>
#include <optional>

#include "ui/widgets/plots/plot_ticks.h"
#include "ui/widgets/plots/step_widget.h"

namespace kinescope::ui {

/// A range of values with a tinted background, such as the last stop (factor of two) below a limit.
struct PlotBand {
    double from = 0;
    double to = 0;
    ColorRole role = ColorRole::warn;
};

/// Axes, decoration and series names of a plot; everything except its values.
struct PlotSpec {
    enum class Axis { linear, log2 };
    enum class Fill { none, below };

    Axis axis = Axis::linear;
    Fill fill = Fill::none;
    double y_min = 0;  ///< greater than 0 for Axis::log2
    double y_max = 1;
    QList<PlotTick> ticks;
    std::optional<double> limit;  ///< drawn as a dashed line in ColorRole::error
    QList<PlotBand> bands;
    QString note;              ///< caption at the lower right, above the first band
    QStringList series_names;  ///< one or two; of two series, both are labeled and the second line is dashed
    int first_color = 0;       ///< index into Theme::series
    QString unit;              ///< appended to the accessible value, e.g. "stops"
};

/// A value of a discarded attempt: drawn as a hollow ring, connected to the value that replaced it.
struct DiscardedPoint {
    int step = 0;
    double value = 0;
    QString label;

    bool operator==(const DiscardedPoint&) const = default;
};

/// Reduces a polyline to at most four points per pixel column (first, lowest, highest and last), so that painting takes
/// O(width) time and peaks stay visible. `points` are in pixels; x must not decrease.
QList<QPointF> decimated(const QList<QPointF>& points);

/// Line plot of up to two series over the steps of a run.
class PlotView : public StepWidget {
    Q_OBJECT

public:
    static constexpr int kMaxSeries = 2;

    explicit PlotView(const Theme& theme, QWidget* parent = nullptr);

    void setSpec(const PlotSpec& spec);
    const PlotSpec& spec() const { return spec_; }
    /// Sets the points (step, value) of series `index` (0 or 1) in ascending order of steps. Skips non-finite points.
    void setSeries(int index, const QList<QPointF>& points);
    const QList<QPointF>& series(int index) const { return points_[static_cast<std::size_t>(index)]; }
    void setDiscarded(const QList<DiscardedPoint>& points);
    void clear();
    PlotTable table() const override;

    QSize sizeHint() const override { return {360, 120}; }
    QSize minimumSizeHint() const override { return {160, 84}; }

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    double yOf(double value) const;
    void paintBackground(QPainter& painter) const;
    void paintLines(QPainter& painter) const;
    void paintForeground(QPainter& painter) const;
    void paintFill(QPainter& painter, const QRectF& area) const;
    void paintNames(QPainter& painter) const;
    void paintDiscarded(QPainter& painter) const;

    PlotSpec spec_;
    std::array<QList<QPointF>, kMaxSeries> points_;
    QList<DiscardedPoint> discarded_;
};

}  // namespace kinescope::ui
