#include "core/jobs/plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/api/byte_size.h"
#include "core/device/device_capability.h"
#include "core/jobs/prepare.h"

namespace kinescope {

namespace {

/// What a component's weights take in the dtype that they are kept in, and how much of it at once.
struct WeightBytes {
    std::int64_t all = 0;
    std::int64_t resident = 0;
};

/// Weights that keep their stored dtype on the CPU stay views of the mapped file; others are converted once.
WeightBytes weight_bytes(const VideoJob& job, const std::string& component) {
    WeightBytes bytes;
    const auto storage = static_cast<std::int64_t>(c10::elementSize(job.policy.at(component).storage));
    const auto weights = job.files.open_weights(component);
    const auto& precision = job.policy.at(component);
    for (const TensorEntry& entry : weights->entries()) {
        const bool kept = is_quantised(entry) && precision.quantized == QuantizedWeights::keep;
        bytes.all += kept ? entry.bytes : entry.numel() * storage;
    }
    bytes.resident = job.family->resident_bytes(job.files, component, bytes.all);
    return bytes;
}

using Parts = std::vector<std::pair<std::string, std::int64_t>>;

PhasePlan phase_plan(Phase phase, Parts parts) {
    PhasePlan plan{.phase = phase, .parts = std::move(parts)};
    for (const auto& [name, bytes] : plan.parts) plan.memory_bytes += bytes;
    return plan;
}

/// Encoders run one after the other, each gone before the next is loaded: the largest counts.
PhasePlan encode_plan(const VideoJob& job) {
    PhasePlan plan{.phase = Phase::encode};
    for (const auto& [name, choice] : job.policy.components) {
        if (!name.starts_with("text_encoder") && name != "image_encoder") continue;
        plan.parts.emplace_back(name, weight_bytes(job, name).resident);
        plan.memory_bytes = std::max(plan.memory_bytes, plan.parts.back().second);
    }
    return plan;
}

/// Of several experts only the one that works is in memory: the largest counts.
PhasePlan denoise_plan(const VideoJob& job, std::int64_t latents) {
    PhasePlan plan{.phase = Phase::denoise};
    for (const auto& [name, choice] : job.policy.components) {
        if (!name.starts_with(job.policy.denoiser_name())) continue;
        plan.parts.emplace_back(name, weight_bytes(job, name).resident);
        plan.memory_bytes = std::max(plan.memory_bytes, plan.parts.back().second);
    }
    plan.parts.emplace_back("latents", latents);
    plan.memory_bytes += latents;
    return plan;
}

/// One sentence for each component that is never whole in memory.
std::vector<std::string> layer_notes(const VideoJob& job) {
    std::vector<std::string> notes;
    for (const auto& [name, choice] : job.policy.components) {
        const auto bytes = weight_bytes(job, name);
        if (bytes.resident < bytes.all)
            notes.push_back("The " + name + " runs layer by layer: " + format_byte_size(bytes.resident) + " of its " +
                            format_byte_size(bytes.all) + " are in memory at once.");
    }
    return notes;
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
    const std::int64_t chunk_bytes =
        std::int64_t{job.family->chunk_frames()} * 3 * sizeof(float) * *job.request.width * *job.request.height;
    Plan plan{.request = job.request, .card = job.card, .policy = job.policy_summary, .notes = job.notes};
    plan.phases = {
        encode_plan(job), denoise_plan(job, latents),
        phase_plan(Phase::decode,
                   {{"vae", weight_bytes(job, "vae").resident}, {"latents", latents}, {"frames", chunk_bytes}})};
    for (const PhasePlan& phase : plan.phases)
        plan.peak_memory_bytes = std::max(plan.peak_memory_bytes, phase.memory_bytes);
    plan.free_memory_bytes = free_memory_bytes(job);
    plan.notes.emplace_back(
        "Memory counts weights, latents and one decoded chunk; activations inside a block are not counted yet.");
    std::ranges::move(layer_notes(job), std::back_inserter(plan.notes));
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
