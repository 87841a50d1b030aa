#include "ui/models/gpu_support_model.h"

namespace kinescope::ui {
namespace {

GpuSupportPhase phaseOf(const GpuSetup& setup) {
    switch (setup.need) {
        case GpuNeed::nothing:
            return GpuSupportPhase::hidden;
        case GpuNeed::newer_driver:
            return GpuSupportPhase::driverTooOld;
        case GpuNeed::download:
            return setup.bytes_to_download < setup.download_bytes ? GpuSupportPhase::paused : GpuSupportPhase::offered;
        case GpuNeed::restart:
            return GpuSupportPhase::installed;
    }
    return GpuSupportPhase::hidden;
}

}  // namespace

bool GpuSupportFacts::isBusy() const {
    return phase == GpuSupportPhase::starting || phase == GpuSupportPhase::downloading ||
           phase == GpuSupportPhase::unpacking;
}

std::optional<double> GpuSupportFacts::share() const {
    if ((!isBusy() && phase != GpuSupportPhase::paused) || setup.download_bytes <= 0) return std::nullopt;
    return static_cast<double>(received) / static_cast<double>(setup.download_bytes);
}

GpuSupportModel::GpuSupportModel(EngineBridge& bridge, QObject* parent) : QObject(parent), installer_(bridge) {
    connect(&installer_, &EngineInstaller::setupFound, this, &GpuSupportModel::showSetup);
    connect(&installer_, &EngineInstaller::progressed, this, &GpuSupportModel::showProgress);
    connect(&installer_, &EngineInstaller::installed, &installer_, &EngineInstaller::askSetup);
    connect(&installer_, &EngineInstaller::failed, this, [this](const Error& error) {
        facts_.fault = error;
        enter(GpuSupportPhase::failed);
    });
    installer_.askSetup();
}

void GpuSupportModel::start() {
    if (facts_.isBusy()) return;
    facts_.fault.reset();
    rate_.reset();
    installer_.install();
    enter(GpuSupportPhase::starting);
}

void GpuSupportModel::pause() {
    if (!facts_.isBusy()) return;
    installer_.stop();
    enter(GpuSupportPhase::paused);
}

void GpuSupportModel::showSetup(const GpuSetup& setup) {
    facts_.setup = setup;
    facts_.received = setup.download_bytes - setup.bytes_to_download;
    if (!installer_.isRunning()) enter(phaseOf(setup));
}

void GpuSupportModel::showProgress(const GpuSupportProgress& progress) {
    facts_.received = progress.downloaded;
    const bool unpacks = progress.step == GpuSupportStep::unpack;
    unpacks ? rate_.interrupt() : rate_.measure(progress.downloaded);
    enter(unpacks ? GpuSupportPhase::unpacking : GpuSupportPhase::downloading);
}

void GpuSupportModel::enter(GpuSupportPhase phase) {
    facts_.phase = phase;
    facts_.bytesPerSecond = phase == GpuSupportPhase::downloading ? rate_.bytesPerSecond() : 0;
    Q_EMIT changed();
}

}  // namespace kinescope::ui
