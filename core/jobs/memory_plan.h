#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/models/model_family.h"

namespace kinescope {

/// What memory there is for a run.
struct MemoryLimit {
    OffloadMode offload = OffloadMode::automatic;
    std::int64_t max_bytes = 0;      ///< that the request allows; 0: nothing said
    std::int64_t free_bytes = 0;     ///< of the device; 0: not known
    std::int64_t program_bytes = 0;  ///< that this process holds already; on a CPU, where it shares the memory

    /// The smaller of the two; 0: there is none.
    std::int64_t bytes() const;
};

/// A model's files and a resolved request.
struct MemoryJob {
    const ModelFiles& files;
    const ModelFamily& family;
    const VideoRequest& request;
};

/// Chooses which components keep all their blocks on the device, and which stream them: as much stays as fits. On a CPU
/// weights of 16 bits stay as stored, in the mapped file, and are widened for each product, which changes no bit of the
/// result, where that costs little beside the product or memory is short. Components come one after the other. What is
/// decided is written into the policy, with its reason. Throws Error(out_of_memory) where the request's own limit
/// cannot be kept.
void fit_into_memory(const MemoryJob& job, const MemoryLimit& limit, ComputePolicy& policy);

/// What each phase needs with a policy.
struct MemoryPlan {
    /// The largest of the components that come one after the other, beside what stays through the phase.
    std::vector<PhasePlan> phases;
    /// One sentence for each component that is never whole in memory, and for those whose weights are not there.
    std::vector<std::string> notes;

    /// The largest phase.
    std::int64_t peak_bytes() const;
};
MemoryPlan plan_memory(const MemoryJob& job, std::int64_t program_bytes, const ComputePolicy& policy);

}  // namespace kinescope
