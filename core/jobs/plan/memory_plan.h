#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/finish/finish_memory.h"
#include "core/models/model_family.h"

namespace kinescope {

/// The memory available to a run.
struct MemoryLimit {
    OffloadMode offload = OffloadMode::automatic;
    std::int64_t max_bytes = 0;      ///< limit set by the request; 0: none
    std::int64_t free_bytes = 0;     ///< free memory of the device; 0: unknown
    std::int64_t program_bytes = 0;  ///< already used by this process; 0 for accelerators

    /// Returns the smaller of the request's limit and the usable memory, or 0 if there is no limit.
    std::int64_t bytes() const;
};

/// A model's files and a resolved request.
struct MemoryJob {
    const ModelFiles& files;
    const ModelFamily& family;
    const ResolvedRequest& request;
    std::int64_t preview_bytes = 0;  ///< memory of the tiny decoder while denoising
    std::int64_t draft_bytes = 0;    ///< memory of the tiny decoder while decoding
    FinishMemory finish = {};        ///< of the steps between decoder and file
    std::int64_t reading_bytes = 0;  ///< memory for reading the input videos
    /// Memory of this process that earlier runs have added for library code, tables and buffers, which this one uses
    /// again.
    std::int64_t touched_bytes = 0;
};

/// Decides for each component how many blocks stay on the device (as many as fit), and streams the others. On a CPU,
/// 16-bit weights stay in the mapped file and are widened for each product if that takes no time or memory is short;
/// this does not change the result. Components run one after the other, so each may use all of the memory. Stores the
/// decision and its reason in `policy`. Returns the minimum bytes of each component: with all blocks streamed, or with
/// a VAE that decodes in the smallest parts. Throws Error(out_of_memory) if the limit that the request sets is too
/// small.
std::map<std::string, std::int64_t> fit_into_memory(const MemoryJob& job, const MemoryLimit& limit,
                                                    ComputePolicy& policy);

/// The memory that each phase needs under a policy.
struct MemoryPlan {
    /// The memory of each phase: of the largest component, and of everything that stays in memory throughout the phase.
    std::vector<PhasePlan> phases;
    /// One sentence for each component that is streamed or has no weights yet.
    std::vector<std::string> notes;

    /// Returns the memory of the largest phase.
    std::int64_t peak_bytes() const;
};
MemoryPlan plan_memory(const MemoryJob& job, std::int64_t program_bytes, const ComputePolicy& policy);

}  // namespace kinescope
