#include "ui/windows/gpu_support_strip.h"

#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"

namespace kinescope::ui {
namespace {

Severity severityOf(GpuSupportNotice::Severity severity) {
    switch (severity) {
        case GpuSupportNotice::Severity::info:
            return Severity::info;
        case GpuSupportNotice::Severity::ok:
            return Severity::ok;
        case GpuSupportNotice::Severity::warning:
            return Severity::warning;
        case GpuSupportNotice::Severity::error:
            break;
    }
    return Severity::error;
}

/// Maps all phases of a download to one, so that a closed strip stays closed until the download ends.
GpuSupportPhase stageOf(GpuSupportPhase phase) {
    const bool busy = phase == GpuSupportPhase::starting || phase == GpuSupportPhase::unpacking;
    return busy ? GpuSupportPhase::downloading : phase;
}

bool isOffer(GpuSupportPhase phase) {
    return phase == GpuSupportPhase::offered || phase == GpuSupportPhase::driverTooOld;
}

}  // namespace

GpuSupportStrip::GpuSupportStrip(NoticeStrip& strip, GpuSupportModel& model, QObject* parent)
    : QObject(parent), strip_(strip), model_(model) {
    connect(&strip_, &NoticeStrip::actionTriggered, this, &GpuSupportStrip::act);
    connect(&strip_, &NoticeStrip::dismissed, this, [this] {
        closedIn_ = stageOf(model_.facts().phase);
        if (isOffer(closedIn_)) Q_EMIT declined(QString::fromStdString(model_.facts().setup.card));
    });
    connect(&model_, &GpuSupportModel::changed, this, &GpuSupportStrip::update);
    inEveryLanguage(&strip_, [this] { update(); });
}

void GpuSupportStrip::setDeclinedCard(const QString& card) {
    declinedCard_ = card;
    update();
}

bool GpuSupportStrip::isDeclined() const {
    const GpuSupportFacts& facts = model_.facts();
    return isOffer(facts.phase) && declinedCard_ == QString::fromStdString(facts.setup.card);
}

void GpuSupportStrip::update() {
    const GpuSupportFacts& facts = model_.facts();
    if (facts.phase == GpuSupportPhase::hidden || stageOf(facts.phase) == closedIn_ || isDeclined())
        return strip_.clear();
    closedIn_ = GpuSupportPhase::hidden;
    const GpuSupportNotice notice = gpuSupportNotice(facts);
    strip_.setNotice(severityOf(notice.severity), notice.lead, notice.text, notice.button);
    strip_.setProgress(facts.share());
    strip_.setToolTip(notice.detail);
}

void GpuSupportStrip::act() {
    if (model_.facts().phase == GpuSupportPhase::hidden) return;
    switch (gpuSupportNotice(model_.facts()).action) {
        case GpuSupportNotice::Action::none:
            break;
        case GpuSupportNotice::Action::start:
            return model_.start();
        case GpuSupportNotice::Action::pause:
            return model_.pause();
        case GpuSupportNotice::Action::restart:
            Q_EMIT restartRequested();
    }
}

}  // namespace kinescope::ui
