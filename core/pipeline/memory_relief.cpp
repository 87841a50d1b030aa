#include "core/pipeline/memory_relief.h"

#include <algorithm>

#include "core/api/byte_size.h"
#include "core/api/component_role.h"

namespace kinescope {

namespace {

bool may_stream(const PhaseSetup& setup) {
    return setup.request.compute.offload != OffloadMode::none;
}

std::optional<MemoryRelief> with_streamed_blocks(Phase phase, const PhaseSetup& planned,
                                                 const std::set<std::string>& streamable) {
    MemoryRelief relief{.action = GuardAction::stream_blocks, .components = {}, .setup = planned};
    for (auto& [name, choice] : relief.setup.policy.components) {
        const bool can_shrink = streamable.contains(name) && choice.precision.resident_blocks > 0;
        if (!can_shrink || phase_of(role_of(name)) != phase || choice.precision.device.is_cpu()) continue;
        choice.precision.resident_blocks = 0;
        relief.components.push_back(name);
    }
    return relief.components.empty() ? std::nullopt : std::optional(std::move(relief));
}

/// A slow VAE is better than none.
std::optional<MemoryRelief> on_the_cpu(const PhaseSetup& planned) {
    MemoryRelief relief{.action = GuardAction::move_to_cpu, .components = {"vae"}, .setup = planned};
    Precision& precision = relief.setup.policy.components.at("vae").precision;
    if (planned.request.compute.guard != GuardMode::heal || precision.device.is_cpu()) return std::nullopt;
    precision = Precision{};
    return relief;
}

std::optional<MemoryRelief> with_smaller_parts(const PhaseSetup& planned, const ModelCard& card) {
    if (planned.request.compute.decode == DecodeMode::draft) return on_the_cpu(planned);
    MemoryRelief relief{.action = GuardAction::decode_in_parts, .components = {"vae"}, .setup = planned};
    ResolvedCompute& compute = relief.setup.request.compute;
    if (card.offers_vae_tiling && !compute.vae_tiling) {
        compute.vae_tiling = true;
        return relief;
    }
    if (card.extra_field("decode_chunk_size") == nullptr || compute.decode_chunk_size == 1) return on_the_cpu(planned);
    const int chunk = compute.decode_chunk_size == 0 ? planned.request.content.num_frames : compute.decode_chunk_size;
    compute.decode_chunk_size = std::max(1, chunk / 2);
    return relief;
}

std::string phase_words(const MemoryShortage& shortage) {
    switch (shortage.phase) {
        case Phase::encode:
            return shortage.setup.request.content.has_image() ? "while encoding the prompt and the pictures"
                                                              : "while encoding the prompt";
        case Phase::denoise:
            return "while denoising";
        case Phase::decode:
            return "while decoding";
        default:
            return "during the run";
    }
}

std::string advice(const MemoryShortage& shortage) {
    if (shortage.phase != Phase::decode && !may_stream(shortage.setup))
        return "Use --offload auto, which streams blocks that do not fit.";
    return "Close other programs that use the device, or choose a smaller size or fewer frames.";
}

}  // namespace

std::optional<MemoryRelief> relieve_memory(Phase phase, const PhaseSetup& planned, const ModelCard& card,
                                           const std::set<std::string>& streamable) {
    if (phase != Phase::decode && may_stream(planned))
        if (auto relief = with_streamed_blocks(phase, planned, streamable)) return relief;
    if (planned.request.compute.reproducible != Reproducibility::off) return std::nullopt;
    if (phase == Phase::decode) return with_smaller_parts(planned, card);
    return phase == Phase::encode && planned.request.content.has_image() ? on_the_cpu(planned) : std::nullopt;
}

Error memory_error(const MemoryShortage& shortage) {
    const std::string device = shortage.setup.policy.device().str();
    std::string message = device + " ran out of memory " + phase_words(shortage) + " (" + shortage.message + ")";
    std::map<std::string, std::string> arguments{{"device", device}};
    if (shortage.least_bytes > 0) {
        message += "; the " + shortage.component + " needs at least " + format_byte_size(shortage.least_bytes) +
                   " of free memory on this device";
        arguments["component"] = shortage.component;
        arguments["needed"] = std::to_string(shortage.least_bytes);
    }
    return {ErrorCode::out_of_memory, std::move(message), advice(shortage), std::move(arguments)};
}

Error finishing_memory_error(const std::string& device) {
    return {ErrorCode::out_of_memory,
            device + " has too little memory: it had none left while the frames were finished",
            "Use a smaller upscale or interpolation factor, or another device.",
            {{"device", device}}};
}

}  // namespace kinescope
