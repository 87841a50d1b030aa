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

/// What a run comes to touch of the libraries' code and tables, and their own buffers, beyond what a process holds that
/// has only read headers: 18 MiB in encoding, 31 in denoising, 27 to 34 in decoding to a file, 12 more for an image
/// (measured on x86-64 with AVX-512).
constexpr std::int64_t kTouchedByRun = std::int64_t{32} << 20;

/// A component in a phase. Its header is read and its family asked once: that may mean to read a tokenizer.
struct Component {
    std::string name;
    Phase phase = Phase::denoise;
    std::vector<TensorEntry> entries = {};
    std::vector<std::string> block_lists = {};
    std::int64_t activation_bytes = 0;
    std::int64_t rows = 0;
};

bool begins_with_any(const std::string& name, const std::vector<std::string>& beginnings) {
    return std::ranges::any_of(beginnings, [&](const auto& beginning) { return name.starts_with(beginning); });
}

Component read_component(const MemoryJob& job, const std::string& name, Phase phase, const Precision& precision) {
    const auto memory = job.family.memory(
        {.files = job.files, .request = job.request, .component = name, .precision = precision, .phase = phase});
    Component component{.name = name,
                        .phase = phase,
                        .block_lists = memory.block_lists,
                        .activation_bytes = memory.activation_bytes,
                        .rows = memory.rows};
    const auto weights = open_or_imagine_weights(job.files, job.family, name);
    for (TensorEntry entry : weights->entries()) {
        if (begins_with_any(entry.name, memory.unused)) continue;
        // Kept as norms and tables are.
        if (begins_with_any(entry.name, memory.float32)) entry.shape = {entry.numel()};
        component.entries.push_back(std::move(entry));
    }
    return component;
}

Phase phase_of(const std::string& component) {
    if (component.starts_with("text_encoder") || component == "image_encoder") return Phase::encode;
    return component == "vae" ? Phase::decode : Phase::denoise;
}

/// In the phase that decides how its weights are kept, which comes first, and in others: a VAE encodes the image, too.
std::vector<Component> read_phases(const MemoryJob& job, const std::string& name, const Precision& precision) {
    std::vector<Component> phases{read_component(job, name, phase_of(name), precision)};
    const bool has_image = job.request.image || job.request.last_image;
    if (name == "vae" && has_image) phases.push_back(read_component(job, name, Phase::encode, precision));
    return phases;
}

WeightSizes sizes_of(const Component& component, const Precision& precision) {
    return {component.entries, component.block_lists, precision};
}

/// Without a limit of the request, up to a half more lies idle between a CPU's steps; see BlockReuse.
std::int64_t working_bytes(const MemoryJob& job, const Component& component, const Precision& precision) {
    const auto bytes = component.activation_bytes;
    const bool keeps_more =
        precision.device.is_cpu() && component.phase == Phase::denoise && !job.request.max_memory_bytes;
    return keeps_more ? bytes + bytes / 2 : bytes;
}

using Parts = std::vector<std::pair<std::string, std::int64_t>>;

/// The scheduler keeps the sample, two predictions and the last sample; guidance adds two more predictions.
constexpr std::int64_t kLatentCopies = 6;

/// What stays through a phase.
Parts lasting_parts(const MemoryJob& job, Phase phase, std::int64_t program_bytes) {
    Parts parts;
    if (program_bytes > 0) parts.emplace_back("program", program_bytes + kTouchedByRun);
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
    }
    const Precision whole = all.back();
    for (int blocks = count - 1; blocks >= 0; --blocks) {
        all.push_back(whole);
        all.back().resident_blocks = blocks;
    }
    return all;
}

std::string words_of(const Component& component, const Precision& precision, OffloadMode offload) {
    const auto sizes = sizes_of(component, precision);
    const auto count = sizes.num_blocks();
    if (precision.resident_blocks >= count)
        return "; weights stay as the file holds them and are widened for each product";
    return "; " + std::to_string(count - precision.resident_blocks) + " of " + std::to_string(count) +
           " blocks are streamed, " + (offload == OffloadMode::blocks ? "as asked for" : "to fit into memory");
}

