#include "core/api/slurm_reason.h"

#include <algorithm>
#include <array>

namespace kinescope {

namespace {

struct Row {
    std::string_view start;  ///< of the names
    SlurmReason reason;
};

constexpr std::array<Row, 12> kTable = {{{"Resources", SlurmReason::resources},
                                         {"Priority", SlurmReason::priority},
                                         {"BeginTime", SlurmReason::begin_time},
                                         {"ReqNodeNotAvail", SlurmReason::nodes_not_available},
                                         {"PartitionTimeLimit", SlurmReason::time_limit},
                                         {"JobHeld", SlurmReason::held},
                                         {"JobHoldMaxRequeue", SlurmReason::held},
                                         {"job requeued in held state", SlurmReason::held},
                                         {"job_requeued_in_held_state", SlurmReason::held},
                                         {"Assoc", SlurmReason::quota},
                                         {"QOS", SlurmReason::quota},
                                         {kStorageFullReason, SlurmReason::storage_full}}};

}  // namespace

SlurmReason slurm_reason(std::string_view name) {
    if (name.empty()) return SlurmReason::none;
    const auto* const row =
        std::ranges::find_if(kTable, [name](const Row& one) { return name.starts_with(one.start); });
    return row == kTable.end() ? SlurmReason::other : row->reason;
}

}  // namespace kinescope
