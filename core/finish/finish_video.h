#pragma once

#include <functional>
#include <memory>

#include "core/api/video_finish.h"
#include "core/device/tensor.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// Where a finished copy is computed, and how it reads its source.
struct FinishServices {
    std::shared_ptr<GuardedReader> reader;  ///< of this call alone, because it waits long between two parts
    Device device = Device(at::kCPU);
    /// Called after every part of a frame and after every frame; false cancels.
    std::function<bool(int done, int total)> step;
};

/// See VideoFiles::finish_video. Reads the source part by part and holds a few frames. Does not validate the request.
FinishResult finish_video(const FinishRequest& request, const FinishServices& services);

}  // namespace kinescope
