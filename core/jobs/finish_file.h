#pragma once

#include <functional>

#include "core/api/video_finish.h"
#include "core/finish/finish_video.h"
#include "core/jobs/engine_context.h"

namespace kinescope {

/// Makes a finished copy of a file on the requested device. Call on the worker only. Throws the errors of finish_video
/// and of choosing the device. After `is_cancelled` returns true, it does not wait for a file: before the source is
/// open, it throws Cancelled.
FinishResult finish_file(EngineContext& context, const FinishRequest& request,
                         const std::function<FinishCommand(const FinishProgress&)>& step,
                         const IsCancelled& is_cancelled = {});

/// Deletes what an interrupted call of the same copy has saved.
void forget_finish(const FinishRequest& request);

/// Deletes what interrupted calls saved more than two weeks ago.
void forget_old_finishes();

}  // namespace kinescope
