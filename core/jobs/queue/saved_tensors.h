#pragma once

#include <vector>

#include "core/api/resolved_request.h"
#include "core/media/output_path.h"
#include "core/pipeline/tensor_observer.h"

namespace kinescope {

/// Collects the tensors requested by --latents and --frames, and writes them after the last frame.
class SavedTensors final : public TensorObserver {
public:
    /// Checks that both files can be written, and creates missing folders. Throws Error(output_not_writable,
    /// disk_full).
    explicit SavedTensors(const ResolvedOutput& output);
    void on_final_latents(const Tensor& latents) override;
    void on_frames(const Tensor& frames) override;
    /// Writes the files. Throws Error.
    void on_complete() override;

private:
    const ResolvedOutput& output_;
    ParentFolders latents_folders_;
    ParentFolders frames_folders_;
    Tensor latents_;
    std::vector<Tensor> frames_;
};

}  // namespace kinescope
