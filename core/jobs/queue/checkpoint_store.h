#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/pipeline/run_control.h"

namespace kinescope {

struct LoadedCheckpoint {
    std::optional<RunCheckpoint> checkpoint;  ///< nullopt: nothing is saved, so the run starts from the beginning
    std::vector<std::string> warnings;        ///< damaged files, and where the job continues instead
};

/// Stores the checkpoint of one run.
class CheckpointStore {
public:
    virtual ~CheckpointStore() = default;
    /// Loads the checkpoint. Throws Error(bad_config) for an intact checkpoint with which this run cannot continue, and
    /// Error(file_unreadable) for one that cannot be read now. Does not delete either.
    virtual LoadedCheckpoint load() = 0;
    /// Saves the conditioning and the position before the first step. Call this before the first save_step. Throws
    /// Error.
    virtual void save_conditioning(const Conditioning& conditioning, const RunPosition& position) = 0;
    /// Saves the state after a step. May write while the next step runs; the next call, or finish(), then throws the
    /// Error.
    virtual void save_step(const RunPosition& position) = 0;
    /// Waits until the last step is saved. Throws Error.
    virtual void finish() {}
    /// Deletes the checkpoint. Throws Error.
    virtual void clear() = 0;
};

/// Keeps the checkpoint in memory, for jobs without a folder, see also FallbackCheckpointStore.
class MemoryCheckpointStore final : public CheckpointStore {
public:
    LoadedCheckpoint load() override { return {.checkpoint = saved_, .warnings = {}}; }
    void save_conditioning(const Conditioning& conditioning, const RunPosition& position) override {
        saved_ =
            RunCheckpoint{.conditioning = conditioning, .noise_after_encode = position.noise, .position = position};
        start_ = position;
    }
    void save_step(const RunPosition& position) override {
        if (saved_) saved_->position = position;
    }
    void clear() override {
        saved_.reset();
        start_ = {};
    }
    /// Replaces the checkpoint by one that another store has loaded.
    void keep(std::optional<RunCheckpoint> checkpoint) {
        saved_ = std::move(checkpoint);
        start_ = {};
    }
    const std::optional<RunCheckpoint>& checkpoint() const { return saved_; }
    /// Returns the position with which the conditioning was saved.
    const RunPosition& start() const { return start_; }

private:
    std::optional<RunCheckpoint> saved_;
    RunPosition start_;
};

}  // namespace kinescope
