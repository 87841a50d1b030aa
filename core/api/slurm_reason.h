#pragma once

#include <string_view>

namespace kinescope {

/// Why a job waits in the queue of a Slurm cluster, or does not advance there.
enum class SlurmReason {
    none,
    resources,            ///< all are in use
    priority,             ///< of other jobs
    begin_time,           ///< Slurm delays the start, for example after a requeue
    nodes_not_available,  ///< down, drained or reserved
    time_limit,           ///< longer than the partition allows
    held,
    quota,         ///< of the user, the account or the quality of service
    storage_full,  ///< of the cluster: a running job cannot save its steps. Not one of Slurm's, see kStorageFullReason
    other
};

/// Kinescope's own reason, in the form of Slurm's names.
constexpr std::string_view kStorageFullReason = "SharedStorageFull";

/// Classifies Slurm's name for a reason: "Resources", "AssocGrpGRES".
SlurmReason slurm_reason(std::string_view name);

}  // namespace kinescope
