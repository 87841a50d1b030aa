#pragma once

#include <QPointF>
#include <array>
#include <memory>
#include <optional>

#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/step_widget.h"

namespace kinescope::ui {

/// A part of the height that means something: the last stop below a limit, the guard's zones.
struct PlotBand {
    double from = 0;
    double to = 0;
    ColorRole role = ColorRole::warn;
};

/// What a plot shows apart from its values.
struct PlotSpec {
    enum class Axis { linear, log2 };
    enum class Fill { none, below };

    Axis axis = Axis::linear;
    Fill fill = Fill::none;
    double y_min = 0;  ///< on a log2 axis greater than 0
    double y_max = 1;
    QList<PlotTick> ticks;
    std::optional<double> limit;  ///< a dashed line in the colour of errors
    QList<PlotBand> bands;
    QString note;              ///< small words at the lower right, above the bands
    QStringList series_names;  ///< one or two; two are named at their ends, the second is dashed
    int first_color = 0;       ///< index into Theme::series
    QString unit;              ///< for the spoken value: "stops"
};

/// A value that was measured and thrown away: a hollow ring, with a thin line to the value that replaced it.
struct DiscardedPoint {
    int step = 0;
    double value = 0;
    QString label;

    bool operator==(const DiscardedPoint&) const = default;
};

/// Up to two lines over the steps of a run. Qt Charts draws them and is known to this class alone; it is created when
/// the plot is first seen.
class PlotView : public StepWidget {
    Q_OBJECT

public:
    static constexpr int kMaxSeries = 2;

    explicit PlotView(const Theme& theme, QWidget* parent = nullptr);
    ~PlotView() override;

    void setSpec(const PlotSpec& spec);
    const PlotSpec& spec() const { return spec_; }
    /// Points as (step, value), steps rising. Values that are not finite are left out.
    void setSeries(int index, const QList<QPointF>& points);
    const QList<QPointF>& series(int index) const { return points_[static_cast<std::size_t>(index)]; }
    void setDiscarded(const QList<DiscardedPoint>& points);
    void clear();
    PlotTable table() const override;
    /// True once the chart is there.
    bool hasChart() const { return chart_ != nullptr; }

    QSize sizeHint() const override { return {360, 120}; }
    QSize minimumSizeHint() const override { return {160, 84}; }

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
    void contentChanged() override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    class Chart;

    double yOf(double value) const;
    void paintUnder(QPainter& painter) const;
    void paintOver(QPainter& painter) const;
    void paintFill(QPainter& painter, const QRectF& area) const;
    void paintNames(QPainter& painter) const;
    void paintDiscarded(QPainter& painter) const;

    PlotSpec spec_;
    std::array<QList<QPointF>, kMaxSeries> points_;
    QList<DiscardedPoint> discarded_;
    Chart* chart_ = nullptr;
    bool stale_ = false;  ///< the chart does not show yet what is held here
};

}  // namespace kinescope::ui
