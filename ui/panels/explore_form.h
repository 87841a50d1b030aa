#pragma once

#include "ui/widgets/card.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace kinescope::ui {

class MessageLine;
class PromptEdit;
class RequestModel;
class Theme;

/// The prompt with its alternatives, the number of seeds, and the button that makes all videos. The other settings are
/// those of the Create page.
class ExploreForm : public Card {
    Q_OBJECT

public:
    ExploreForm(const Theme& theme, RequestModel& request, QWidget* parent = nullptr);

    int numSeeds() const;
    /// Does what the button does.
    void start();
    PromptEdit* prompt() const { return prompt_; }

Q_SIGNALS:
    void exploreRequested(int seeds);

private:
    void retranslate();
    void showRequest();
    void showMessage(int videos);
    void showNote(int videos);

    RequestModel& request_;
    PromptEdit* prompt_;
    QLabel* seedsLabel_;
    QSpinBox* seeds_;
    QPushButton* start_;
    QLabel* note_;
    MessageLine* message_;
};

}  // namespace kinescope::ui
