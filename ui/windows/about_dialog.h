#pragma once

#include <QDialog>

namespace kinescope::ui {

class Theme;

/// What this program is, its licence, and the works of others that it stands on.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(const Theme& theme, QWidget* parent = nullptr);
};

}  // namespace kinescope::ui
