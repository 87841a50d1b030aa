#pragma once

#include "ui/text/compare_words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_line.h"

class QLabel;
class QPushButton;

namespace kinescope::ui {

class FactGrid;
class StateIcon;
class Theme;

/// The result of a comparison: verdict, frame metrics and the settings that differ.
class CompareResult : public Card {
    Q_OBJECT

public:
    explicit CompareResult(const Theme& theme, QWidget* parent = nullptr);

    void showComparison(const Comparison& comparison);
    /// Removes the results of the previous pair until showComparison().
    void showWaiting();
    bool isWaiting() const { return waiting_; }
    void showError(const QString& title, const QString& sentence);
    /// Says that something was not saved. The results stay, and can be saved elsewhere.
    void showSaveFault(const QString& title, const QString& sentence);

Q_SIGNALS:
    void copyRequested();
    void saveRequested();

private:
    void showWords(Severity severity, const QString& title, const QString& sentence);
    void showVerdict(Severity severity, const QString& title, const QString& sentence);
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
