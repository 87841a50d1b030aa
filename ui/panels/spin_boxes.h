#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace kinescope::ui {

/// An application-wide event filter. The wheel does not change the value of combo boxes and of unfocused spin boxes,
/// but scrolls the panel that contains them.
class WheelScroll : public QObject {
    Q_OBJECT

public:
    explicit WheelScroll(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// A spin box that accepts values outside of the model's limits; the form marks them as faults.
class NumberSpin : public QSpinBox {
    Q_OBJECT

public:
    NumberSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);
};

/// A spin box like NumberSpin, with one decimal.
class DecimalSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    DecimalSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);
};

/// Creates a spin box like DecimalSpin for a strength: with two decimals and steps of 0.05.
QDoubleSpinBox* makeStrengthSpin(const char* name, double least, double most, QWidget* parent = nullptr);

/// Sets the value without emitting valueChanged().
void setQuietly(QSpinBox* spin, int value);
void setQuietly(QDoubleSpinBox* spin, double value);

}  // namespace kinescope::ui
