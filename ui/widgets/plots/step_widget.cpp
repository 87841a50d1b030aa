#include "ui/widgets/plots/step_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QtMath>
#include <algorithm>
#include <cmath>
#include <utility>

namespace kinescope::ui {
namespace {

constexpr double kAxisLabelWidth = 44;  ///< px; minimum
constexpr double kAxisLabelMargin = 2;  ///< px; glyphs can be wider than their advance

}  // namespace

StepWidget::StepWidget(const Theme& theme, QWidget* parent) : PlotWidget(theme, parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&theme, &Theme::themeChanged, this, &StepWidget::measureLabels);
    measureLabels();
}

StepWidget::~StepWidget() {
    if (cursor_) cursor_->setLabelWidth(this, 0);
}

void StepWidget::setNumSteps(int num_steps) {
    num_steps_ = std::max(num_steps, 1);
    update();
}

void StepWidget::setRepairedSteps(const QList<int>& steps) {
    repaired_ = steps;
    update();
}

void StepWidget::setCursorModel(StepCursor* cursor) {
    if (cursor_) {
        disconnect(cursor_, nullptr, this, nullptr);
        cursor_->setLabelWidth(this, 0);
    }
    cursor_ = cursor;
    if (cursor_) {
        connect(cursor_, &StepCursor::stepChanged, this, &StepWidget::onCursorMoved);
        connect(cursor_, &StepCursor::labelWidthChanged, this, qOverload<>(&StepWidget::update));
    }
    measureLabels();
    update();
}

void StepWidget::onCursorMoved(int step) {
    setValueText(step > 0 ? describeStep(step) : QString());
    update();
}

double StepWidget::xOf(double step) const {
    const QRectF area = plotArea();
    return area.left() + (step - 0.5) / num_steps_ * area.width();
}

double StepWidget::labelWidth() const {
    return cursor_ ? cursor_->labelWidth() : own_label_width_;
}

void StepWidget::setAxisLabels(const QStringList& labels) {
    if (labels == axis_labels_) return;
    axis_labels_ = labels;
    measureLabels();
}

void StepWidget::measureLabels() {
    const QFontMetricsF metrics(theme().font(Type::caption));
    own_label_width_ = kAxisLabelWidth;
    for (const QString& label : std::as_const(axis_labels_))
        own_label_width_ =
            std::max(own_label_width_, std::ceil(metrics.horizontalAdvance(label)) + kAxisLabelMargin + kLabelGap);
    if (cursor_) cursor_->setLabelWidth(this, own_label_width_);
}

int StepWidget::stepAt(double x) const {
    const QRectF area = plotArea();
    if (x < area.left() || x > area.right() || area.width() <= 0) return 0;
    return std::clamp(static_cast<int>((x - area.left()) / area.width() * num_steps_) + 1, 1, num_steps_);
}

void StepWidget::paintRepairs(QPainter& painter, const QRectF& area) const {
    painter.setPen(QPen(theme().color(ColorRole::warn), 1, Qt::DotLine));
    for (const int step : repaired_) painter.drawLine(QLineF(xOf(step), area.top(), xOf(step), area.bottom()));
}

void StepWidget::paintCursor(QPainter& painter, const QRectF& area) const {
    const int step = cursorStep();
    if (step < 1 || step > num_steps_) return;
    const bool pinned = cursor_->pinned() > 0;
    painter.setPen(QPen(theme().color(pinned ? ColorRole::accent : ColorRole::text3), 1));
    painter.drawLine(QLineF(xOf(step), area.top(), xOf(step), area.bottom()));
}

void StepWidget::paintStepLabels(QPainter& painter, const QRectF& area) const {
    const int stride = num_steps_ <= 12    ? 1
                       : num_steps_ <= 25  ? 5
                       : num_steps_ <= 60  ? 10
                       : num_steps_ <= 120 ? 20
                                           : 50;
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    for (int step = 1; step <= num_steps_; step = step == 1 && stride > 1 ? stride : step + stride) {
        const double x = xOf(step);
        painter.setPen(QPen(theme().color(ColorRole::edge), 1));
        painter.drawLine(QLineF(x, area.bottom(), x, area.bottom() + 3));
        painter.setPen(theme().color(ColorRole::text3));
        painter.drawText(QRectF(x - 24, area.bottom() + 3, 48, metrics.height()), Qt::AlignCenter,
                         QString::number(step));
    }
}

void StepWidget::mouseMoveEvent(QMouseEvent* event) {
    if (cursor_) cursor_->hover(stepAt(event->position().x()));
}

void StepWidget::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position().x());
    if (cursor_ && event->button() == Qt::LeftButton && step > 0) cursor_->pin(step);
}

void StepWidget::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show as table"), this, [this] { showPlotTable(header().title, table(), this); });
    menu->addAction(tr("Copy values"), this, [this] { QApplication::clipboard()->setText(table().text()); });
    menu->popup(event->globalPos());
}

void StepWidget::leaveEvent(QEvent* event) {
    if (cursor_) cursor_->leave();
    PaintedWidget::leaveEvent(event);
}

void StepWidget::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right;
    if (!cursor_ || !(arrow || key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape)) {
        PaintedWidget::keyPressEvent(event);
        return;
    }
    const int step = cursor_->step();
    if (key == Qt::Key_Escape) {
        cursor_->release();
        cursor_->leave();
    } else if (!arrow) {
        if (step > 0) cursor_->pin(step);
    } else {
        cursor_->release();
        cursor_->hover(std::clamp(step + (key == Qt::Key_Left ? -1 : 1), 1, num_steps_));
    }
}

}  // namespace kinescope::ui
