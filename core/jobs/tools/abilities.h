#pragma once

#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/jobs/plan/timings.h"
#include "core/jobs/prepare.h"

namespace kinescope {

/// Returns what a device can do with each model: the plan with the preset "auto". Omits models that cannot be planned,
/// for example because a part is missing. `options` are those of a survey.
std::vector<DeviceAbility> abilities_of(const std::string& device, const std::vector<ModelCard>& models,
                                        const PrepareOptions& options, const Timings& timings);

}  // namespace kinescope