/// What a component needs, as it was chosen and with everything that may be streamed streamed where that is less.
struct Need {
    std::string component;
    std::int64_t chosen = 0;
    std::int64_t least = 0;
};

/// What a request is told that does not fit into its own limit.
class Refusal {
public:
    Refusal(const MemoryJob& job, const MemoryLimit& limit, const ComputePolicy& policy)
        : job_(job), limit_(limit), policy_(policy) {}

    void check(const std::vector<Need>& needs) const {
        const auto largest = std::ranges::max(needs, {}, &Need::chosen);
        if (limit_.max_bytes == 0 || largest.chosen <= limit_.max_bytes) return;
        const auto program = limit_.program_bytes > 0 ? limit_.program_bytes + kTouchedByRun : 0;
        throw Error(ErrorCode::out_of_memory,
                    "max_memory is " + format_byte_size(limit_.max_bytes) + ", and this request needs " +
                        format_byte_size(largest.chosen) + " at least: as much as the " + largest.component + " takes" +
                        (program > 0 ? ", with " + format_byte_size(program) + " of the program itself" : ""),
                    hint(needs, largest),
                    {{"component", largest.component},
                     {"needed", std::to_string(largest.chosen)},
                     {"program", std::to_string(program)}});
    }

private:
    /// What is least in the way comes first: the same video, then another one.
    std::string hint(const std::vector<Need>& needs, const Need& largest) const {
        const auto streamed = std::ranges::max(needs, {}, &Need::least).least;
        if (streamed < largest.chosen)
            return "Leave --offload to the program: streamed, it needs " + format_byte_size(streamed) + ".";
        if (largest.component == "vae") return vae_hint(needs, largest);
        if (largest.component.starts_with("text_encoder"))
            return "Allow more: the encoder's largest block is what does not fit.";
        return "Allow more, or ask for a smaller size or fewer frames.";
    }

    std::string vae_hint(const std::vector<Need>& needs, const Need& largest) const;

    const MemoryJob& job_;
    const MemoryLimit& limit_;
    const ComputePolicy& policy_;
};

/// What a component needs in each of its phases beside the weights, worked out once: how these are kept changes nothing
/// about it.
class Needed {
public:
    Needed(const MemoryJob& job, const std::vector<Component>& phases, const Precision& precision,
           std::int64_t program_bytes)
        : phases_(phases) {
        for (const auto& component : phases)
            rest_.push_back(working_bytes(job, component, precision) +
                            sum(lasting_parts(job, component.phase, program_bytes)));
    }

    std::int64_t operator()(const Precision& precision) const {
        std::int64_t most = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i)
            most = std::max(most, sizes_of(phases_[i], precision).peak_bytes(precision.resident_blocks) + rest_[i]);
        return most;
    }

private:
    const std::vector<Component>& phases_;
    std::vector<std::int64_t> rest_;
};

std::string Refusal::vae_hint(const std::vector<Need>& needs, const Need& largest) const {
    const std::string others = "Allow more, or ask for a smaller size or a lower --vae-dtype.";
    if (!job_.family.card(job_.files).offers_vae_tiling || job_.request.vae_tiling.value_or(false)) return others;
    VideoRequest tiled = job_.request;
    tiled.vae_tiling = true;
    const MemoryJob job{.files = job_.files, .family = job_.family, .request = tiled};
    const auto& precision = policy_.components.at("vae").precision;
    const auto phases = read_phases(job, "vae", precision);
    auto most = Needed(job, phases, precision, limit_.program_bytes)(precision);
    for (const auto& need : needs)
        if (need.component != "vae") most = std::max(most, need.chosen);
    return most >= largest.chosen ? others : "With --vae-tiling it needs " + format_byte_size(most) + ".";
}

