#pragma once

#include <QDialog>

namespace kinescope::ui {

/// A dialog that grows if its texts take more lines while it is shown.
class GrowingDialog : public QDialog {
public:
    using QDialog::QDialog;

protected:
    bool event(QEvent* event) override;
};

}  // namespace kinescope::ui
