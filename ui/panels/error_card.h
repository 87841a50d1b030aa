#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/error_catalogue.h"

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class Theme;

/// An error with its cures, in the place where the video would have been.
class ErrorCard : public QWidget {
    Q_OBJECT

public:
    explicit ErrorCard(const Theme& theme, QWidget* parent = nullptr);

    void setError(const Error& error);
    /// Gives the focus to the best cure.
    void focusCure();

Q_SIGNALS:
    void cureChosen(kinescope::ui::CureAction action);

private:
    void showCures(const std::vector<Cure>& cures);

    QLabel* title_;
    QLabel* sentence_;
    QLabel* detail_;
    QHBoxLayout* buttons_;
    QString report_;
    std::optional<Error> error_;
};

}  // namespace kinescope::ui
