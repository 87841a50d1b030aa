#include "core/jobs/memory_plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/api/byte_size.h"
#include "core/api/error.h"
#include "core/jobs/open_weights.h"
#include "core/jobs/weight_sizes.h"
#include "core/nn/linear_product.h"

namespace kinescope {

namespace {

/// What LibTorch and the driver keep of a device besides tensors: context, fragments.
constexpr double kUsableShare = 0.94;

/// With so many rows, half the memory is worth what it costs a CPU to widen weights each time, where that is not free:
/// 7 to 12 % of a step with 1280 to 1500 rows (measured), less with more.
constexpr std::int64_t kRowsToWidenFor = 1024;

/// A component's header, read once.
struct Component {
    std::string name;
    std::vector<TensorEntry> entries;
    std::vector<std::string> block_lists;
    std::int64_t rows = 0;
};

Component read_component(const MemoryJob& job, const std::string& name, const Precision& precision) {
    const auto weights = open_or_imagine_weights(job.files, job.family, name);
    const auto memory =
        job.family.memory({.files = job.files, .request = job.request, .component = name, .precision = precision});
    return {.name = name, .entries = weights->entries(), .block_lists = memory.block_lists, .rows = memory.rows};
}

WeightSizes sizes_of(const Component& component, const Precision& precision) {
    return {component.entries, component.block_lists, precision};
}

std::int64_t activation_bytes(const MemoryJob& job, const std::string& component, const Precision& precision) {
    return job.family
        .memory({.files = job.files, .request = job.request, .component = component, .precision = precision})
        .activation_bytes;
}

Phase phase_of(const std::string& component) {
    if (component.starts_with("text_encoder") || component == "image_encoder") return Phase::encode;
    return component == "vae" ? Phase::decode : Phase::denoise;
}

using Parts = std::vector<std::pair<std::string, std::int64_t>>;

/// The scheduler keeps the sample, two predictions and the last sample; guidance adds two more predictions.
constexpr std::int64_t kLatentCopies = 6;

/// What stays through a phase.
Parts lasting_parts(const MemoryJob& job, Phase phase, std::int64_t program_bytes) {
    Parts parts;
    if (program_bytes > 0) parts.emplace_back("program", program_bytes);
    if (phase == Phase::encode) return parts;
    const auto shape = job.family.latents_shape(job.files, job.request);
    parts.emplace_back("latents", kLatentCopies * std::accumulate(shape.begin(), shape.end(),
                                                                  std::int64_t{sizeof(float)}, std::multiplies<>()));
    if (phase == Phase::decode)
        parts.emplace_back("frames", std::int64_t{job.family.chunk_frames()} * 3 * sizeof(float) * *job.request.width *
                                         *job.request.height);
    return parts;
}

std::int64_t sum(const Parts& parts) {
    std::int64_t bytes = 0;
    for (const auto& part : parts) bytes += part.second;
    return bytes;
}

/// Where nobody asked for another storage: 16 bits that are widened for each product take half the memory, are there
/// at once, and change no bit.
bool stays_as_stored(const MemoryJob& job, const Component& component, const Precision& planned) {
    return planned.device.is_cpu() && component.rows >= rows_for_free_widening().value_or(kRowsToWidenFor) &&
           (job.request.storage == "auto" || component.rows == kRunsOnce);
}

/// From the fastest to the smallest.
std::vector<Precision> candidates(const Component& component, const Precision& planned) {
    std::vector<Precision> all{planned};
    const auto count = sizes_of(component, planned).num_blocks();
    if (count == 0) return all;
    if (planned.device.is_cpu()) {
        all.push_back(planned);
        all.back().storage = exact_storage(component.entries, planned);
        all.push_back(all.back());
        all.back().resident_blocks = 0;
        return all;
    }
    for (int blocks = count - 1; blocks >= 0; --blocks) {
        all.push_back(planned);
        all.back().resident_blocks = blocks;
    }
    return all;
}

std::string words_of(const Component& component, const Precision& precision) {
    const auto sizes = sizes_of(component, precision);
    const auto count = sizes.num_blocks();
    if (precision.resident_blocks >= count)
        return "; weights stay as the file holds them and are widened for each product";
    return "; " + std::to_string(count - precision.resident_blocks) + " of " + std::to_string(count) +
           " blocks are streamed, to fit into memory";
}

[[noreturn]] void refuse(const std::string& component, std::int64_t needed, const MemoryLimit& limit) {
    throw Error(ErrorCode::out_of_memory,
                "max_memory is " + format_byte_size(limit.max_bytes) + ", and the " + component + " needs " +
                    format_byte_size(needed) + " at least for this request",
                "Allow more, or ask for a smaller size, fewer frames or a lower --vae-dtype.",
                {{"component", component}, {"needed", std::to_string(needed)}});
}

class Fitter {
public:
    Fitter(const MemoryJob& job, const MemoryLimit& limit) : job_(job), limit_(limit) {}

