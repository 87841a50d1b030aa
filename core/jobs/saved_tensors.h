#pragma once

#include <vector>

#include "core/api/video_request.h"
#include "core/pipeline/run_taps.h"

namespace kinescope {

/// Keeps what `--latents` and `--frames` ask for and writes it when every frame is there.
class SavedTensors final : public RunTaps {
public:
    explicit SavedTensors(const OutputRequest& output) : output_(output) {}
    void on_final_latents(const Tensor& latents) override;
    void on_frames(const Tensor& frames) override;
    /// Writes the files. Throws Error.
    void on_complete() override;

private:
    const OutputRequest& output_;
    Tensor latents_;
    std::vector<Tensor> frames_;
};

}  // namespace kinescope
