#pragma once

#include "ui/models/compare_words.h"
#include "ui/widgets/island.h"
#include "ui/widgets/message_line.h"

class QLabel;
class QPushButton;

namespace kinescope::ui {

class FactGrid;
class StateIcon;
class Theme;

/// What the comparison found: the verdict in words, figures of the pictures, and only the settings that differ.
class CompareResult : public Island {
    Q_OBJECT

public:
    explicit CompareResult(const Theme& theme, QWidget* parent = nullptr);

    void showComparison(const Comparison& comparison);
    void showWaiting();
    bool isWaiting() const { return waiting_; }
    void showError(const QString& title, const QString& sentence);

Q_SIGNALS:
    void copyWanted();
    void saveWanted();

private:
    void say(Severity severity, const QString& title, const QString& sentence);
    void showPictures(const Comparison& comparison);
    void showSettings(const Comparison& comparison);

    StateIcon* icon_;
    QLabel* title_;
    QLabel* sentence_;
    FactGrid* pictures_;
    FactGrid* settings_;
    QPushButton* copy_;
    QPushButton* save_;
    bool waiting_ = false;
};

}  // namespace kinescope::ui
