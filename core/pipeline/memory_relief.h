#pragma once

#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/api/resolved_request.h"
#include "core/api/run_event.h"
#include "core/device/compute_policy.h"

namespace kinescope {

/// The precision policy and the request with which a phase of a run computes.
struct PhaseSetup {
    ComputePolicy policy;
    ResolvedRequest request;
};

/// How a phase is repeated after its device ran out of memory. Each relief leaves less to give up, so that repeated
/// reliefs come to an end.
struct MemoryRelief {
    GuardAction action = GuardAction::stream_blocks;
    std::vector<std::string> components;  ///< those that the action changes
    PhaseSetup setup;
};

/// Returns a setup in which a phase needs less memory: with all blocks of its components streamed, or with a VAE that
/// decodes in smaller parts, and at last encodes or decodes on the CPU if the guard heals. Returns nullopt if there is
/// none, or if the request excludes it: with --offload none, or for a reproducible run whose pixels would change.
/// `streamable` names the components whose blocks can be streamed. Pure.
std::optional<MemoryRelief> relieve_memory(Phase phase, const PhaseSetup& planned, const ModelCard& card,
                                           const std::set<std::string>& streamable);

/// A phase that ran out of memory and cannot be repeated with less memory.
struct MemoryShortage {
    Phase phase = Phase::denoise;
    const PhaseSetup& setup;
    std::string component;         ///< the largest of the phase; empty: unknown
    std::int64_t least_bytes = 0;  ///< memory that it needs at least; 0: unknown
    std::string message;           ///< of LibTorch
};

/// Returns Error(out_of_memory), which states how much memory would be enough.
Error memory_error(const MemoryShortage& shortage);

/// Returns Error(out_of_memory) for a device that ran out of memory while it enlarged decoded frames or added frames
/// between them. device_fault() does not recognize it, so that no phase is repeated: some frames are written already.
Error finishing_memory_error(const std::string& device);

}  // namespace kinescope
