#include "ui/panels/precision_section.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/panels/precision_rows.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

const ComponentPolicy* denoiserOf(const PolicySummary& policy) {
    const auto found = std::find_if(policy.begin(), policy.end(),
                                    [](const ComponentPolicy& part) { return part.component == "transformer"; });
    return found == policy.end() ? nullptr : &*found;
}

/// Names the storage type if it differs from the compute type.
QString dtypesOf(const ComponentPolicy& part) {
    if (part.storage == part.compute) return dtypeName(part.compute);
    return PrecisionSection::tr("%1 weights, computes in %2").arg(dtypeName(part.storage), dtypeName(part.compute));
}

/// Mentions half-precision sums, which only the user can enable.
QString resultOf(const ComponentPolicy& part) {
    if (part.accumulation == "float32") return dtypesOf(part);
    return PrecisionSection::tr("%1, half-precision sums").arg(dtypesOf(part));
}

}  // namespace

PrecisionSection::PrecisionSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent), model_(model), result_(new QLabel(this)), reason_(new QLabel(this)) {
    setObjectName(QStringLiteral("precisionSection"));
    result_->setObjectName(QStringLiteral("precisionLabel"));
    reason_->setObjectName(QStringLiteral("precisionReasonLabel"));
    reason_->setProperty("type", "caption");
    reason_->setWordWrap(true);
    header()->addWidget(new HelpButton(theme, QStringLiteral("precision"), this));
    body()->setSpacing(2);
    body()->addWidget(result_);
    body()->addWidget(reason_);
    connect(&model_, &RequestModel::planChanged, this, &PrecisionSection::showPlan);
    connect(&model_, &RequestModel::cardChanged, this, &PrecisionSection::showPlan);
    inEveryLanguage(this, [this] {
        setTitle(tr("Precision"));
        showPlan();
    });
}

void PrecisionSection::showPlan() {
    const ComponentPolicy* part = model_.plan() ? denoiserOf(model_.plan()->policy) : nullptr;
    if (!part) {
        setValue({});
        result_->setText(tr("Selected during planning"));
        reason_->clear();
        return;
    }
    const QString compute = dtypeName(part->compute);
    setValue(part->requested == "auto" ? tr("Auto: %1").arg(compute) : compute);
    result_->setText(resultOf(*part));
    reason_->setText(asSentence(reasonOf(*part)));
    reason_->setToolTip(QString::fromStdString(part->reason));
}

}  // namespace kinescope::ui
