#pragma once

#include <memory>

#include "core/api/video_finish.h"
#include "core/base/cancellation.h"
#include "core/finish/frame_finisher.h"
#include "core/media/frame_sink.h"

namespace kinescope {

/// The steps between the frames of a run and the file that it writes.
class FinishingSink final : public FrameSink {
public:
    using Progress = std::function<void(int done, int total, FinishStage stage)>;

    /// `progress`: called with the number of frames written and expected, also before the file is completed. A
    /// requested cancellation throws Cancelled from write(), after at most one tile.
    FinishingSink(FinishPlan plan, FinishNetworks networks, std::unique_ptr<FrameSink> target,
                  CancellationToken cancellation, Progress progress);

    void write(const Frame& frame) override;
    /// Completes the steps, unless the run was cancelled or is cancelled meanwhile: then the file ends with the frames
    /// written so far, and Cancelled is thrown if there are none.
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return target_->temporary(); }

private:
    const CancellationToken cancellation_;
    const Progress progress_;
    std::unique_ptr<FrameSink> target_;
    FrameFinisher finisher_;
};

}  // namespace kinescope
