#include "core/jobs/idle_wishes.h"

#include <algorithm>

namespace kinescope {

namespace {

bool is_guided(const VideoRequest& resolved) {
    return resolved.guidance_scale.value_or(1) > 1 || resolved.guidance_scale_2.value_or(1) > 1 ||
           resolved.max_guidance_scale.value_or(1) > 1;
}

bool has_interval(const VideoRequest& resolved) {
    return resolved.guidance_start.value_or(0) > 0 || resolved.guidance_stop.value_or(1) < 1;
}

}  // namespace

std::vector<std::string> idle_wishes(const VideoJob& job) {
    std::vector<std::string> notes;
    if (has_interval(job.request) && !is_guided(job.request))
        notes.emplace_back(
            "guidance_start and guidance_stop change nothing: up to a guidance_scale of 1 no step is guided, and the "
            "model is asked once in each");
    const auto denoiser =
        std::ranges::find(job.policy_summary, job.policy.denoiser_name(), &ComponentPolicy::component);
    if (denoiser == job.policy_summary.end()) return notes;
    if (job.request.storage == "gguf" && !denoiser->stored.starts_with("gguf"))
        notes.push_back("storage gguf changes nothing: the denoiser's file holds " + denoiser->stored +
                        " and no blocks of GGUF; in memory it is " + denoiser->storage);
    if (job.request.storage == "int8" && denoiser->storage == "int8" && denoiser->device != "cpu")
        notes.push_back("storage int8 is storage only on " + denoiser->device +
                        ": it takes less memory, and no less time");
    return notes;
}

}  // namespace kinescope
