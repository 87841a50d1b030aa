#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/media/output_path.h"
#include "core/pipeline/tensor_observer.h"

namespace kinescope {

/// Collects the tensors requested by --latents and --frames, and writes them after the last frame.
class SavedTensors final : public TensorObserver {
public:
    /// Receives the temporary name of a complete file just before it gets its final one.
    using OnWritten = std::function<void(const std::filesystem::path& temporary)>;

    /// Checks that both files can be written, and creates missing folders. Throws Error(output_not_writable,
    /// disk_full).
    SavedTensors(const ResolvedOutput& output, OnWritten on_written);
    void on_final_latents(const Tensor& latents) override;
    void on_frames(const Tensor& frames) override;
    /// Writes the files. If another file took a name in the meantime and must not be replaced, keeps the new one under
    /// a free name and throws Error(output_exists), with that name in the message and in arguments()["kept"].
    void on_complete() override;

private:
    /// Returns why a file does not have its name.
    std::optional<Error> save(const std::filesystem::path& file, const char* name, const Tensor& tensor) const;

    const ResolvedOutput& output_;
    OnWritten on_written_;
    ParentFolders latents_folders_;
    ParentFolders frames_folders_;
    Tensor latents_;
    std::vector<Tensor> frames_;
};

}  // namespace kinescope
