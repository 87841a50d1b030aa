#pragma once

#include <QImage>
#include <functional>

#include "ui/widgets/plots/step_widget.h"

namespace kinescope::ui {

/// The tooltip of a cell.
struct CellTip {
    QString title;   ///< "Step 17 · block 31"
    QString text;    ///< "feed-forward output"
    QString figure;  ///< "peak 39,812 · 0.7 stops of headroom"
    ColorRole figure_role = ColorRole::text2;
};

/// Shows the headroom of every block (row) at every step (column) as color. Cells without a value are empty; steps
/// skipped by sampling are hatched.
///
/// Keys: the arrow keys select a cell, Enter pins its step and activates the cell, Esc releases the step.
class HeatMap : public StepWidget {
    Q_OBJECT

public:
    explicit HeatMap(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the size and removes all values. Blocks count from 0, steps from 1.
    void setGrid(int num_blocks, int num_steps);
    int numBlocks() const { return num_blocks_; }
    /// Sets the headroom of a cell in stops (powers of two), or NaN if it was not measured. Ignores cells outside of
    /// the grid.
    void setHeadroom(int block, int step, double stops);
    /// Returns the headroom of a cell in stops, or NaN if it was not measured.
    double headroom(int block, int step) const;
    /// Sets the unit in the legend, e.g. "%1 matching bits". The default is stops.
    void setUnit(const QString& unit);
    /// Sets the values at the ends of the color ramp.
    void setScale(double least, double most);
    double least() const { return least_; }
    double most() const { return most_; }
    /// Sets the cells of discarded attempts as points (step, block).
    void setDiscarded(const QList<QPoint>& cells);
    /// Hatches cells without a value, given as points (step, block). setGrid() removes them.
    void setHatched(const QList<QPoint>& cells);
    /// Sets the function that describes a cell in the tooltip. By default, the tooltip shows only numbers.
    void setDescriber(std::function<CellTip(int block, int step)> describe);

    PlotTable table() const override;
    void setCurrentCell(int block, int step);

    QSize sizeHint() const override { return {400, 220}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

Q_SIGNALS:
    void cellActivated(int block, int step);

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
    double headerWidth() const override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setBlock(int block);
    QRgb colorOf(double stops) const;
    void repaintImage();
    int blockAt(double y) const;
    QRectF cellRect(int block, int step) const;
    CellTip tipOf(int block, int step) const;
    QString maxLabel() const;
    void paintLegend(QPainter& painter) const;
    void paintGrid(QPainter& painter);
    void paintTip(QPainter& painter) const;

    int num_blocks_ = 0;
    QList<double> stops_;  ///< row-major
    QString unit_;         ///< empty: stops
    double least_ = 0;
    double most_ = 10;
    int last_step_ = 0;  ///< the last step with a value
    QList<QPoint> discarded_;
    QList<QPoint> hatched_;
    std::function<CellTip(int, int)> describe_;
    int block_ = -1;  ///< block of the selected cell; -1: none
    QImage image_;
};

}  // namespace kinescope::ui
