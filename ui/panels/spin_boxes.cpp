#include "ui/panels/spin_boxes.h"

#include <QSignalBlocker>
#include <QWheelEvent>
#include <cmath>

namespace kinescope::ui {
namespace {

constexpr int kLargest = 999'999;

void prepare(QAbstractSpinBox& spin, const char* name, const QString& toolTip) {
    spin.setObjectName(QLatin1String(name));
    spin.setToolTip(toolTip);
    spin.setFocusPolicy(Qt::StrongFocus);
    spin.setKeyboardTracking(true);
    spin.setMinimumWidth(64);
}

}  // namespace

NumberSpin::NumberSpin(const char* name, const QString& toolTip, QWidget* parent) : QSpinBox(parent) {
    prepare(*this, name, toolTip);
    setRange(0, kLargest);
}

void NumberSpin::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) return QSpinBox::wheelEvent(event);
    event->ignore();
}

DecimalSpin::DecimalSpin(const char* name, const QString& toolTip, QWidget* parent) : QDoubleSpinBox(parent) {
    prepare(*this, name, toolTip);
    setRange(0, 1000);
    setDecimals(1);
    setSingleStep(0.1);
}

void DecimalSpin::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) return QDoubleSpinBox::wheelEvent(event);
    event->ignore();
}

void setQuietly(QSpinBox* spin, int value) {
    const QSignalBlocker quiet(spin);
    if (spin->value() != value) spin->setValue(value);
}

void setQuietly(QDoubleSpinBox* spin, double value) {
    const QSignalBlocker quiet(spin);
    // What is shown already may be half typed: to set it would write it out anew.
    if (std::abs(spin->value() - value) * std::pow(10, spin->decimals()) > 0.5) spin->setValue(value);
}

}  // namespace kinescope::ui
