#include "core/jobs/plan/memory_plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/api/byte_size.h"
#include "core/api/component_role.h"
#include "core/api/error.h"
#include "core/jobs/plan/open_weights.h"
#include "core/jobs/plan/weight_sizes.h"
#include "core/nn/cpu/linear_product.h"

namespace kinescope {

namespace {

/// The share of the free memory that a run can use. LibTorch and the driver need the rest, for the context and because
/// of fragmentation.
constexpr double kUsableShare = 0.94;

/// Minimum number of rows for which half the memory is worth widening the weights for each product, on a CPU on which
/// widening takes time: 7 to 12 % of a step with 1280 to 1500 rows (measured), and less with more rows.
constexpr std::int64_t kRowsToWidenFor = 1024;

/// Returns the memory that a run adds up to this phase for library code, tables and buffers, compared with a process
/// that has only read headers. Measured on x86-64 with AMX with the built-in model: 24 MiB for encoding, 12 more for an
/// image, 32 to 36 for denoising, 37 to 49 for decoding to an MP4 file. About 25 MiB are code of LibTorch.
std::int64_t touched_by_run(Phase phase) {
    constexpr std::int64_t kMiB = std::int64_t{1} << 20;
    if (phase == Phase::encode) return 32 * kMiB;
    return (phase == Phase::decode ? 48 : 36) * kMiB;
}

/// The weights and activations of a component in one phase. They are read once per plan, because the model family may
/// have to load a tokenizer to compute them.
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
    const auto weights = open_or_synthesize_weights(job.files, job.family, name);
    for (TensorEntry entry : weights->entries()) {
        if (begins_with_any(entry.name, memory.unused)) continue;
        // The shape is flattened, because one-dimensional tensors, such as norms and tables, are counted as float32.
        if (begins_with_any(entry.name, memory.float32)) entry.shape = {entry.numel()};
        component.entries.push_back(std::move(entry));
    }
    return component;
}

/// Returns true for the VAE of a draft, which the tiny decoder decodes.
bool is_replaced(const MemoryJob& job, const std::string& name) {
    return name == "vae" && job.request.compute.decode == DecodeMode::draft;
}

/// Returns the component in its main phase, which determines the storage of its weights, then in its other phases: a
/// VAE may encode as well as decode. A component that is replaced in its main phase needs nothing there.
std::vector<Component> read_phases(const MemoryJob& job, const std::string& name, const Precision& precision) {
    const Phase main = phase_of(role_of(name));
    std::vector<Component> phases;
    phases.push_back(is_replaced(job, name) ? Component{.name = name, .phase = main}
                                            : read_component(job, name, main, precision));
    if (name == "vae" && job.request.content.has_image())
        phases.push_back(read_component(job, name, Phase::encode, precision));
    return phases;
}

WeightSizes sizes_of(const Component& component, const Precision& precision) {
    return {component.entries, component.block_lists, precision};
}

/// Returns the memory of the activations. Finish steps take turns with the decoder. If the request sets no limit, a CPU
/// run keeps up to 50 % more between steps; see BlockReuse.
std::int64_t working_bytes(const MemoryJob& job, const Component& component, const Precision& precision) {
    const auto bytes = component.phase == Phase::decode
                           ? std::max(component.activation_bytes, job.finish.activation_bytes)
                           : component.activation_bytes;
    const bool keeps_more =
        precision.device.is_cpu() && component.phase == Phase::denoise && job.request.compute.max_memory_bytes == 0;
    return keeps_more ? bytes + bytes / 2 : bytes;
}

using Parts = std::vector<std::pair<std::string, std::int64_t>>;

/// Number of tensors with the size of the latents: the scheduler keeps the sample, two predictions and the last sample;
/// guidance adds two more predictions.
constexpr std::int64_t kLatentCopies = 6;

/// Returns the memory of the frames that the video encoder of a run on the CPU holds; 0 if the finish steps count it.
std::int64_t waiting_bytes(const MemoryJob& job, std::int64_t program_bytes) {
    if (program_bytes == 0 || job.finish.encoder_bytes > 0) return 0;
    const ResolvedContent& content = job.request.content;
    return encoder_bytes(content.width, content.height,
                         content.continue_video.empty() ? content.num_frames : kMostWaiting);
}

/// Returns the parts of the memory that are used throughout a phase.
Parts lasting_parts(const MemoryJob& job, Phase phase, std::int64_t program_bytes) {
    Parts parts;
    if (program_bytes > 0)
        parts.emplace_back("program",
                           program_bytes + std::max<std::int64_t>(0, touched_by_run(phase) - job.touched_bytes));
    // A video that is continued is read again for the file, which begins with it.
    const bool reads =
        phase == Phase::encode || (phase == Phase::decode && !job.request.content.continue_video.empty());
    if (program_bytes > 0 && reads && job.reading_bytes > 0) parts.emplace_back("input videos", job.reading_bytes);
    if (phase == Phase::encode) return parts;
    const auto shape = job.family.latents_shape(job.files, job.request);
    parts.emplace_back("latents", kLatentCopies * std::accumulate(shape.begin(), shape.end(),
                                                                  std::int64_t{sizeof(float)}, std::multiplies<>()));
    const std::int64_t tiny_decoder = phase == Phase::decode ? job.draft_bytes : job.preview_bytes;
    if (tiny_decoder > 0) parts.emplace_back("tiny decoder", tiny_decoder);
    if (phase == Phase::decode && job.finish.lasting_bytes() > 0)
        parts.emplace_back("finish steps",
                           job.finish.lasting_bytes() + (program_bytes > 0 ? job.finish.library_bytes : 0));
    if (phase == Phase::decode)
        parts.emplace_back("frames", waiting_bytes(job, program_bytes) + std::int64_t{job.family.chunk_frames()} * 3 *
                                                                             sizeof(float) * job.request.content.width *
                                                                             job.request.content.height);
    return parts;
}

std::int64_t sum(const Parts& parts) {
    std::int64_t bytes = 0;
    for (const auto& part : parts) bytes += part.second;
    return bytes;
}

/// Returns true if 16-bit weights stay as stored in the file and are widened for each product. This halves the memory,
/// loads faster and does not change the result. Returns false if the request sets a storage type, except for components
/// that run once.
bool stays_as_stored(const MemoryJob& job, const Component& component, const Precision& planned) {
    return planned.device.is_cpu() && component.rows >= rows_for_free_widening().value_or(kRowsToWidenFor) &&
           (job.request.compute.storage == DtypeChoice::automatic || component.rows == kRunsOnce);
}

/// Returns all options for storage and streaming, from the fastest to the smallest.
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

std::string storage_reason(const Component& component, const Precision& precision, OffloadMode offload) {
    const auto sizes = sizes_of(component, precision);
    const auto count = sizes.num_blocks();
    if (precision.resident_blocks >= count)
        return "; weights stay as stored in the file and are widened for each product";
    return "; " + std::to_string(count - precision.resident_blocks) + " of " + std::to_string(count) +
           " blocks are streamed, " + (offload == OffloadMode::blocks ? "as requested" : "to fit into memory");
}

/// The memory that a component needs: with the chosen option, and with the option that needs least.
struct Need {
    std::string component;
    std::int64_t chosen = 0;
    std::int64_t least = 0;
};

/// Checks whether a request fits into the memory limit that it sets. If it does not, the error says which options would
/// help.
class Refusal {
public:
    Refusal(const MemoryJob& job, const MemoryLimit& limit, const ComputePolicy& policy)
        : job_(job), limit_(limit), policy_(policy) {}

