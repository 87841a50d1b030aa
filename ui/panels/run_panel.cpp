#include "ui/panels/run_panel.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "ui/models/run_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/healing_words.h"
#include "ui/panels/precision_rows.h"
#include "ui/panels/run_words.h"
#include "ui/text/computer_words.h"
#include "ui/text/words.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/phase_bar.h"
#include "ui/widgets/plots/precision_timeline.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kNarrow = 760;  ///< px; below this width, most buttons show only icons
/// px with text of 100 %; below this width, the library has the only buttons to continue and finish a video.
constexpr int kSmall = 680;
constexpr int kWide = 1100;  ///< px; from this width on, all buttons show text
constexpr int kNamesWidth = 148;
constexpr double kMinPhaseSeconds = 0.5;
/// Remaining seconds above which the time of day is shown, too: "ready at about 14:24".
constexpr double kClockTimeSeconds = 120;

double fractionOf(const PhaseView& view) {
    if (view.part == PhaseView::Part::done) return 1;
    return view.totalUnits > 0 ? std::clamp(static_cast<double>(view.doneUnits) / view.totalUnits, 0.0, 1.0) : 0;
}

PhaseItem::State itemState(PhaseView::Part part) {
    if (part == PhaseView::Part::done) return PhaseItem::State::done;
    return part == PhaseView::Part::current ? PhaseItem::State::running : PhaseItem::State::waiting;
}

}  // namespace

RunPanel::RunPanel(const Theme& theme, RunModel& run, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      run_(run),
      healing_(new Chip(theme, this)),
      detail_(new ElidedLabel(this)),
      eta_(new QLabel(this)),
      play_(addButton("playVideoButton", "play")),
      folder_(addButton("showInFolderButton", "folder")),
      export_(addButton("exportButton", "down")),
      extend_(addButton("continueVideoButton", "next")),
      finish_(addButton("finishButton", "expand")),
      startOver_(addButton("startOverButton", "refresh")),
      decode_(addButton("decodeNowButton", "film")),
      pause_(addButton("pauseButton", "pause")),
      continue_(addButton("continueButton", "play")),
      discard_(addButton("discardButton", "trash")),
      stop_(addButton("stopButton", "stop")),
      stepColumn_(new QWidget(this)),
      step_(new QLabel(stepColumn_)),
      stepSeconds_(new QLabel(stepColumn_)),
      phases_(new PhaseBar(theme, this)),
      timeline_(new PrecisionTimeline(theme, this)) {
    setObjectName(QStringLiteral("runPanel"));
    phases_->setObjectName(QStringLiteral("phaseBar"));
    timeline_->setObjectName(QStringLiteral("precisionTimeline"));
    timeline_->hide();
    buildHeader();
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(makeStepColumn());
    row->addWidget(phases_, 1);
    body()->addLayout(row);
    body()->addWidget(timeline_);
    connect(stop_, &QPushButton::clicked, this, &RunPanel::stopRequested);
    connect(pause_, &QPushButton::clicked, this, &RunPanel::pauseRequested);
    connect(continue_, &QPushButton::clicked, this, &RunPanel::continueRequested);
    connect(startOver_, &QPushButton::clicked, this, &RunPanel::startOverRequested);
    connect(decode_, &QPushButton::clicked, this, &RunPanel::decodeRequested);
    connect(discard_, &QPushButton::clicked, this, &RunPanel::discardRequested);
    connect(play_, &QPushButton::clicked, this, &RunPanel::playRequested);
    connect(folder_, &QPushButton::clicked, this, &RunPanel::showInFolderRequested);
    connect(export_, &QPushButton::clicked, this, &RunPanel::exportRequested);
    connect(extend_, &QPushButton::clicked, this, &RunPanel::continueVideoRequested);
    connect(finish_, &QPushButton::clicked, this, &RunPanel::finishRequested);
    connect(&run_, &RunModel::stateChanged, this, &RunPanel::onStateChanged);
    connect(&run_, &RunModel::progressed, this, &RunPanel::updateContent);
    onStateChanged(RunState::idle);
    inEveryLanguage(this, [this] { retranslate(); });
}

void RunPanel::retranslate() {
    setIconButtonText(play_, tr("Play"));
    setIconButtonText(folder_, tr("Show in folder"));
    setIconButtonText(export_, tr("Export…"));
    setIconButtonText(extend_, tr("Continue video…"));
    setIconButtonText(finish_, tr("Finish…"));
    setIconButtonText(startOver_, tr("Start over"));
    setIconButtonText(discard_, tr("Discard"));
    setIconButtonText(pause_, tr("Pause"));
    setIconButtonText(continue_, tr("Continue"));
    setIconButtonText(stop_, tr("Stop"));
    phases_->setAccessibleName(tr("Phases"));
    timeline_->setAccessibleName(tr("Precision"));
    updateButtons();
    updateContent();
}

void RunPanel::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    updateButtons();
}

