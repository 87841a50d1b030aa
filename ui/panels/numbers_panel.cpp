#include "ui/panels/numbers_panel.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/models/numbers_model.h"
#include "ui/panels/event_words.h"
#include "ui/panels/number_series.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/event_card.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/plots/heat_map.h"
#include "ui/widgets/plots/histogram.h"
#include "ui/widgets/plots/non_finite_plot.h"
#include "ui/widgets/plots/step_cursor.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/traffic_light.h"

namespace kinescope::ui {
namespace {

/// Limits repainting to ten times per second.
constexpr int kRefreshMs = 100;
constexpr std::size_t kMaxEvents = 50;
// Default ends of the heat map's color scale, in stops (powers of two).
constexpr double kHeadroomStops = 10;
constexpr double kUsualStops = 3;

}  // namespace

NumbersPanel::NumbersPanel(const Theme& theme, NumbersModel& numbers, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      numbers_(numbers),
      cursor_(new StepCursor(this)),
      mode_(new Segmented(theme, this)),
      light_(new TrafficLight(theme, this)),
      plots_(new QWidget(this)),
      peak_(nullptr),
      headroom_(nullptr),
      rounding_(nullptr),
      pair_(new QWidget(plots_)),
      spread_(nullptr),
      latents_(new Histogram(theme, pair_)),
      nonFinite_(new NonFinitePlot(theme, plots_)),
      heatMap_(new HeatMap(theme, plots_)),
      events_(new QVBoxLayout) {
    setObjectName(QStringLiteral("numbersPanel"));
    buildHeader();
    light_->setObjectName(QStringLiteral("trafficLight"));
    body()->addWidget(light_);
    buildPlots();
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("numbersScrollArea"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(plots_);
    body()->addWidget(scroll, 1);
    refreshTimer_.setSingleShot(true);
    refreshTimer_.setInterval(kRefreshMs);
    connect(&refreshTimer_, &QTimer::timeout, this, &NumbersPanel::refresh);
    connect(&numbers_, &NumbersModel::changed, this, &NumbersPanel::refreshSoon);
    connect(mode_, &Segmented::currentChanged, this, [this](int index) {
        showMode();
        Q_EMIT expertChanged(index == 1);
    });
    showMode();
    inEveryLanguage(this, [this] { retranslate(); });
}

void NumbersPanel::retranslate() {
    setTitle(tr("Numbers"));
    mode_->setTexts({tr("Simple"), tr("Expert")});
    setIconButtonText(save_, tr("Export numbers"));
    setIconButtonText(pop_, tr("Float or dock this panel"));
    const QList<QAction*> exports = exports_->actions();
    const QStringList kinds{tr("JSON Lines…"), tr("Table (CSV)…"), tr("Image of the plots…")};
    for (int i = 0; i < exports.size(); ++i) exports[i]->setText(kinds[i]);
    peak_->setTitle(tr("Peak |x|"));
    peak_->setToolTip(tr("Largest absolute value at the site with the least headroom."));
    rounding_->setTitle(tr("Result to rounding error"), tr("Rounding"));
    rounding_->setToolTip(
        tr("The op that loses most to 16-bit rounding, compared with float32 in some steps. "
           "Below 40 dB, the guard raises the op."));
    spread_->setTitle(tr("Spread (std)"));
    latents_->setTitle(tr("Current latents"), tr("Latents"));
    nonFinite_->setTitle(tr("NaN or infinite values"));
    showTitles();
    clearEvents();
    refresh();
}

void NumbersPanel::buildHeader() {
    mode_->setObjectName(QStringLiteral("numbersModeButtons"));
    mode_->setItems({QString(), QString()});
    save_ = makeIconButton("exportNumbersButton", theme_.icon(QStringLiteral("down")), this);
    exports_ = new QMenu(save_);
    exports_->addAction(QString(), this, [this] { Q_EMIT exportRequested(NumbersExport::jsonLines); });
    exports_->addAction(QString(), this, [this] { Q_EMIT exportRequested(NumbersExport::csv); });
    exports_->addAction(QString(), this, [this] { Q_EMIT exportRequested(NumbersExport::picture); });
    connect(save_, &QToolButton::clicked, this,
            [this] { exports_->popup(save_->mapToGlobal(QPoint(0, save_->height()))); });
    pop_ = makeIconButton("floatNumbersButton", theme_.icon(QStringLiteral("pop")), this);
    connect(pop_, &QToolButton::clicked, this, &NumbersPanel::floatRequested);
    header()->addWidget(new HelpButton(theme_, QStringLiteral("numbers"), this));
    header()->addWidget(mode_);
    header()->addWidget(save_);
    header()->addWidget(pop_);
}

PlotView* NumbersPanel::addPlot(const char* name) {
    auto* plot = new PlotView(theme_, plots_);
    plot->setObjectName(QLatin1String(name));
    plot->setCursorModel(cursor_);
    return plot;
}

void NumbersPanel::buildPlots() {
    peak_ = addPlot("peakPlot");
    headroom_ = addPlot("headroomPlot");
    rounding_ = addPlot("roundingPlot");
    spread_ = addPlot("spreadPlot");
    peak_->setHelp(QStringLiteral("numbers#peak"));
    headroom_->setHelp(QStringLiteral("numbers#headroom"));
    rounding_->setHelp(QStringLiteral("numbers#rounding"));
    spread_->setHelp(QStringLiteral("numbers#spread"));
    latents_->setObjectName(QStringLiteral("latentHistogram"));
    latents_->setHelp(QStringLiteral("numbers#latents"));
    nonFinite_->setObjectName(QStringLiteral("nonFinitePlot"));
    nonFinite_->setCursorModel(cursor_);
    nonFinite_->setHelp(QStringLiteral("numbers#not-finite"));
    heatMap_->setObjectName(QStringLiteral("heatMap"));
    heatMap_->setCursorModel(cursor_);
    heatMap_->setHelp(QStringLiteral("numbers#heat-map"));

    auto* pair = new QHBoxLayout(pair_);
    pair->setContentsMargins(0, 0, 0, 0);
    pair->setSpacing(16);
    pair->addWidget(spread_, 5);
    pair->addWidget(latents_, 4);
    auto* column = new QVBoxLayout(plots_);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(8);
    column->addWidget(peak_, 2);
    column->addWidget(headroom_, 2);
    column->addWidget(rounding_, 2);
    column->addWidget(pair_, 2);
    column->addWidget(nonFinite_);
    column->addWidget(heatMap_, 4);
    events_->setSpacing(8);
    column->addLayout(events_);
    column->addStretch(0);
}

bool NumbersPanel::isExpert() const {
    return mode_->currentIndex() == 1;
}

void NumbersPanel::setExpert(bool expert) {
    mode_->setCurrentIndex(expert ? 1 : 0);
    showMode();
}

void NumbersPanel::showMode() {
    for (QWidget* plot :
         {static_cast<QWidget*>(peak_), pair_, static_cast<QWidget*>(nonFinite_), static_cast<QWidget*>(heatMap_)}) {
        plot->setVisible(isExpert());
    }
    auto* column = static_cast<QVBoxLayout*>(plots_->layout());
    if (!isExpert()) rounding_->hide();  // refreshRounding() shows it
    headroom_->setMaximumHeight(isExpert() ? QWIDGETSIZE_MAX : 220);
    column->setStretch(column->count() - 1, isExpert() ? 0 : 1);
    refreshSoon();
}

QImage NumbersPanel::picture() const {
    constexpr int kScale = 2;
    QImage image(plots_->size() * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    image.fill(theme_.color(ColorRole::surface));
    plots_->render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

void NumbersPanel::showEvent(QShowEvent* event) {
    Card::showEvent(event);
    refreshSoon();
}

/// Schedules a repaint. Does nothing while the panel is hidden.
void NumbersPanel::refreshSoon() {
    if (isVisible() && !refreshTimer_.isActive()) refreshTimer_.start();
}

void NumbersPanel::refresh() {
    followRun();
    const NumbersLine& line = numbers_.line();
    light_->setState(static_cast<TrafficLight::State>(line.state), line.title, line.detail);
    showTitles();
    show(headroom_, headroomContent(numbers_));
    refreshEvents();
    if (!isExpert()) return;
    show(peak_, peakContent(numbers_));
    refreshRounding();
    show(spread_, spreadContent(numbers_));
    refreshLatents();
    nonFinite_->setNumSteps(std::max(1, numbers_.numSteps()));
    nonFinite_->setCounts(nonFiniteCounts(numbers_), uncountedSteps(numbers_));
    const qint64 bad = numbers_.nonFinite();
    const QString number = numbers_.isCounted() ? countText(bad) : leastText(bad);
    const QString count = numbers_.points().empty() ? QString() : tr("%1 values").arg(number);
    nonFinite_->setValue(count, bad == 0 ? ColorRole::ok : ColorRole::error);
    refreshHeatMap();
}

void NumbersPanel::show(PlotView* plot, const PlotContent& content) {
    plot->setNumSteps(std::max(1, numbers_.numSteps()));
    plot->setSpec(content.spec);
    plot->setSeries(0, content.first);
    plot->setSeries(1, content.second);
    plot->setDiscarded(content.discarded);
    plot->setValue(content.value, content.role, content.remark);
}

/// Hides the plot in float32, in which no rounding is measured.
void NumbersPanel::refreshRounding() {
    const PlotContent content = roundingContent(numbers_);
    rounding_->setVisible(!content.first.isEmpty());
    show(rounding_, content);
}

void NumbersPanel::refreshLatents() {
    const LatentsHistogram& seen = numbers_.latents();
    latents_->setCounts({seen.bins.begin(), seen.bins.end()}, seen.min, seen.max, 1.0);
}

/// Sets the titles: in fp16 the plots show headroom, in other types the peak relative to the usual peak.
void NumbersPanel::showTitles() {
    const bool usual = numbers_.comparesWithUsual();
    headroom_->setTitle(usual ? tr("Peak relative to usual") : tr("Headroom"), usual ? tr("Relative peak") : QString());
    heatMap_->setTitle(usual ? tr("Peak relative to usual, per block") : tr("Headroom per block"), tr("Per block"));
    heatMap_->setUnit(usual ? tr("%1 stops below usual") : QString());
    heatMap_->setDescriber(usual ? [this](int block, int step) { return usualTip(block, step); }
                                 : std::function<CellTip(int, int)>());
}

CellTip NumbersPanel::usualTip(int block, int step) const {
    const double stops = heatMap_->headroom(block, step);
    CellTip tip{.title = tr("Step %1 · block %2").arg(step).arg(block), .text = {}, .figure = tr("not measured")};
    if (!std::isnan(stops)) tip.figure = tr("%1 × usual").arg(QLocale().toString(std::exp2(-stops), 'g', 3));
    return tip;
}

/// Sets the ends of the color scale in stops so that it includes the largest headroom.
void NumbersPanel::scaleHeatMap() {
    double least = -kUsualStops;
    double most = kUsualStops;
    if (!numbers_.comparesWithUsual()) {
        least = 0;
        most = kHeadroomStops;
        for (const BlockPoint& point : numbers_.blocks()) most = std::max(most, std::ceil(point.headroomStops));
    }
    if (most != heatMap_->most() || least != heatMap_->least()) heatMap_->setScale(least, most);
}

void NumbersPanel::refreshHeatMap() {
    const std::vector<BlockPoint>& blocks = numbers_.blocks();
    const int steps = std::max(1, numbers_.numSteps());
    const bool isRepeated = std::exchange(repeatsShown_, numbers_.repeats()) != numbers_.repeats();
    if (isRepeated || heatMap_->numBlocks() != numbers_.numBlocks() || heatMap_->numSteps() != steps) {
        heatMap_->setNumSteps(steps);
        heatMap_->setGrid(numbers_.numBlocks(), steps);
        heatPoints_ = 0;
    }
    if (heatPoints_ < blocks.size()) scaleHeatMap();
    const bool usual = numbers_.comparesWithUsual();
    QList<QPoint> discarded;
    for (const BlockPoint& point : numbers_.discardedBlocks()) discarded.append({point.step + 1, point.block});
    heatMap_->setDiscarded(discarded);
    for (; heatPoints_ < blocks.size(); ++heatPoints_) {
        const BlockPoint& point = blocks[heatPoints_];
        const double belowUsual =
            point.usualRatio > 0 ? -std::log2(point.usualRatio) : std::numeric_limits<double>::quiet_NaN();
        heatMap_->setHeadroom(point.block, point.step + 1, usual ? belowUsual : point.headroomStops);
    }
}

EventCard* NumbersPanel::makeEvent(const GuardEvent& event) {
    auto* card = new EventCard(theme_, eventText(event.action, event.time), plots_);
    connect(card, &EventCard::linkActivated, this, [this, action = event.action] { showInHeatMap(action); });
    return card;
}

void NumbersPanel::showInHeatMap(const GuardActed& action) {
    const std::vector<BlockPoint>& rings = numbers_.discardedBlocks();
    const auto ring = std::find_if(rings.begin(), rings.end(), [&](const BlockPoint& point) {
        return point.step == action.step && action.site.ends_with(point.site);
    });
    if (ring == rings.end()) return;
    setExpert(true);
    Q_EMIT expertChanged(true);
    heatMap_->setCurrentCell(ring->block, ring->step + 1);
    heatMap_->setFocus();
}

void NumbersPanel::clearEvents() {
    while (QLayoutItem* item = events_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    eventsShown_ = 0;
}

/// Clears the heat map and the events when a new run starts. Compares run numbers, because two runs can have the same
/// number of blocks and events.
void NumbersPanel::followRun() {
    if (runShown_ == numbers_.run()) return;
    runShown_ = numbers_.run();
    heatMap_->setGrid(0, 0);
    heatPoints_ = 0;
    clearEvents();
}

void NumbersPanel::refreshEvents() {
    const std::vector<GuardEvent>& events = numbers_.guardEvents();
    for (; eventsShown_ < events.size(); ++eventsShown_) {
        events_->insertWidget(0, makeEvent(events[eventsShown_]));
        if (eventsShown_ >= kMaxEvents) delete events_->itemAt(static_cast<int>(kMaxEvents))->widget();
    }
}

}  // namespace kinescope::ui
