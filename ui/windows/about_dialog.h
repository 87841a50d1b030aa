#pragma once

#include <QDialog>

namespace kinescope::ui {

/// The version, license and third-party components of Kinescope.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

}  // namespace kinescope::ui