QString RunPanel::decodeText() const {
    const auto seconds = run_.decodeSeconds();
    if (!seconds || *seconds < 1) return tr("Decode now");
    return tr("Decode now (%1)", "duration").arg(formatDuration(*seconds));
}

/// Updates the buttons. In a narrow panel, and in one without space for the detail text, most of them show only icons.
void RunPanel::updateButtons() {
    fitHealing();
    const bool narrow = width() < kNarrow;
    QList<QPushButton*> always{stop_, pause_, decode_};
    if (!narrow) always << continue_ << discard_;  // the detail text has less room instead
    setIconButtonText(decode_, decodeText());
    const auto showWords = [&](const QList<QPushButton*>& buttons) {
        for (QPushButton* button : {play_, folder_, export_, startOver_, pause_, decode_, continue_, discard_, stop_})
            button->setText(buttons.contains(button) ? button->accessibleName() : QString());
    };
    showWords({play_, folder_, export_, startOver_, pause_, decode_, continue_, discard_, stop_});
    header()->invalidate();
    if (narrow || header()->sizeHint().width() > header()->geometry().width()) showWords(always);
    for (QPushButton* button : {extend_, finish_}) {
        button->setText(width() < kWide ? QString() : button->accessibleName());
        button->setVisible(run_.state() == RunState::done && width() >= theme_.scaledToText(kSmall));
    }
}

QString RunPanel::stateName() const {
    return run_.facts().pausing ? QStringLiteral("pausing") : runStateName(run_.state());
}

QPushButton* RunPanel::addButton(const char* name, const char* icon) {
    auto* button = new QPushButton(this);
    button->setObjectName(QLatin1String(name));
    button->setIcon(theme_.icon(QLatin1String(icon), ColorRole::text));
    button->setIconSize({16, 16});
    return button;
}

void RunPanel::buildHeader() {
    detail_->setObjectName(QStringLiteral("runDetailLabel"));
    detail_->setProperty("type", "caption");
    eta_->setObjectName(QStringLiteral("etaLabel"));
    healing_->setObjectName(QStringLiteral("healingChip"));
    header()->insertWidget(1, new HelpButton(theme_, QStringLiteral("first-video#phases"), this));
    header()->insertWidget(2, healing_);
    header()->insertWidget(3, detail_);
    header()->addWidget(eta_);
    for (QPushButton* button :
         {play_, folder_, export_, extend_, finish_, startOver_, pause_, decode_, continue_, discard_, stop_})
        header()->addWidget(button);
}

