#include "core/jobs/plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
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

using Parts = std::vector<std::pair<std::string, std::int64_t>>;

/// By component: each file's header is read once.
using WeightTable = std::map<std::string, WeightBytes>;

/// Weights that keep their stored dtype on the CPU stay views of the mapped file; others are converted once.
WeightBytes weight_bytes(const VideoJob& job, const std::string& component, const Precision& precision) {
    WeightBytes bytes;
    const auto storage = static_cast<std::int64_t>(c10::elementSize(precision.storage));
    const auto weights = job.files.open_weights(component);
    for (const TensorEntry& entry : weights->entries()) {
        const bool kept = is_quantised(entry) && precision.quantized == QuantizedWeights::keep;
        bytes.all += kept ? entry.bytes : entry.numel() * storage;
    }
    bytes.resident = job.family->resident_bytes(job.files, component, bytes.all);
    return bytes;
}

WeightTable weight_table(const VideoJob& job) {
    WeightTable table;
    for (const auto& [name, choice] : job.policy.components) table[name] = weight_bytes(job, name, choice.precision);
    return table;
}

bool is_encoder(const std::string& component) {
    return component.starts_with("text_encoder") || component == "image_encoder";
}

/// Components that come one after the other, each gone before the next is loaded: the largest counts. The rest of the
/// phase's memory is there all the time.
template <class Belongs>
PhasePlan phase_plan(Phase phase, const WeightTable& table, const Belongs& belongs, const Parts& rest) {
    PhasePlan plan{.phase = phase};
    for (const auto& [name, bytes] : table) {
        if (!belongs(name)) continue;
        plan.parts.emplace_back(name, bytes.resident);
        plan.memory_bytes = std::max(plan.memory_bytes, bytes.resident);
    }
    for (const auto& part : rest) {
        plan.memory_bytes += part.second;
        plan.parts.push_back(part);
    }
    return plan;
}

/// One sentence for each component that is never whole in memory.
std::vector<std::string> layer_notes(const WeightTable& table) {
    std::vector<std::string> notes;
    for (const auto& [name, bytes] : table) {
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
    const WeightTable weights = weight_table(job);
    const auto denoiser = job.policy.denoiser_name();
    const auto is_denoiser = [&](const std::string& name) { return name.starts_with(denoiser); };
    const auto is_vae = [](const std::string& name) { return name == "vae"; };
    plan.phases = {phase_plan(Phase::encode, weights, is_encoder, {}),
                   phase_plan(Phase::denoise, weights, is_denoiser, {{"latents", latents}}),
                   phase_plan(Phase::decode, weights, is_vae, {{"latents", latents}, {"frames", chunk_bytes}})};
    for (const PhasePlan& phase : plan.phases)
        plan.peak_memory_bytes = std::max(plan.peak_memory_bytes, phase.memory_bytes);
    plan.free_memory_bytes = free_memory_bytes(job);
    plan.notes.emplace_back(
        "Memory counts weights, latents and one decoded chunk; activations inside a block are not counted yet.");
    std::ranges::move(layer_notes(weights), std::back_inserter(plan.notes));
    const auto seconds = timings.estimate(job.request, job.policy.device().str());
    for (PhasePlan& phase : plan.phases) {
        const auto known = seconds.find(phase.phase);
        if (known != seconds.end()) phase.seconds = known->second;
    }
    for (const auto& [phase, value] : seconds) plan.seconds += value;
    if (seconds.empty()) plan.notes.emplace_back("The time is known after a first run of about this size on this device.");
    if (plan.peak_memory_bytes > plan.free_memory_bytes)
        plan.notes.emplace_back("This needs more memory than is free now.");
    return plan;
}

}  // namespace kinescope
