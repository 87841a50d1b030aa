#include "ui/panels/ability_line.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "core/api/component_role.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(AbilityLine)
};

const ComponentPolicy* denoiserOf(const Plan& plan) {
    const auto found = std::ranges::find_if(
        plan.policy, [](const ComponentPolicy& part) { return role_of(part.component) == ComponentRole::denoiser; });
    return found == plan.policy.end() ? nullptr : &*found;
}

}  // namespace

QString abilityLine(const Plan& plan, const std::vector<DeviceInfo>& devices) {
    const ComponentPolicy* denoiser = denoiserOf(plan);
    if (!denoiser) return {};
    const auto device = std::ranges::find(devices, denoiser->device, &DeviceInfo::id);
    if (device == devices.end()) return {};
    const VideoRequest& request = plan.request;
    const int frames = request.num_frames.value_or(plan.card.default_num_frames);
    const int fps = std::max(1, request.fps.value_or(plan.card.default_fps));
    const QString time = plan.seconds > 0 ? Tr::tr("about %1").arg(formatDuration(plan.seconds))
                                          : Tr::tr("time estimate: after the first video");
    return QStringList{
        QString::fromStdString(device->name),
        dtypeName(denoiser->compute),
        sizeText(Size{request.width.value_or(plan.card.default_size.width),
                      request.height.value_or(plan.card.default_size.height)}),
        Tr::tr("%1 frames (%2)").arg(countText(frames), formatClipLength(static_cast<double>(frames) / fps)),
        Tr::tr("%1 of %2 memory").arg(bytesText(plan.peak_memory_bytes), bytesText(device->memory_total_bytes)),
        time}
        .join(QStringLiteral(" · "));
}

}  // namespace kinescope::ui
