#include "ui/panels/memory_section.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/models/site_name.h"
#include "ui/widgets/language.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

const PhasePlan* tightest(const Plan& plan) {
    const auto most =
        std::max_element(plan.phases.begin(), plan.phases.end(),
                         [](const PhasePlan& a, const PhasePlan& b) { return a.memory_bytes < b.memory_bytes; });
    return most == plan.phases.end() ? nullptr : &*most;
}

QList<MemoryPart> partsOf(const Plan& plan) {
    QList<MemoryPart> parts;
    std::int64_t named = 0;
    const PhasePlan* phase = tightest(plan);
    if (phase) {
        for (const auto& [name, bytes] : phase->parts) {
            parts.append({memoryPartName(name), bytes, static_cast<int>(parts.size())});
            named += bytes;
        }
    }
    if (plan.peak_memory_bytes > named) {
        const QString rest = parts.isEmpty() ? MemorySection::tr("Used") : MemorySection::tr("Other");
        parts.append({rest, plan.peak_memory_bytes - named, static_cast<int>(parts.size())});
    }
    if (plan.free_memory_bytes > plan.peak_memory_bytes) {
        parts.append({MemorySection::tr("Free"), plan.free_memory_bytes - plan.peak_memory_bytes, kFreeMemory});
    }
    return parts;
}

}  // namespace

MemorySection::MemorySection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      bar_(new MemoryBar(theme, this)),
      foldedBar_(new MemoryBar(theme, this)),
      line_(new QLabel(this)) {
    setObjectName(QStringLiteral("memorySection"));
    bar_->setObjectName(QStringLiteral("memoryBar"));
    foldedBar_->setObjectName(QStringLiteral("memoryFoldedBar"));
    foldedBar_->setLegend(MemoryBar::Legend::hidden);
    line_->setProperty("type", "caption");
    line_->setWordWrap(true);
    body()->addWidget(bar_);
    body()->addWidget(line_);
    setFoldedWidget(foldedBar_);
    connect(&model_, &RequestModel::planChanged, this, &MemorySection::showPlan);
    connect(&model_, &RequestModel::cardChanged, this, &MemorySection::showPlan);
    inEveryLanguage(this, [this] {
        setTitle(tr("Memory plan"));
        bar_->setAccessibleName(tr("Memory plan"));
        foldedBar_->setAccessibleName(tr("Memory plan"));
        showPlan();
    });
}

void MemorySection::showPlan() {
    line_->hide();
    if (!model_.plan()) {
        setValue({});
        bar_->setParts({}, 0);
        foldedBar_->setParts({}, 0);
        return;
    }
    const Plan& plan = *model_.plan();
    const std::int64_t total = std::max(plan.free_memory_bytes, plan.peak_memory_bytes);
    const QList<MemoryPart> parts = partsOf(plan);
    bar_->setParts(parts, total);
    foldedBar_->setParts(parts, total);
    setValue(tr("%1 of %2").arg(formatMemory(plan.peak_memory_bytes), formatMemory(plan.free_memory_bytes)));
    if (plan.peak_memory_bytes > plan.free_memory_bytes) {
        line_->setText(tr("Needs %1, %2 are free.")
                           .arg(formatMemory(plan.peak_memory_bytes), formatMemory(plan.free_memory_bytes)));
        line_->show();
    }
}

}  // namespace kinescope::ui
