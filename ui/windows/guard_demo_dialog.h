#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "ui/models/guard_demo.h"
#include "ui/models/guard_demo_story.h"

class QLabel;
class QPushButton;

namespace kinescope::ui {

class GuardDemoPane;
class PlotView;
class Theme;

/// "See the guard in action": runs the guard demonstration when it opens and explains it. Not modal.
class GuardDemoDialog : public QDialog {
    Q_OBJECT

public:
    GuardDemoDialog(const Theme& theme, EngineBridge& bridge, QWidget* parent);

    const GuardDemo& demo() const { return demo_; }

private:
    void build();
    void retranslate();
    void updateContent();
    void showPlot();
    void play();

    const Theme& theme_;
    GuardDemo demo_;
    std::optional<GuardDemoStory> story_;
    QLabel* title_;
    QLabel* sentence_;
    QList<GuardDemoPane*> panes_;
    PlotView* plot_;
    QPushButton* again_;
    QPushButton* close_;
    QTimer clock_;
    int frame_ = 0;
};

}  // namespace kinescope::ui