    void fit(const std::string& name, ComponentChoice& choice) const {
        const auto component = read_component(job_, name, choice.precision);
        auto all = candidates(component, choice.precision);
        if (all.size() > 1 && stays_as_stored(job_, component, choice.precision)) all.erase(all.begin());
        const auto rest = activation_bytes(job_, name, choice.precision) +
                          sum(lasting_parts(job_, phase_of(name), limit_.program_bytes));
        const auto needed = [&](const Precision& precision) {
            return sizes_of(component, precision).peak_bytes(precision.resident_blocks) + rest;
        };
        const auto chosen = choose(all, needed);
        if (limit_.max_bytes > 0 && needed(chosen) > limit_.max_bytes) refuse(name, needed(chosen), limit_);
        const bool is_changed =
            chosen.storage != choice.precision.storage || chosen.resident_blocks != choice.precision.resident_blocks;
        if (is_changed) choice.reason += words_of(component, chosen);
        choice.precision = chosen;
    }

private:
    template <class Needed>
    Precision choose(const std::vector<Precision>& all, const Needed& needed) const {
        if (limit_.offload == OffloadMode::blocks) return all.back();
        if (limit_.offload != OffloadMode::automatic || limit_.bytes() == 0) return all.front();
        const auto found =
            std::ranges::find_if(all, [&](const Precision& precision) { return needed(precision) <= limit_.bytes(); });
        return found == all.end() ? all.back() : *found;
    }

    const MemoryJob& job_;
    const MemoryLimit& limit_;
};

void note(const MemoryJob& job, const std::string& name, const WeightSizes& sizes, int resident_blocks,
          std::vector<std::string>& notes) {
    const auto count = sizes.num_blocks();
    if (resident_blocks < count)
        notes.push_back("Of the " + name + " " + std::to_string(count - resident_blocks) + " of " +
                        std::to_string(count) + " blocks are streamed: at most " +
                        format_byte_size(sizes.peak_bytes(resident_blocks)) + " of its " +
                        format_byte_size(sizes.all_bytes()) + " are in memory at once.");
    if (lacks_weights(job.files, name))
        notes.push_back("There are no weights of the " + name + ": its size is that of its config.");
}

void add_lasting(const MemoryJob& job, std::int64_t program_bytes, PhasePlan& plan) {
    const auto lasting = lasting_parts(job, plan.phase, program_bytes);
    plan.memory_bytes += sum(lasting);
    std::ranges::copy(lasting, std::back_inserter(plan.parts));
}

}  // namespace

std::int64_t MemoryLimit::bytes() const {
    const auto usable = static_cast<std::int64_t>(kUsableShare * static_cast<double>(free_bytes)) + program_bytes;
    if (free_bytes == 0 || (max_bytes > 0 && max_bytes < usable)) return max_bytes;
    return usable;
}

void fit_into_memory(const MemoryJob& job, const MemoryLimit& limit, ComputePolicy& policy) {
    const Fitter fitter(job, limit);
    for (auto& [name, choice] : policy.components) fitter.fit(name, choice);
}

MemoryPlan plan_memory(const MemoryJob& job, std::int64_t program_bytes, const ComputePolicy& policy) {
    MemoryPlan plan;
    for (const auto phase : {Phase::encode, Phase::denoise, Phase::decode}) plan.phases.push_back({.phase = phase});
    for (const auto& [name, choice] : policy.components) {
        const auto& precision = choice.precision;
        const auto sizes = sizes_of(read_component(job, name, precision), precision);
        const auto weights = sizes.peak_bytes(precision.resident_blocks);
        const auto activations = activation_bytes(job, name, precision);
        const auto phase = phase_of(name);
        auto& row = *std::ranges::find(plan.phases, phase, &PhasePlan::phase);
        row.parts.emplace_back(name, weights);
        row.parts.emplace_back(name + " activations", activations);
        row.memory_bytes = std::max(row.memory_bytes, weights + activations);
        note(job, name, sizes, precision.resident_blocks, plan.notes);
    }
    for (auto& phase : plan.phases) add_lasting(job, program_bytes, phase);
    return plan;
}

}  // namespace kinescope
