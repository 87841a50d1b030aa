#include "core/jobs/tools/abilities.h"

#include "core/device/dtype.h"
#include "core/jobs/plan/plan.h"

namespace kinescope {

namespace {

DeviceAbility ability_of(const VideoRequest& request, const PrepareOptions& options, const Timings& timings) {
    const PreparedRun job = prepare_job(request, options);
    const Plan plan = make_plan(job, timings);
    return {.id = plan.card.id,
            .model = display_name(plan.card),
            .precision = dtype_name(job.policy.denoiser().compute),
            .size = {job.request.content.width, job.request.content.height},
            .num_frames = job.request.content.num_frames,
            .fps = job.request.content.fps,
            .memory_bytes = plan.peak_memory_bytes,
            .seconds = plan.seconds};
}

}  // namespace

std::vector<DeviceAbility> abilities_of(const std::string& device, const std::vector<ModelCard>& models,
                                        const PrepareOptions& options, const Timings& timings) {
    std::vector<DeviceAbility> rows;
    for (const ModelCard& model : models) {
        VideoRequest request;
        request.model = model.id;
        request.device = device;
        request.preset = "auto";
        try {
            rows.push_back(ability_of(request, options, timings));
        } catch (const Error&) {
            continue;  // `inspect` says what is wrong with the model
        }
    }
    return rows;
}

}  // namespace kinescope
