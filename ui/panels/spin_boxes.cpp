#include "ui/panels/spin_boxes.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
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

QWidget* valueField(QObject* watched) {
    const bool isField = qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched);
    return isField ? static_cast<QWidget*>(watched) : nullptr;
}

}  // namespace

WheelScroll::WheelScroll(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WheelScroll::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish) return false;
    QWidget* field = valueField(watched);
    if (!field) return false;
    // With Qt::WheelFocus, Qt focuses the field before it delivers the wheel event.
    if (event->type() == QEvent::Polish && field->focusPolicy() == Qt::WheelFocus)
        field->setFocusPolicy(Qt::StrongFocus);
    // A combo box keeps the focus after a choice, which the wheel would change when the user scrolls the panel.
    const bool takesWheel = field->hasFocus() && !qobject_cast<QComboBox*>(field);
    if (event->type() == QEvent::Polish || takesWheel) return false;
    event->ignore();  // Qt then delivers the event to the parent
    return true;
}

NumberSpin::NumberSpin(const char* name, const QString& toolTip, QWidget* parent) : QSpinBox(parent) {
    prepare(*this, name, toolTip);
    setRange(0, kLargest);
}

DecimalSpin::DecimalSpin(const char* name, const QString& toolTip, QWidget* parent) : QDoubleSpinBox(parent) {
    prepare(*this, name, toolTip);
    setRange(0, 1000);
    setDecimals(1);
    setSingleStep(0.1);
}

QDoubleSpinBox* makeStrengthSpin(const char* name, double least, double most, QWidget* parent) {
    auto* spin = new DecimalSpin(name, {}, parent);
    spin->setDecimals(2);
    spin->setSingleStep(0.05);
    spin->setRange(least, most);
    return spin;
}

void setQuietly(QSpinBox* spin, int value) {
    const QSignalBlocker quiet(spin);
    if (spin->value() != value) spin->setValue(value);
}

void setQuietly(QDoubleSpinBox* spin, double value) {
    const QSignalBlocker quiet(spin);
    // Keep the text if it displays the same value, so that it does not change while the user types.
    if (std::abs(spin->value() - value) * std::pow(10, spin->decimals()) > 0.5) spin->setValue(value);
}

}  // namespace kinescope::ui
