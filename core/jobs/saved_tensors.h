#pragma once

#include <vector>

#include "core/api/video_request.h"
#include "core/media/output_path.h"
#include "core/pipeline/run_taps.h"

namespace kinescope {

/// Keeps what `--latents` and `--frames` ask for and writes it when every frame is there.
class SavedTensors final : public RunTaps {
public:
    /// Tries both places before anything is computed, and makes their missing folders. Throws
    /// Error(output_not_writable, disk_full).
    explicit SavedTensors(const OutputRequest& output);
    void on_final_latents(const Tensor& latents) override;
    void on_frames(const Tensor& frames) override;
    /// Writes the files. Throws Error.
    void on_complete() override;

private:
    const OutputRequest& output_;
    ParentFolders latents_folders_;
    ParentFolders frames_folders_;
    Tensor latents_;
    std::vector<Tensor> frames_;
};

}  // namespace kinescope