    void check(const std::vector<Need>& needs) const {
        const auto largest = std::ranges::max(needs, {}, &Need::chosen);
        if (limit_.max_bytes == 0 || largest.chosen <= limit_.max_bytes) return;
        const auto program = limit_.program_bytes > 0 ? limit_.program_bytes + touched_by_run(Phase::decode) : 0;
        throw Error(ErrorCode::out_of_memory,
                    "max_memory is " + format_byte_size(limit_.max_bytes) + ", but this request needs " +
                        format_byte_size(largest.chosen) + " for the " + largest.component +
                        (program > 0 ? ", including " + format_byte_size(program) + " for the program itself" : ""),
                    hint(needs, largest),
                    {{"component", largest.component},
                     {"needed", std::to_string(largest.chosen)},
                     {"program", std::to_string(program)}});
    }

private:
    /// Returns a hint for the user. Options that do not change the video come first.
    std::string hint(const std::vector<Need>& needs, const Need& largest) const {
        const auto streamed = std::ranges::max(needs, {}, &Need::least).least;
        if (streamed < largest.chosen)
            return "Use --offload auto: with streaming, it needs " + format_byte_size(streamed) + ".";
        if (role_of(largest.component) == ComponentRole::vae) return vae_hint(needs, largest);
        if (role_of(largest.component) == ComponentRole::text_encoder)
            return "Increase max_memory: the encoder's largest block does not fit.";
        return "Increase max_memory, or choose a smaller size or fewer frames.";
    }