class Fitter {
public:
    Fitter(const MemoryJob& job, const MemoryLimit& limit) : job_(job), limit_(limit) {}

    Need fit(const std::string& name, ComponentChoice& choice) const {
        const auto phases = read_phases(job_, name, choice.precision);
        const auto& component = phases.front();
        auto all = candidates(component, choice.precision);
        if (all.size() > 1 && stays_as_stored(job_, component, choice.precision)) all.erase(all.begin());
        const Needed needed(job_, phases, choice.precision, limit_.program_bytes);
        const auto least = std::ranges::min(all, {}, std::cref(needed));
        const auto chosen = choose(all, least, needed);
        const bool is_changed =
            chosen.storage != choice.precision.storage || chosen.resident_blocks != choice.precision.resident_blocks;
        if (is_changed) choice.reason += words_of(component, chosen, limit_.offload);
        choice.precision = chosen;
        return {.component = name, .chosen = needed(chosen), .least = needed(least)};
    }

private:
    /// Of two that need as much, `least` is the faster one.
    Precision choose(const std::vector<Precision>& all, const Precision& least, const Needed& needed) const {
        if (limit_.offload == OffloadMode::blocks) return all.back();
        if (limit_.offload != OffloadMode::automatic || limit_.bytes() == 0) return all.front();
        const auto found =
            std::ranges::find_if(all, [&](const Precision& precision) { return needed(precision) <= limit_.bytes(); });
        return found == all.end() ? least : *found;
    }

    const MemoryJob& job_;
    const MemoryLimit& limit_;
};

void note(const MemoryJob& job, const std::string& name, const WeightSizes& sizes, int resident_blocks,
          std::vector<std::string>& notes) {
    const auto count = sizes.num_blocks();
    const auto peak = sizes.peak_bytes(resident_blocks);
    const auto all = sizes.all_bytes();
    if (resident_blocks < count)
        notes.push_back("Of the " + name + " " + std::to_string(count - resident_blocks) + " of " +
                        std::to_string(count) + " blocks are streamed: " +
                        (peak < all ? "at most " + format_byte_size(peak) + " of its " + format_byte_size(all) +
                                          " are in memory at once."
                                    : "that takes " + format_byte_size(peak) +
                                          " with what is read ahead, and all of it " + format_byte_size(all) + "."));
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
    std::vector<Need> needs;
    for (auto& [name, choice] : policy.components) needs.push_back(fitter.fit(name, choice));
    if (!needs.empty()) Refusal(job, limit, policy).check(needs);
}

std::int64_t MemoryPlan::peak_bytes() const {
    std::int64_t most = 0;
    for (const PhasePlan& phase : phases) most = std::max(most, phase.memory_bytes);
    return most;
}

MemoryPlan plan_memory(const MemoryJob& job, std::int64_t program_bytes, const ComputePolicy& policy) {
    MemoryPlan plan;
    for (const auto phase : {Phase::encode, Phase::denoise, Phase::decode}) plan.phases.push_back({.phase = phase});
    for (const auto& [name, choice] : policy.components) {
        const auto& precision = choice.precision;
        const auto phases = read_phases(job, name, precision);
        for (const auto& component : phases) {
            const auto weights = sizes_of(component, precision).peak_bytes(precision.resident_blocks);
            const auto activations = working_bytes(job, component, precision);
            auto& row = *std::ranges::find(plan.phases, component.phase, &PhasePlan::phase);
            row.parts.emplace_back(name, weights);
            row.parts.emplace_back(name + " activations", activations);
            row.memory_bytes = std::max(row.memory_bytes, weights + activations);
        }
        note(job, name, sizes_of(phases.front(), precision), precision.resident_blocks, plan.notes);
    }
    for (auto& phase : plan.phases) add_lasting(job, program_bytes, phase);
    return plan;
}

}  // namespace kinescope
