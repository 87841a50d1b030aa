#include "core/jobs/queue/fallback_checkpoint_store.h"

#include <exception>
#include <string>

#include "core/base/file_presence.h"
#include "core/base/log_line.h"

namespace kinescope {

namespace {

/// Returns -1 if there is no checkpoint, because one before the first step is better than none.
int step_of(const std::optional<RunCheckpoint>& checkpoint) {
    return checkpoint ? checkpoint->position.step : -1;
}

}  // namespace

LoadedCheckpoint FallbackCheckpointStore::load_from_disk() {
    try {
        return disk_->load();
    } catch (const Error& error) {
        if (!memory_->checkpoint() || !is_of_reading(error)) throw;
        return {};  // the one in memory is not older
    }
}

LoadedCheckpoint FallbackCheckpointStore::load() {
    LoadedCheckpoint loaded = load_from_disk();
    has_conditioning_ = loaded.checkpoint.has_value();
    if (step_of(memory_->checkpoint()) > step_of(loaded.checkpoint)) {
        saved_ = Saved::less;
        return {.checkpoint = memory_->checkpoint(), .warnings = {}};
    }
    memory_->keep(loaded.checkpoint);
    saved_ = Saved::all;
    return loaded;
}

void FallbackCheckpointStore::save_conditioning(const Conditioning& conditioning, const RunPosition& position) {
    memory_->save_conditioning(conditioning, position);
    saved_ = Saved::less;
    write_conditioning();
    saved_ = Saved::all;
}

void FallbackCheckpointStore::save_step(const RunPosition& position) {
    memory_->save_step(position);
    saved_ = Saved::less;
    if (!has_conditioning_) write_conditioning();
    disk_->save_step(position);
    saved_ = Saved::being_written;
}

void FallbackCheckpointStore::finish() {
    if (saved_ == Saved::less) write_again();
    saved_ = Saved::less;
    disk_->finish();
    saved_ = Saved::all;
    memory_->clear();
}

void FallbackCheckpointStore::clear() {
    disk_->clear();
    memory_->clear();
    saved_ = Saved::all;
    has_conditioning_ = false;
}

void FallbackCheckpointStore::write_conditioning() {
    if (const auto& kept = memory_->checkpoint()) disk_->save_conditioning(kept->conditioning, memory_->start());
    has_conditioning_ = true;
}

void FallbackCheckpointStore::write_again() {
    if (!has_conditioning_) write_conditioning();
    if (step_of(memory_->checkpoint()) > 0) disk_->save_step(memory_->checkpoint()->position);
}

FallbackCheckpointStore::~FallbackCheckpointStore() {
    if (saved_ == Saved::less) return;
    try {
        finish();
    } catch (const std::exception& error) {
        log_warning(std::string(error.what()) + "; the last step is not saved");
    }
}

}  // namespace kinescope
