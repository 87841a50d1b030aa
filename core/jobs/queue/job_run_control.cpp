#include "core/jobs/queue/job_run_control.h"

namespace kinescope {

std::optional<RunCheckpoint> JobRunControl::load_checkpoint() {
    LoadedCheckpoint loaded = store_.load();
    for (const std::string& warning : loaded.warnings) emit_(LogLine{"warning", warning});
    return std::move(loaded.checkpoint);
}

template <class Save>
std::optional<Error> JobRunControl::try_to_save(Save save) {
    try {
        save();
        return std::nullopt;
    } catch (const Error& error) {
        if (!has_warned_)
            emit_(LogLine{"warning", error.message() + "; if the program is killed now, finished steps are lost"});
        has_warned_ = true;
        return error;
    }
}

void JobRunControl::save_conditioning(const Conditioning& conditioning, const RunPosition& position) {
    try_to_save([&] { store_.save_conditioning(conditioning, position); });
}

void JobRunControl::save_step(const RunPosition& position) {
    try_to_save([&] { store_.save_step(position); });
}

std::optional<Error> JobRunControl::finish_saving() {
    return try_to_save([&] { store_.finish(); });
}

}  // namespace kinescope
