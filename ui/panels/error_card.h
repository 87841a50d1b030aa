#pragma once

#include <QWidget>
#include <optional>

#include "ui/text/error_catalog.h"

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class TextView;
class Theme;

/// An error and the actions that can fix it, shown in the preview area.
class ErrorCard : public QWidget {
    Q_OBJECT

public:
    explicit ErrorCard(const Theme& theme, QWidget* parent = nullptr);

    void setError(const Error& error);
    /// Focuses the button of the first action.
    void focusFix();

Q_SIGNALS:
    void fixChosen(kinescope::ui::FixAction action);

private:
    void showFixes(const std::vector<Fix>& fixes);

    QLabel* title_;
    TextView* sentence_;
    TextView* detail_;
    QHBoxLayout* buttons_;
    QString report_;
    std::optional<Error> error_;
};

}  // namespace kinescope::ui
