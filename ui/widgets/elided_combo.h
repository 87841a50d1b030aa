#pragma once

#include <QComboBox>

namespace kinescope::ui {

/// A combo box that elides the current text if it does not fit.
class ElidedCombo : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace kinescope::ui
