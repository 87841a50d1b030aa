#pragma once

#include <QDialog>

namespace kinescope::ui {

class Theme;

/// The version, license and third-party components of Kinescope.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(const Theme& theme, QWidget* parent = nullptr);
};

}  // namespace kinescope::ui
