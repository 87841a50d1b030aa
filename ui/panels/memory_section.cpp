#include "ui/panels/memory_section.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/error_message.h"
#include "ui/text/message_form.h"
#include "ui/text/site_name.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMemoryGap = 12;
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double kMaxGibibytes = 4096;
constexpr double kMinShownLimit = 0.1;  ///< GiB; a smaller limit would be rounded to 0, which means "Automatic"

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
    for (MemoryPart& part : parts) part.amount = bytesText(part.bytes);
    return parts;
}

/// Explains why less memory is free than the system reports. Empty if no limit applies.
QString limitText(const LocalizableMessage& limit) {
    const QString bytes = bytesText(valueOf(limit, "limit").toLongLong());
    const QString used = bytesText(valueOf(limit, "used").toLongLong());
    if (limit.code == "cgroup_limit")
        return filled(MemorySection::tr("Control group %1 is limited to %2; %3 in use."),
                      {valueOf(limit, "group"), bytes, used});
    if (limit.code == "address_space_limit")
        return MemorySection::tr("The address space is limited to %1 (ulimit -v); %2 in use.").arg(bytes, used);
    if (limit.code == "data_segment_limit")
        return MemorySection::tr("The data segment is limited to %1 (ulimit -d); %2 in use.").arg(bytes, used);
    return QString::fromStdString(limit.text);
}

}  // namespace

MemorySection::MemorySection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      bar_(new MemoryBar(theme, this)),
      foldedBar_(new MemoryBar(theme, this)),
      line_(new QLabel(this)),
      limit_(new DecimalSpin("maxMemorySpin", {})),
      offload_(new QComboBox(this)),
      tiling_(new QCheckBox(this)) {
    setObjectName(QStringLiteral("memorySection"));
    bar_->setObjectName(QStringLiteral("memoryBar"));
    foldedBar_->setObjectName(QStringLiteral("memoryFoldedBar"));
    foldedBar_->setLegend(MemoryBar::Legend::hidden);
    line_->setObjectName(QStringLiteral("memoryLine"));
    line_->setProperty("type", "caption");
    line_->setWordWrap(true);
    buildFields(theme);
    header()->addWidget(new HelpButton(theme, QStringLiteral("memory#memory-plan"), this));
    setFoldedWidget(foldedBar_);
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void MemorySection::buildFields(const Theme& theme) {
    limit_->setRange(0, kMaxGibibytes);
    limit_->setSingleStep(1);
    offload_->setObjectName(QStringLiteral("offloadCombo"));
    for (const OffloadMode mode : {OffloadMode::automatic, OffloadMode::blocks, OffloadMode::none})
        offload_->addItem(QString(), static_cast<int>(mode));
    tiling_->setObjectName(QStringLiteral("vaeTilingCheck"));
    tiling_->hide();
    limitField_ = new FormField(theme, model_, "max_memory", limit_, this);
    offloadField_ = new FormField(theme, model_, "offload", offload_, this);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kMemoryGap);
    grid->setVerticalSpacing(kMemoryGap);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->addWidget(limitField_, 0, 0);
    grid->addWidget(offloadField_, 0, 1);
    grid->addWidget(tiling_, 1, 0, 1, 2);
    body()->addWidget(bar_);
    body()->addWidget(line_);
    body()->addLayout(grid);
}

/// Connects the fields. Stores default values as unset, so that the request stays equal to the original.
void MemorySection::wire() {
    connect(limit_, &QDoubleSpinBox::valueChanged, this, [this](double gibibytes) {
        model_.edit([=](VideoRequest& request) {
            request.max_memory_bytes.reset();
            if (gibibytes > 0) request.max_memory_bytes = std::llround(gibibytes * kGibibyte);
        });
    });
    connect(offload_, &QComboBox::activated, this, [this](int index) {
        const auto mode = static_cast<OffloadMode>(offload_->itemData(index).toInt());
        model_.edit([mode](VideoRequest& request) { request.offload = mode; });
    });
    connect(tiling_, &QCheckBox::toggled, this, [this](bool tiled) {
        model_.edit(
            [tiled](VideoRequest& request) { request.vae_tiling = tiled ? std::optional<bool>(true) : std::nullopt; });
    });
    connect(&model_, &RequestModel::planChanged, this, &MemorySection::showPlan);
    connect(&model_, &RequestModel::cardChanged, this, &MemorySection::showPlan);
    connect(&model_, &RequestModel::cardChanged, this, &MemorySection::showRequest);
    connect(&model_, &RequestModel::requestChanged, this, &MemorySection::showRequest);
}

