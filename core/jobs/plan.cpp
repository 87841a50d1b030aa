#include "core/jobs/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/device/device_capability.h"
#include "core/jobs/prepare.h"

namespace kinescope {

namespace {

/// Weights that keep their stored dtype on the CPU stay views of the mapped file; others are converted once.
std::int64_t weight_bytes(const VideoJob& job, const std::string& component, const Precision& precision) {
    std::int64_t bytes = 0;
    const auto weights = job.files.open_weights(component);
    for (const TensorEntry& entry : weights->entries()) {
        const auto count = entry.bytes / static_cast<std::int64_t>(c10::elementSize(entry.dtype));
        bytes += count * static_cast<std::int64_t>(c10::elementSize(precision.storage));
    }
    return bytes;
}

PhasePlan phase_plan(Phase phase, std::vector<std::pair<std::string, std::int64_t>> parts) {
    PhasePlan plan{.phase = phase, .parts = std::move(parts)};
    for (const auto& [name, bytes] : plan.parts) plan.memory_bytes += bytes;
    return plan;
}

std::int64_t latent_bytes(const VideoJob& job) {
    const auto shape = job.family->latents_shape(job.files, job.request);
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{4}, std::multiplies<>());
}

std::int64_t free_memory_bytes(const VideoJob& job) {
    const std::string device = job.policy.device().str();
    for (const DeviceCapability& capability : query_devices()) {
        if (device_id(capability) == device) return capability.memory_free_bytes;
    }
    return 0;
}

}  // namespace

Plan make_plan(const VideoJob& job, const Timings& timings) {
    // The scheduler keeps the sample, two predictions and the last sample; guidance adds two more predictions.
    const std::int64_t latents = 6 * latent_bytes(job);
    const std::int64_t chunk_bytes = std::int64_t{4} * 3 * sizeof(float) * *job.request.width * *job.request.height;
    Plan plan{.request = job.request, .card = job.card, .policy = job.policy_summary};
    plan.phases = {
        phase_plan(Phase::encode, {{"text_encoder", weight_bytes(job, "text_encoder", job.policy.at("text_encoder"))}}),
        phase_plan(Phase::denoise, {{"transformer", weight_bytes(job, "transformer", job.policy.at("transformer"))},
                                    {"latents", latents}}),
        phase_plan(
            Phase::decode,
            {{"vae", weight_bytes(job, "vae", job.policy.at("vae"))}, {"latents", latents}, {"frames", chunk_bytes}})};
    for (const PhasePlan& phase : plan.phases)
        plan.peak_memory_bytes = std::max(plan.peak_memory_bytes, phase.memory_bytes);
    plan.free_memory_bytes = free_memory_bytes(job);
    plan.notes.emplace_back(
        "Memory counts weights, latents and one decoded chunk; activations inside a block are not counted yet.");
    const auto seconds = timings.estimate(job.request, job.policy.device().str());
    for (PhasePlan& phase : plan.phases) {
        const auto known = seconds.find(phase.phase);
        if (known != seconds.end()) phase.seconds = known->second;
    }
    for (const auto& [phase, value] : seconds) plan.seconds += value;
    if (seconds.empty()) plan.notes.emplace_back("The time is known after the first run of this model on this device.");
    if (plan.peak_memory_bytes > plan.free_memory_bytes)
        plan.notes.emplace_back("This needs more memory than is free now.");
    return plan;
}

}  // namespace kinescope
