#pragma once

#include "core/api/guard_demo.h"
#include "ui/widgets/card.h"

class QLabel;

namespace kinescope::ui {

class ClipView;
class GuardDemo;
class StateIcon;
class Theme;
struct GuardDemoStory;

/// One run of the guard demonstration: its video, the outcome and an explanation.
class GuardDemoPane : public Card {
    Q_OBJECT

public:
    GuardDemoPane(const Theme& theme, const GuardDemo& demo, GuardDemoRun run, QWidget* parent = nullptr);

    /// Updates the pane. `story` describes the finished demonstration; it is nullptr before the end.
    void showRun(const GuardDemoStory* story);
    void setFrame(int frame);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString waitingText() const;

    const GuardDemo& demo_;
    GuardDemoRun run_;
    ClipView* clip_;
    StateIcon* icon_;
    QLabel* verdict_;
    QLabel* text_;
};

}  // namespace kinescope::ui
