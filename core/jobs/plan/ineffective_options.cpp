#include "core/jobs/plan/ineffective_options.h"

#include <algorithm>

namespace kinescope {

namespace {

bool has_interval(const ResolvedSampling& sampling) {
    return sampling.guidance_start > 0 || sampling.guidance_stop < 1;
}

}  // namespace

std::vector<std::string> ineffective_options(const PreparedRun& job) {
    std::vector<std::string> notes;
    if (has_interval(job.request.sampling) && !is_guided(job.request.sampling))
        notes.emplace_back(
            "guidance_start and guidance_stop have no effect: with a guidance_scale of 1 or less, no step is guided, "
            "so each step evaluates the model once");
    const auto denoiser =
        std::ranges::find(job.policy_summary, job.policy.denoiser_name(), &ComponentPolicy::component);
    if (denoiser == job.policy_summary.end()) return notes;
    if (job.request.compute.storage == "gguf" && !denoiser->stored.starts_with("gguf"))
        notes.push_back("storage gguf has no effect: the denoiser's file contains " + denoiser->stored +
                        ", not GGUF blocks; in memory it is " + denoiser->storage);
    if (job.request.compute.storage == "int8" && denoiser->storage == "int8" && denoiser->device != "cpu")
        notes.push_back("storage int8 saves only memory on " + denoiser->device + "; it does not save time");
    return notes;
}

}  // namespace kinescope
