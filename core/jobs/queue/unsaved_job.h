#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/temporary_folder.h"
#include "core/jobs/queue/checkpoint_store.h"
#include "core/media/content_stamp.h"

namespace kinescope {

/// What a job keeps as long as the process lives, because it has no folder or the disk does not take it.
struct UnsavedJob {
    std::map<int, MemoryCheckpointStore> checkpoints;  ///< by the index of the part; 0: also of a whole video
    std::optional<ContentStamp> continued;             ///< see keep_continued_stamp
    std::optional<TemporaryFolder> parts;              ///< of a long video; nullopt: it has not started

    bool has_checkpoint(int part) const {
        const auto found = checkpoints.find(part);
        return found != checkpoints.end() && found->second.checkpoint();
    }
    bool has_checkpoint() const {
        return std::ranges::any_of(checkpoints, [](const auto& one) { return one.second.checkpoint().has_value(); });
    }
    /// Returns the number of finished steps of a part, or 0 if it is not kept here.
    int step(int part) const { return has_checkpoint(part) ? checkpoints.at(part).checkpoint()->position.step : 0; }
    void clear() {
        checkpoints.clear();
        continued.reset();
        parts.reset();
    }
};

}  // namespace kinescope
