#pragma once

#include <QPointer>

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/plot_header.h"
#include "ui/widgets/plot_table.h"
#include "ui/widgets/step_cursor.h"

namespace kinescope::ui {

class HelpButton;

/// Base of what is drawn over the steps of a run: one axis, one linked cursor, dotted lines where a step was repaired.
/// Arrow keys move the cursor, Enter pins it, Esc frees it.
class StepWidget : public PaintedWidget {
    Q_OBJECT

public:
    StepWidget(const Theme& theme, QWidget* parent);

    void setTitle(const QString& title);
    /// Puts a "?" behind the title that opens this section of the manual.
    void setHelp(const QString& address);
    const PlotHeader& header() const { return header_; }
    void setValue(const QString& value, ColorRole role = ColorRole::text, const QString& remark = {});
    /// At least 1.
    void setNumSteps(int num_steps);
    int numSteps() const { return num_steps_; }
    void setRepairedSteps(const QList<int>& steps);
    /// Shared by all plots of a run; may be null.
    void setCursorModel(StepCursor* cursor);
    /// The values as they stand; the context menu shows and copies them.
    virtual PlotTable table() const = 0;

protected:
    bool event(QEvent* event) override;
    /// The part of the widget whose width is the step axis.
    virtual QRectF plotArea() const = 0;
    /// "Headroom, step 23: 7.7 stops" for the step under the cursor; empty: nothing known of it.
    virtual QString describeStep(int step) const = 0;
    virtual void contentChanged() { update(); }

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
    void cursorMoved(int step);
    void placeHelp();

    PlotHeader header_;
    int num_steps_ = 1;
    QList<int> repaired_;
    QPointer<StepCursor> cursor_;
    HelpButton* help_ = nullptr;
};

}  // namespace kinescope::ui
