#pragma once

#include <optional>

#include "ui/widgets/plots/plot_widget.h"

namespace kinescope::ui {

/// A histogram with an optional normal curve, drawn as a dashed line.
class Histogram : public PlotWidget {
    Q_OBJECT

public:
    explicit Histogram(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the counts of bins of equal width between `low` and `high`. `reference_std` is the standard deviation of
    /// the normal curve around 0.
    void setCounts(const QList<qint64>& counts, double low, double high, std::optional<double> reference_std = {});
    /// Sets a second list of counts for the same bins, drawn as a line. An empty list removes the line.
    void setSecond(const QList<qint64>& counts);
    void clear() { setCounts({}, 0, 0); }

    QSize sizeHint() const override { return {180, 110}; }
    QSize minimumSizeHint() const override { return {120, 84}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Returns the height of the curve at 0 in counts per bin, or 0 if there is no curve.
    double curvePeak() const;
    void paintCurve(QPainter& painter, const QRectF& area, double per_count) const;
    void paintSecond(QPainter& painter, const QRectF& area, double per_count) const;
    qint64 most() const;

    QList<qint64> counts_;
    QList<qint64> second_;
    double low_ = 0;
    double high_ = 0;
    std::optional<double> reference_std_;
};

}  // namespace kinescope::ui
