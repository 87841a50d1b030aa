#include "ui/panels/compare_plots.h"

#include <QHBoxLayout>
#include <QLocale>
#include <algorithm>

#include "ui/text/site_name.h"
#include "ui/widgets/language.h"
#include "ui/widgets/plots/heat_map.h"
#include "ui/widgets/plots/histogram.h"
#include "ui/widgets/plots/step_cursor.h"

namespace kinescope::ui {
namespace {

constexpr double kFloatBits = 24;
constexpr int kPlotHeight = 150;

}  // namespace

ComparePlots::ComparePlots(const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      cursor_(new StepCursor(this)),
      map_(new HeatMap(theme, this)),
      latents_(new Histogram(theme, this)) {
    setObjectName(QStringLiteral("comparePlotsPanel"));
    map_->setObjectName(QStringLiteral("compareHeatMap"));
    map_->setCursorModel(cursor_);
    map_->setMinimumHeight(kPlotHeight);
    map_->setScale(0, kFloatBits);
    map_->setHelp(QStringLiteral("library#compare"));
    latents_->setObjectName(QStringLiteral("compareHistogram"));
    latents_->setHelp(QStringLiteral("numbers#latents"));
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(map_, 3);
    row->addWidget(latents_, 2);
    body()->addLayout(row);
    connect(cursor_, &StepCursor::stepChanged, this, &ComparePlots::showLatents);
    map_->setDescriber([this](int block, int step) {
        for (const BlockDifference& cell : differences_.cells) {
            if (cell.block != block || cell.step != step - 1) continue;
            const QString far = QLocale().toString(cell.relative, 'g', 3);
            return CellTip{tr("Step %1 · %2").arg(step).arg(siteName(cell.site.toStdString())),
                           {},
                           cell.relative > 0 ? tr("relative difference: %1").arg(far) : tr("no difference")};
        }
        const bool other_size = differences_.otherSize.contains(BlockStep{block, step - 1});
        return CellTip{tr("Step %1").arg(step),
                       {},
                       other_size ? tr("the tensors differ in size") : tr("not measured in both runs")};
    });
    inEveryLanguage(this, [this] { retranslate(); });
    clear();
}

void ComparePlots::retranslate() {
    map_->setTitle(tr("Difference per block"));
    map_->setUnit(tr("%1 matching bits"));
    latents_->setTitle(tr("Latents: A as bars, B as a line"));
    showLatents();
}

void ComparePlots::clear() {
    showDifferences({});
}

void ComparePlots::showDifferences(const LogDifferences& differences) {
    differences_ = differences;
    setVisible(!differences.cells.isEmpty());
    cursor_->release();
    map_->setGrid(static_cast<int>(differences.blocks.size()), std::max(1, differences.numSteps));
    for (const BlockDifference& cell : differences.cells)
        map_->setHeadroom(cell.block, cell.step + 1, sharedBits(cell.relative));
    QList<QPoint> hatched;
    for (const BlockStep& cell : differences.otherSize) hatched << QPoint(cell.step + 1, cell.block);
    map_->setHatched(hatched);
    showLatents();
}

/// Shows the latents after the step under the cursor or, without a cursor, after the last step.
void ComparePlots::showLatents() {
    const QList<LatentsPair>& steps = differences_.latents;
    const qsizetype step = cursor_->step() > 0 ? cursor_->step() - 1 : steps.size() - 1;
    const LatentsPair pair = steps.value(step);
    latents_->setCounts(pair.a, pair.low, pair.high);
    latents_->setSecond(pair.b);
    latents_->setVisible(!pair.a.isEmpty());
}

}  // namespace kinescope::ui
