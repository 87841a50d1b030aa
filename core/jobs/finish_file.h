#pragma once

#include <functional>

#include "core/api/video_finish.h"
#include "core/finish/finish_video.h"
#include "core/jobs/engine_context.h"

namespace kinescope {

/// Makes a finished copy of a file on the requested device. Call on the worker only. Throws the errors of finish_video
/// and of choosing the device.
FinishResult finish_file(EngineContext& context, const FinishRequest& request,
                         const std::function<FinishCommand(const FinishProgress&)>& step);

}  // namespace kinescope
