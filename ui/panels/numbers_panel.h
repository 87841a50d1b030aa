#pragma once

#include <QTimer>

#include "core/api/run_event.h"
#include "ui/widgets/card.h"

class QMenu;
class QToolButton;
class QVBoxLayout;

namespace kinescope::ui {

class EventCard;
struct CellTip;
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

/// Statistics of a run: traffic light, headroom plot and events; in expert mode all plots.
class NumbersPanel : public Card {
    Q_OBJECT

public:
    NumbersPanel(const Theme& theme, NumbersModel& numbers, QWidget* parent = nullptr);

    bool isExpert() const;
    void setExpert(bool expert);
    /// Returns the cursor that all plots share.
    StepCursor* cursor() const { return cursor_; }
    /// Renders the plots at twice their size.
    QImage picture() const;

Q_SIGNALS:
    void expertChanged(bool expert);
    void exportRequested(kinescope::ui::NumbersExport what);
    void floatRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHeader();
    void retranslate();
    void buildPlots();
    PlotView* addPlot(const char* name);
    void showMode();
    void refreshSoon();
    void refresh();
    void show(PlotView* plot, const PlotContent& content);
    void refreshRounding();
    void refreshLatents();
    void showTitles();
    void scaleHeatMap();
    CellTip usualTip(int block, int step) const;
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
    PlotView* rounding_;
    QWidget* pair_;
    PlotView* spread_;
    Histogram* latents_;
    NonFinitePlot* nonFinite_;
    HeatMap* heatMap_;
    QVBoxLayout* events_;
    std::size_t heatPoints_ = 0;
    int repeatsShown_ = 0;  ///< NumbersModel::repeats() of the heat map
    std::size_t eventsShown_ = 0;
    int runShown_ = 0;  ///< NumbersModel::run()
    QTimer refreshTimer_;
};

}  // namespace kinescope::ui
