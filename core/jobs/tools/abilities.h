#pragma once

#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/jobs/plan/timings.h"
#include "core/jobs/prepare.h"

namespace kinescope {

/// What a device can do with each model: the plan of the preset "auto". Models that cannot be planned, because a part
/// is missing for example, are left out. `options` are those of a survey.
std::vector<DeviceAbility> abilities_of(const std::string& device, const std::vector<ModelCard>& models,
                                        const PrepareOptions& options, const Timings& timings);

}  // namespace kinescope
