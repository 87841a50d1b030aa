#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace kinescope::ui {

/// While it exists, the wheel scrolls the panel below a combo box or spin box without focus, instead of changing its
/// value. Watches the whole application.
class WheelScroll : public QObject {
    Q_OBJECT

public:
    explicit WheelScroll(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// A spin box with a wide range: a value outside the model's limits stays as typed and is marked.
class NumberSpin : public QSpinBox {
    Q_OBJECT

public:
    NumberSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);
};

/// The same for numbers with one decimal.
class DecimalSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    DecimalSpin(const char* name, const QString& toolTip, QWidget* parent = nullptr);
};

/// Shows a value that nobody typed: no valueChanged().
void setQuietly(QSpinBox* spin, int value);
void setQuietly(QDoubleSpinBox* spin, double value);

}  // namespace kinescope::ui
