#pragma once

#include <QImage>
#include <functional>

#include "ui/widgets/step_widget.h"

namespace kinescope::ui {

/// Words for one cell of the heat-map, shown beside it.
struct CellTip {
    QString title;   ///< "Step 17 · block 31"
    QString text;    ///< "feed-forward output"
    QString figure;  ///< "peak 39,812 · 0.7 stops left"
    ColorRole figure_role = ColorRole::text2;
};

/// Headroom of every block at every step as colour: blocks down, steps right. A cell not measured is empty; a step
/// that was passed over by sampling is hatched. The picture is one QImage of blocks × steps, scaled up.
///
/// Arrow keys move the cell, Enter pins its step and chooses it, Esc frees it.
class HeatMap : public StepWidget {
    Q_OBJECT

public:
    explicit HeatMap(const Theme& theme, QWidget* parent = nullptr);

    /// Forgets all values. Blocks count from 0, steps from 1.
    void setGrid(int num_blocks, int num_steps);
    int numBlocks() const { return num_blocks_; }
    /// Headroom in stops; NaN: not measured. Cells outside of the grid are ignored.
    void setHeadroom(int block, int step, double stops);
    /// NaN where nothing was measured.
    double headroom(int block, int step) const;
    /// What the values are, for the legend, in place of stops of headroom: "%1 bits the same".
    void setUnit(const QString& unit);
    /// Stops at the two ends of the ramp.
    void setScale(double least, double most);
    /// Cells of a discarded attempt: (step, block).
    void setDiscarded(const QList<QPoint>& cells);
    /// Where the words of a cell come from; without one only numbers are said.
    void setDescriber(std::function<CellTip(int block, int step)> describe);

    PlotTable table() const override;
    int currentBlock() const { return block_; }
    void setCurrentCell(int block, int step);

    QSize sizeHint() const override { return {400, 220}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

Q_SIGNALS:
    void cellActivated(int block, int step);

protected:
    QRectF plotArea() const override;
    QString describeStep(int step) const override;
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
    double paintLegend(QPainter& painter) const;
    void paintGrid(QPainter& painter);
    void paintTip(QPainter& painter) const;

    int num_blocks_ = 0;
    QList<double> stops_;  ///< row by row
    QString unit_;         ///< empty: stops of headroom
    double least_ = 0;
    double most_ = 10;
    int last_step_ = 0;  ///< the newest step with a value
    QList<QPoint> discarded_;
    std::function<CellTip(int, int)> describe_;
    int block_ = -1;  ///< under the pointer or chosen by keys
    QImage image_;
};

}  // namespace kinescope::ui
