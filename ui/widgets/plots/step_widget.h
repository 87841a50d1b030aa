#pragma once

#include <QPointer>

#include "ui/widgets/plots/plot_table.h"
#include "ui/widgets/plots/plot_widget.h"
#include "ui/widgets/plots/step_cursor.h"

namespace kinescope::ui {

/// Base class of the widgets with a step axis. Provides the shared cursor and dotted lines at repaired
/// steps. Keys: Left and Right move the cursor, Enter pins it, Esc releases it.
class StepWidget : public PlotWidget {
    Q_OBJECT

public:
    StepWidget(const Theme& theme, QWidget* parent);
    ~StepWidget() override;

    /// Sets the number of steps, at least 1.
    void setNumSteps(int num_steps);
    int numSteps() const { return num_steps_; }
    void setRepairedSteps(const QList<int>& steps);
    /// Sets the cursor, which all plots of a run share. nullptr removes it.
    void setCursorModel(StepCursor* cursor);
    /// Returns the current values, which the context menu shows and copies.
    virtual PlotTable table() const = 0;

protected:
    static constexpr double kLabelGap = 8;  ///< px between the labels and the plot area

    /// Returns the rectangle in which values are drawn. Its width is the step axis.
    virtual QRectF plotArea() const = 0;
    /// Returns the accessible text of a step, e.g. "Headroom, step 23: 7.7 stops". Empty if the step has no value.
    virtual QString describeStep(int step) const = 0;
    /// Sets the labels left of the plot area.
    void setAxisLabels(const QStringList& labels);
    /// Returns the width of the labels. It is the same in all plots with the same cursor, so that their step axes are
    /// aligned.
    double labelWidth() const;
    double xOf(double step) const;
    int stepAt(double x) const;
    StepCursor* cursorModel() const { return cursor_; }
    int cursorStep() const { return cursor_ ? cursor_->step() : 0; }
    void paintRepairs(QPainter& painter, const QRectF& area) const;
    void paintCursor(QPainter& painter, const QRectF& area) const;
    void paintStepLabels(QPainter& painter, const QRectF& area) const;

    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void onCursorMoved(int step);
    void measureLabels();

    int num_steps_ = 1;
    QList<int> repaired_;
    QPointer<StepCursor> cursor_;
    QStringList axis_labels_;
    double own_label_width_ = 0;
};

}  // namespace kinescope::ui
