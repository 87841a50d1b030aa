#include "ui/windows/guard_demo_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/panels/guard_demo_pane.h"
#include "ui/panels/guard_demo_words.h"
#include "ui/text/error_catalog.h"
#include "ui/text/site_name.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/plots/plot_view.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr double kFloat16Max = 65504;
constexpr int kPlotHeight = 132;
constexpr int kDefaultFps = 8;

QList<QPointF> peaksOf(const GuardDemoResult& run) {
    QList<QPointF> peaks;
    for (const NumericSample& sample : run.samples) peaks.append({sample.step + 1.0, sample.stats.max_abs});
    return peaks;
}

PlotSpec peakSpec(double highest) {
    PlotSpec spec;
    spec.axis = PlotSpec::Axis::log2;
    spec.y_min = 4096;
    spec.y_max = std::max(highest, kFloat16Max) * 4;
    spec.limit = kFloat16Max;
    spec.bands = {{kFloat16Max, spec.y_max, ColorRole::error}};
    spec.ticks = log2Ticks(spec.y_min, spec.y_max, 3);
    return spec;
}

}  // namespace

GuardDemoDialog::GuardDemoDialog(const Theme& theme, EngineBridge& bridge, QWidget* parent)
    : QDialog(parent),
      theme_(theme),
      demo_(bridge),
      title_(new QLabel(this)),
      sentence_(new QLabel(this)),
      plot_(new PlotView(theme, this)),
      again_(new QPushButton(this)),
      close_(new QPushButton(this)) {
    setObjectName(QStringLiteral("guardDemoDialog"));
    build();
    connect(&demo_, &GuardDemo::changed, this, &GuardDemoDialog::updateContent);
    connect(again_, &QPushButton::clicked, &demo_, &GuardDemo::start);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(&clock_, &QTimer::timeout, this, &GuardDemoDialog::play);
    inEveryLanguage(this, [this] { retranslate(); });
    resize(1000, 640);
    demo_.start();
}

void GuardDemoDialog::build() {
    title_->setProperty("type", "title");
    sentence_->setObjectName(QStringLiteral("guardDemoCauseLabel"));
    sentence_->setWordWrap(true);
    plot_->setObjectName(QStringLiteral("guardDemoPlot"));
    plot_->setFixedHeight(kPlotHeight);
    again_->setObjectName(QStringLiteral("guardDemoAgainButton"));
    again_->setAutoDefault(false);
    close_->setObjectName(QStringLiteral("closeGuardDemoButton"));
    close_->setProperty("role", "primary");
    auto* top = new QHBoxLayout;
    top->addWidget(title_);
    top->addWidget(new HelpButton(theme_, QStringLiteral("precision#guard-demo"), this));
    top->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (const GuardDemoRun run : GuardDemo::kRuns) {
        panes_ << new GuardDemoPane(theme_, demo_, run, this);
        row->addWidget(panes_.back(), 1);
    }
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(again_);
    buttons->addWidget(close_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 16);
    column->setSpacing(12);
    column->addLayout(top);
    column->addWidget(sentence_);
    column->addLayout(row, 1);
    column->addWidget(plot_);
    column->addLayout(buttons);
}

void GuardDemoDialog::retranslate() {
    setWindowTitle(tr("See the Guard in Action"));
    title_->setText(tr("See the guard in action"));
    again_->setText(tr("Run again"));
    close_->setText(tr("Close"));
    updateContent();
}

void GuardDemoDialog::updateContent() {
    const bool done = demo_.state() == GuardDemo::State::done;
    story_.reset();
    if (done)
        story_ = guardDemoStory(*demo_.result(GuardDemoRun::unguarded), *demo_.result(GuardDemoRun::guarded),
                                *demo_.result(GuardDemoRun::reference));
    for (GuardDemoPane* pane : std::as_const(panes_)) pane->showRun(story_ ? &*story_ : nullptr);
    if (story_)
        sentence_->setText(guardDemoCause(*story_));
    else if (demo_.error())
        sentence_->setText(errorText(*demo_.error()).sentence);
    else
        sentence_->setText(tr("Kinescope makes the same video three times. This takes a few seconds."));
    again_->setEnabled(done || demo_.state() == GuardDemo::State::failed);
    plot_->setVisible(done);
    if (done) showPlot();
    const int fps = done ? demo_.result(GuardDemoRun::reference)->fps : 0;
    const bool moves = done && theme_.animationMs() > 0;
    moves ? clock_.start(1000 / std::max(1, fps > 0 ? fps : kDefaultFps)) : clock_.stop();
    if (done && !moves) play();
}

void GuardDemoDialog::showPlot() {
    const QList<QPointF> peaks = peaksOf(*demo_.result(GuardDemoRun::reference));
    plot_->setTitle(tr("Largest value: %1", "op").arg(siteName(story_->site)));
    plot_->setNumSteps(std::max(1, story_->numSteps));
    plot_->setSpec(peakSpec(story_->needed));
    plot_->setSeries(0, peaks);
    const QString limit = tr("fp16 limit %1").arg(QLocale().toString(kFloat16Max, 'f', 0));
    plot_->setValue(QLocale().toString(story_->needed, 'f', 0), ColorRole::error, limit);
}

void GuardDemoDialog::play() {
    ++frame_;
    for (GuardDemoPane* pane : std::as_const(panes_)) pane->setFrame(frame_);
}

}  // namespace kinescope::ui