QWidget* RunPanel::makeStepColumn() {
    step_->setProperty("type", "strong");
    stepSeconds_->setProperty("type", "caption");
    auto* column = new QVBoxLayout(stepColumn_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(step_);
    column->addWidget(stepSeconds_);
    column->addStretch(1);
    stepColumn_->setFixedWidth(kNamesWidth);
    timeline_->setLabelWidth(kNamesWidth);
    return stepColumn_;
}

void RunPanel::setTimelineShown(bool shown) {
    timelineShown_ = shown;
    updateContent();
}

bool RunPanel::hasRun() const {
    return run_.state() != RunState::idle && run_.state() != RunState::failed;
}

void RunPanel::onStateChanged(RunState state) {
    const bool running = isRunning(state);
    const bool paused = state == RunState::paused;
    const bool stopped = state == RunState::stopped;
    setVisible(hasRun());
    const bool kept = state == RunState::done || (state == RunState::stopped && !run_.facts().cancelled.output.empty());
    for (QPushButton* button : {play_, folder_, export_}) button->setVisible(kept);
    stop_->setVisible(running || paused);
    pause_->setVisible(running);
    const bool decides = stopped && run_.facts().keptSteps > 0;
    for (QPushButton* button : {decode_, discard_}) button->setVisible(decides);
    continue_->setVisible(paused || decides);
    startOver_->setVisible(stopped && !decides && run_.facts().job != 0);
    eta_->setVisible(running);
    phases_->setVisible(!stopped);
    updateContent();
    updateButtons();
}

void RunPanel::updateContent() {
    const bool hasPhases = run_.running() || run_.state() == RunState::paused || run_.state() == RunState::done;
    const bool timeline = timelineShown_ && hasPhases;
    timeline_->setVisible(timeline);
    stepColumn_->setVisible(timeline);
    updateTexts();
    updatePhases();
    if (timeline) updateTimeline();
}

void RunPanel::updateTexts() {
    const RunFacts& facts = run_.facts();
    const bool warned = facts.state == RunState::done && !facts.result.warnings.empty();
    const bool isFinishing = facts.state == RunState::saving && facts.finish;
    const bool encodesImage = facts.state == RunState::encoding && !facts.takesPrompt;
    const QString doing = facts.pausing  ? tr("Pausing")
                          : warned       ? tr("Your video is ready, with warnings")
                          : isFinishing  ? tr("Finishing the frames")
                          : encodesImage ? tr("Encoding the image")
                                         : stateTitle(facts.state);
    setTitle(facts.stopping ? tr("Stopping") : doing);
    showHealing();
    detail_->setFullText(detail());
    step_->setText(stepText());
    stepSeconds_->setText(stepTimeText());
    const bool canStop = !facts.stopping && !run_.isFetching();
    stop_->setEnabled(canStop);
    pause_->setEnabled(facts.job != 0 && canStop && !facts.pausing);
    const auto left = run_.secondsLeft();
    if (run_.contact() == Contact::lost) return eta_->setText(tr("Waiting for the connection"));
    if (run_.contact() == Contact::over) return eta_->setText(tr("Fetching the result"));
    if (!left) {
        const bool isEarly = facts.state == RunState::denoising && facts.progress.stepSeconds.size() < kEtaStepsNeeded;
        eta_->setText(isEarly ? tr("Time estimate: after 2 steps") : QString());
        return;
    }
    const QString time = formatDuration(*left);
    const QString clock = formatReadyTime(*left, QDateTime::currentDateTime());
    eta_->setText(*left > kClockTimeSeconds ? tr("%1 left, ready at about %2").arg(time, clock)
                                            : tr("%1 left").arg(time));
}

void RunPanel::showHealing() {
    const RunFacts& facts = run_.facts();
    const QString now = healingNowText(facts);
    const QString done = facts.state == RunState::done ? healedText(facts) : QString();
    if (now.isEmpty())
        healing_->setChip(done, ColorRole::ok, QStringLiteral("shield"));
    else
        healing_->setChip(now, ColorRole::warn, QStringLiteral("refresh"));
    fitHealing();
}

/// Shortens the detail text instead of the words about healing, unless the panel is narrow.
void RunPanel::fitHealing() {
    const bool narrow = width() < theme_.scaledToText(kNarrow);
    healing_->setMinimumWidth(narrow ? 0 : healing_->sizeHint().width());
}

QString RunPanel::stepText() const {
    const RunProgress& progress = run_.facts().progress;
    if (run_.state() != RunState::denoising || progress.stepSeconds.empty()) return {};
    const int done = progress.stepsBefore + static_cast<int>(progress.stepSeconds.size());
    if (progress.numParts == 1) return tr("Step %1 of %2").arg(done).arg(progress.numSteps);
    return tr("%1, step %2 of %3", "part, numbers").arg(partText(progress)).arg(done).arg(progress.numSteps);
}

QString RunPanel::stepTimeText() const {
    const std::vector<double>& steps = run_.facts().progress.stepSeconds;
    if (run_.state() != RunState::denoising || steps.empty()) return {};
    const double each = std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
    constexpr double kVeryShort = 0.1;
    if (each < kVeryShort) return tr("%1 steps per second").arg(qRound(1 / std::max(each, 1e-3)));
    return tr("%1 per step").arg(shortDuration(each));
}

QString RunPanel::detail() const {
    const RunFacts& facts = run_.facts();
    if (!run_.lostComputer().isEmpty() && run_.running())
        return run_.isFetching() ? finishedThereText(run_.lostComputer()) : goesOnText(run_.lostComputer());
    if (facts.pausing) return tr("after this step. The finished steps are kept.");
    if (facts.state == RunState::paused) return pausedText(facts.paused);
    if (facts.state == RunState::denoising) {
        if (timelineShown_ || stepTimeText().isEmpty()) return {};
        return tr("%1, %2", "step, and seconds per step").arg(stepText(), stepTimeText());
    }
    if (isRunning(facts.state) && facts.finish) return finishText(*facts.finish);
    if (isRunning(facts.state)) return partText(facts.progress);
    if (facts.state == RunState::done) return savedText(facts);
    if (facts.state == RunState::stopped) return stoppedText(facts);
    return {};
}

void RunPanel::updatePhases() {
    const auto views = run_.phases();
    QList<PhaseItem> items;
    for (int i = 0; i < kNumPhases; ++i) {
        const PhaseView& view = views[static_cast<std::size_t>(i)];
        PhaseItem item;
        item.name = phaseName(static_cast<Phase>(i));
        item.expected_seconds = std::max(kMinPhaseSeconds, view.seconds);
        item.state = itemState(view.part);
        item.fraction = fractionOf(view);
        if (view.part == PhaseView::Part::done) item.text = shortDuration(view.seconds);
        if (view.part == PhaseView::Part::ahead) item.text = aheadText(view.seconds);
        if (view.part == PhaseView::Part::current) {
            // The steps of all parts are counted, but the time is that of one.
            const bool isLastPart = run_.facts().progress.part + 1 == run_.facts().progress.numParts;
            item.text = currentText(view, isLastPart ? run_.phaseSecondsLeft() : std::nullopt);
            item.expected_seconds = std::max(item.expected_seconds, expectedSeconds(i, view));
        }
        items << item;
    }
    phases_->setPhases(items);
}

/// Returns the expected total time of the running phase. While paused, returns the previous value, so that the width of
/// the phase does not change.
double RunPanel::expectedSeconds(int phase, const PhaseView& view) const {
    const auto left = run_.phaseSecondsLeft();
    const bool wasShown = run_.state() == RunState::paused && phase < phases_->phases().size();
    if (!left && wasShown) return phases_->phases()[phase].expected_seconds;
    return view.seconds + left.value_or(0);
}

void RunPanel::updateTimeline() {
    QList<double> widths;
    PhaseMoment now;
    for (const PhaseItem& item : phases_->phases()) {
        if (item.state == PhaseItem::State::running) now = {static_cast<int>(widths.size()), item.fraction};
        widths << item.expected_seconds;
    }
    if (run_.state() == RunState::done) now = {kNumPhases - 1, 1};
    timeline_->setPhases(widths);
    timeline_->setRows(precisionRows(run_.facts()));
    timeline_->setRepairs(repairMoments(run_.facts()));
    timeline_->setNow(now);
}

}  // namespace kinescope::ui
