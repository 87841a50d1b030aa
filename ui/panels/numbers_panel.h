#pragma once

#include <QTimer>

#include "core/api/run_event.h"
#include "ui/widgets/island.h"

class QMenu;
class QToolButton;
class QVBoxLayout;

namespace kinescope::ui {

class EventCard;
class HeatMap;
class Histogram;
class NonFinitePlot;
class NumbersModel;
class PlotView;
class Segmented;
class StepCursor;
class Theme;
class TrafficLight;
struct GuardEvent;
struct PlotContent;

enum class NumbersExport { jsonLines, csv, picture };

/// The numbers of a run: one line and one plot for all, every plot for experts.
class NumbersPanel : public Island {
    Q_OBJECT

public:
    NumbersPanel(const Theme& theme, NumbersModel& numbers, QWidget* parent = nullptr);

    bool isExpert() const;
    void setExpert(bool expert);
    /// The plots as they stand, at twice their size.
    QImage picture() const;

Q_SIGNALS:
    void expertChanged(bool expert);
    void exportWanted(kinescope::ui::NumbersExport what);
    void floatWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QToolButton* iconButton(const char* name, const char* icon);
    void buildHeader();
    void say();
    void buildPlots();
    PlotView* addPlot(const char* name);
    void showMode();
    void refreshSoon();
    void refresh();
    void show(PlotView* plot, const PlotContent& content);
    void refreshLatents();
    void scaleHeatMap();
    void refreshHeatMap();
    EventCard* makeEvent(const GuardEvent& event);
    void showInHeatMap(const GuardActed& action);
    void clearEvents();
    void followRun();
    void refreshEvents();

    const Theme& theme_;
    NumbersModel& numbers_;
    StepCursor* cursor_;
    Segmented* mode_;
    QToolButton* save_ = nullptr;
    QToolButton* pop_ = nullptr;
    QMenu* exports_ = nullptr;
    TrafficLight* light_;
    QWidget* plots_;
    PlotView* peak_;
    PlotView* headroom_;
    QWidget* pair_;
    PlotView* spread_;
    Histogram* latents_;
    NonFinitePlot* nonFinite_;
    HeatMap* heatMap_;
    QVBoxLayout* events_;
    std::size_t heatPoints_ = 0;
    std::size_t eventsShown_ = 0;
    int runShown_ = 0;  ///< NumbersModel::run()
    QTimer refreshTimer_;
};

}  // namespace kinescope::ui
