#pragma once

#include <QPointer>

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/plots/plot_header.h"
#include "ui/widgets/plots/plot_table.h"
#include "ui/widgets/plots/step_cursor.h"

namespace kinescope::ui {

class HelpButton;

/// Base class of the widgets with a step axis. Provides the shared cursor, a header, and dotted lines at repaired
/// steps. Keys: Left and Right move the cursor, Enter pins it, Esc releases it.
class StepWidget : public PaintedWidget {
    Q_OBJECT

public:
    StepWidget(const Theme& theme, QWidget* parent);

    void setTitle(const QString& title);
    /// Adds a "?" button next to the title that opens this section of the manual, e.g. "numbers#peak".
    void setHelp(const QString& address);
    const PlotHeader& header() const { return header_; }
    void setValue(const QString& value, ColorRole role = ColorRole::text, const QString& remark = {});
    /// Sets the number of steps, at least 1.
    void setNumSteps(int num_steps);
    int numSteps() const { return num_steps_; }
    void setRepairedSteps(const QList<int>& steps);
    /// Sets the cursor, which all plots of a run share. nullptr removes it.
    void setCursorModel(StepCursor* cursor);
    /// Returns the current values, which the context menu shows and copies.
    virtual PlotTable table() const = 0;

protected:
    bool event(QEvent* event) override;
    /// Returns the rectangle in which values are drawn. Its width is the step axis.
    virtual QRectF plotArea() const = 0;
    /// Returns the accessible text of a step, e.g. "Headroom, step 23: 7.7 stops". Empty if the step has no value.
    virtual QString describeStep(int step) const = 0;
    /// Returns the width available to the header. It is less than the widget's width if a legend follows the header.
    virtual double headerWidth() const { return width(); }
    /// Moves the "?" button to the end of the title. Must be called when headerWidth() changes.
    void placeHelp();

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

    PlotHeader header_;
    int num_steps_ = 1;
    QList<int> repaired_;
    QPointer<StepCursor> cursor_;
    HelpButton* help_ = nullptr;
};

}  // namespace kinescope::ui
