#pragma once

#include <optional>

#include "core/base/temporary_folder.h"
#include "core/jobs/queue/checkpoint_store.h"
#include "core/media/content_stamp.h"

namespace kinescope {

/// What a job without a folder keeps as long as the process lives.
struct UnsavedJob {
    MemoryCheckpointStore checkpoint;
    std::optional<ContentStamp> continued;  ///< see keep_continued_stamp
    std::optional<TemporaryFolder> parts;   ///< of a long video; nullopt: it has not started

    void clear() {
        checkpoint.clear();
        continued.reset();
        parts.reset();
    }
};

}  // namespace kinescope
