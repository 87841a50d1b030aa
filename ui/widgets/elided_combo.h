#pragma once

#include <QComboBox>

namespace kinescope::ui {

/// A combo box whose chosen words end in "…" where they do not fit, instead of being cut.
class ElidedCombo : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace kinescope::ui
