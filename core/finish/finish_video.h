#pragma once

#include <functional>
#include <memory>

#include "core/api/video_finish.h"
#include "core/device/tensor.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// What finish_video does after a step. Both stops throw Error(cancelled).
enum class FinishCommand {
    go_on,
    pause,  ///< stops; the same call continues after the last saved frame
    cancel  ///< stops and deletes what is saved
};

/// Where a finished copy is computed, and how it reads its source.
struct FinishServices {
    std::shared_ptr<GuardedReader> reader;  ///< of this call alone, because it waits long between two parts
    Device device = Device(at::kCPU);
    /// Called after every part of a frame, after every frame and before the file is completed.
    std::function<FinishCommand(int done, int total, FinishStage stage)> step;
    /// Folder for the finished parts of interrupted calls, see FinishFolder; empty: nothing is saved.
    std::filesystem::path saved_dir = {};
};

/// See VideoFiles::finish_video. Reads the source part by part and holds a few frames. If the reader is cancelled while
/// it waits, asks `step` how to stop; throws Cancelled if that goes on, or if the source is not yet open. Saves
/// finished frames in parts, see frames_per_chunk, and continues after those of an interrupted call with the same
/// request; not for GIF and pictures. Does not validate the request.
FinishResult finish_video(const FinishRequest& request, const FinishServices& services);

}  // namespace kinescope
