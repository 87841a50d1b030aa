#pragma once

#include <memory>

#include "core/jobs/queue/checkpoint_store.h"

namespace kinescope {

/// Saves the checkpoint in another store, and keeps it in memory until that store has it. If the disk is full, a run
/// that is paused goes on after its last step as long as the process lives.
class FallbackCheckpointStore final : public CheckpointStore {
public:
    /// `memory` outlives this object if the run is to go on in this process.
    FallbackCheckpointStore(std::unique_ptr<CheckpointStore> disk, std::shared_ptr<MemoryCheckpointStore> memory)
        : disk_(std::move(disk)), memory_(std::move(memory)) {}
    ~FallbackCheckpointStore() override;
    FallbackCheckpointStore(const FallbackCheckpointStore&) = delete;
    FallbackCheckpointStore& operator=(const FallbackCheckpointStore&) = delete;

    LoadedCheckpoint load() override;
    void save_conditioning(const Conditioning& conditioning, const RunPosition& position) override;
    /// Saves the conditioning first if that has failed before, because a step is useless without it.
    void save_step(const RunPosition& position) override;
    /// Waits until the other store has the last step; tries again if that has failed before. Throws Error.
    void finish() override;
    void clear() override;

private:
    /// What the other store has of the checkpoint in memory.
    enum class Saved { all, being_written, less };

    /// Returns nothing if the other store cannot be read now and a checkpoint is in memory.
    LoadedCheckpoint load_from_disk();
    void write_conditioning();
    void write_again();

    std::unique_ptr<CheckpointStore> disk_;
    std::shared_ptr<MemoryCheckpointStore> memory_;
    Saved saved_ = Saved::less;      ///< until load(): unknown
    bool has_conditioning_ = false;  ///< the other store has the conditioning
};

}  // namespace kinescope
