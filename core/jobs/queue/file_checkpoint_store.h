#pragma once

#include <filesystem>
#include <future>
#include <string>

#include "core/device/tensor.h"
#include "core/jobs/queue/checkpoint_store.h"
#include "core/jobs/queue/run_fingerprint.h"

namespace kinescope {

/// Keeps the checkpoint in a folder: conditioning.safetensors and a copy of it, written once; step.safetensors,
/// replaced after every step; and the previous step. Files are replaced atomically, so each is complete even after a
/// crash or a power failure, and each has a checksum. If a file is damaged later or cannot be read, its copy or the
/// previous step is used instead. A separate thread writes and syncs a step while the next step runs.
class FileCheckpointStore final : public CheckpointStore {
public:
    /// For `fingerprint`, see run_fingerprint. The tensors of a checkpoint that another device made are moved to
    /// `device`.
    FileCheckpointStore(std::filesystem::path folder, RunFingerprint fingerprint, Device device = Device(at::kCPU))
        : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)), device_(device) {}
    ~FileCheckpointStore() override;
    FileCheckpointStore(const FileCheckpointStore&) = delete;
    FileCheckpointStore& operator=(const FileCheckpointStore&) = delete;

    /// Loads the newest intact checkpoint. A warning says if another device made it, and names each file of the model
    /// that was modified since and may differ. Deletes the checkpoint if no conditioning is intact. Throws
    /// Error(bad_config) if another program, model or request made it, and Error(file_unreadable), without deleting
    /// anything, if what is left cannot be read now.
    LoadedCheckpoint load() override;
    void save_conditioning(const Conditioning& conditioning, const RunPosition& position) override;
    void save_step(const RunPosition& position) override;
    void finish() override;
    void clear() override;

private:
    std::filesystem::path folder_;
    RunFingerprint fingerprint_;
    Device device_;
    std::future<void> writing_;  ///< of the last step
};

/// Returns the number of finished steps of the checkpoint in a folder, or 0 if there is no intact checkpoint, for
/// example because the conditioning is missing. Reads only a file header. Throws Error(file_unreadable, file_changed)
/// if the files cannot be read now: they may contain steps.
int saved_step(const std::filesystem::path& folder);

/// Returns true if a folder has the files of a checkpoint, perhaps one before the first step. Throws
/// Error(file_unreadable) if this cannot be read now.
bool has_checkpoint(const std::filesystem::path& folder);

void remove_checkpoint_files(const std::filesystem::path& folder);

}  // namespace kinescope