    std::string vae_hint(const std::vector<Need>& needs, const Need& largest) const;

    const MemoryJob& job_;
    const MemoryLimit& limit_;
    const ComputePolicy& policy_;
};

/// Computes the peak memory of a component for a given storage of its weights. Computes the part without weights only
/// once, because it does not depend on the storage.
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

/// Returns the memory that the VAE needs if it decodes in tiles or frame by frame.
std::int64_t bytes_in_small_parts(const MemoryJob& job, const Precision& precision, std::int64_t program_bytes) {
    const ModelCard card = job.family.card(job.files);
    ResolvedRequest request = job.request;
    if (card.offers_vae_tiling) request.compute.vae_tiling = true;
    if (card.extra_field("decode_chunk_size") != nullptr) request.compute.decode_chunk_size = 1;
    const MemoryJob smallest{.files = job.files, .family = job.family, .request = request, .finish = job.finish};
    return Needed(smallest, read_phases(smallest, "vae", precision), precision, program_bytes)(precision);
}

std::string Refusal::vae_hint(const std::vector<Need>& needs, const Need& largest) const {
    const std::string others = "Increase max_memory, or choose a smaller size or a lower --vae-dtype.";
    if (!job_.family.card(job_.files).offers_vae_tiling || job_.request.compute.vae_tiling) return others;
    auto most = bytes_in_small_parts(job_, policy_.components.at("vae").precision, limit_.program_bytes);
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
        if (is_changed) choice.reason += storage_reason(component, chosen, limit_.offload);
        choice.precision = chosen;
        return {.component = name, .chosen = needed(chosen), .least = needed(least)};
    }

private:
    /// Returns the fastest option that fits into the limit. `least` is the smallest option, and the fastest one if
    /// several are equally small.
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
        notes.push_back("The " + name + " streams " + std::to_string(count - resident_blocks) + " of " +
                        std::to_string(count) + " blocks: " +
                        (peak < all
                             ? "at most " + format_byte_size(peak) + " of its " + format_byte_size(all) +
                                   " are in memory at the same time."
                             : "this takes " + format_byte_size(peak) + " including read-ahead; all its weights take " +
                                   format_byte_size(all) + "."));
    if (missing_weights(job.files, name))
        notes.push_back("The weights of the " + name + " are missing; its size is estimated from its config.");
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

std::map<std::string, std::int64_t> fit_into_memory(const MemoryJob& job, const MemoryLimit& limit,
                                                    ComputePolicy& policy) {
    const Fitter fitter(job, limit);
    std::vector<Need> needs;
    for (auto& [name, choice] : policy.components) needs.push_back(fitter.fit(name, choice));
    if (!needs.empty()) Refusal(job, limit, policy).check(needs);
    std::map<std::string, std::int64_t> least;
    for (const Need& need : needs) least[need.component] = need.least;
    if (const auto vae = policy.components.find("vae"); vae != policy.components.end())
        least["vae"] = bytes_in_small_parts(job, vae->second.precision, limit.program_bytes);
    return least;
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
            if (!component.entries.empty()) row.parts.emplace_back(name, weights);
            if (activations > 0) row.parts.emplace_back(name + " activations", activations);
            row.memory_bytes = std::max(row.memory_bytes, weights + activations);
        }
        note(job, name, sizes_of(phases.front(), precision), precision.resident_blocks, plan.notes);
    }
    for (auto& phase : plan.phases) add_lasting(job, program_bytes, phase);
    return plan;
}

}  // namespace kinescope