void MemorySection::retranslate() {
    setTitle(tr("Memory plan"));
    bar_->setAccessibleName(tr("Memory plan"));
    foldedBar_->setAccessibleName(tr("Memory plan"));
    limitField_->setLabel(tr("Memory limit"));
    offloadField_->setLabel(tr("Stream blocks"));
    limit_->setSpecialValueText(tr("Automatic"));
    limit_->setSuffix(tr(" GiB"));
    limit_->setToolTip(
        tr("Limits graphics memory, or system memory if the CPU computes. Blocks that do not fit are streamed. "
           "Automatic: uses the memory that is free when the run starts."));
    offload_->setItemText(0, tr("Automatic"));
    offload_->setItemText(1, tr("Always"));
    offload_->setItemText(2, tr("Never"));
    offload_->setToolTip(
        tr("Loads each block while the previous one computes. Needs less memory and gives identical results, but is "
           "often slower. Automatic: streams only the blocks that do not fit."));
    tiling_->setText(tr("Decode in tiles"));
    tiling_->setAccessibleName(tiling_->text());
    tiling_->setToolTip(tr("Decodes the frames in overlapping tiles. Needs less memory; pixels change slightly."));
    showPlan();
    showRequest();
}

void MemorySection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest& now = model_.request();
    const double gibibytes = static_cast<double>(now.max_memory_bytes.value_or(0)) / kGibibyte;
    setQuietly(limit_, now.max_memory_bytes ? std::max(kMinShownLimit, gibibytes) : 0);
    // Components are always loaded one at a time, so OffloadMode::components means only that no blocks are streamed.
    const OffloadMode shown = now.offload == OffloadMode::components ? OffloadMode::none : now.offload;
    offload_->setCurrentIndex(offload_->findData(static_cast<int>(shown)));
    const QSignalBlocker quiet(tiling_);
    tiling_->setChecked(now.vae_tiling.value_or(false));
    tiling_->setVisible(model_.card().offers_vae_tiling);
    showLimitError();
}

void MemorySection::showLimitError() {
    const auto& error = model_.planError();
    const auto limit = model_.request().max_memory_bytes;
    if (model_.faultOf("max_memory")) return;
    if (!error || error->code() != ErrorCode::out_of_memory || !limit) return limitField_->message()->clear();
    const qint64 bytes = errorArgument(*error, "needed").toLongLong();
    // If the limit is now sufficient, the error belongs to the plan for an earlier, lower limit.
    if (bytes > 0 && bytes <= *limit) return limitField_->message()->clear();
    limitField_->message()->setMessage(Severity::error, bytes > 0 ? tr("Needs at least %1.").arg(bytesText(bytes))
                                                                  : tr("The memory limit is too low."));
}

void MemorySection::showPlan() {
    line_->hide();
    showLimitError();
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
    const QString used = tr("%1 of %2").arg(bytesText(plan.peak_memory_bytes), bytesText(plan.free_memory_bytes));
    const auto& limit = model_.request().max_memory_bytes;
    setValue(limit ? tr("%1, limit %2").arg(bytesText(plan.peak_memory_bytes), bytesText(*limit)) : used);
    QStringList remarks;
    if (plan.peak_memory_bytes > plan.free_memory_bytes)
        remarks << tr("Needs %1, but only %2 is free.")
                       .arg(bytesText(plan.peak_memory_bytes), bytesText(plan.free_memory_bytes));
    if (!plan.free_memory_limit.empty()) remarks << limitText(plan.free_memory_limit);
    line_->setText(remarks.join(QLatin1Char(' ')));
    line_->setVisible(!remarks.isEmpty());
}

}  // namespace kinescope::ui
