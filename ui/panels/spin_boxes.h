#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace kinescope::ui {

/// A spin box whose value the wheel does not change while the panel is scrolled. Its range is wide: what is out of the
/// model's limits stays as typed and is marked.
class NumberSpin : public QSpinBox {
    Q_OBJECT

public:
    NumberSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

/// The same for numbers with one decimal.
class DecimalSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    DecimalSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

/// Shows a value that nobody typed: no valueChanged().
void setQuietly(QSpinBox* spin, int value);
void setQuietly(QDoubleSpinBox* spin, double value);

}  // namespace kinescope::ui
