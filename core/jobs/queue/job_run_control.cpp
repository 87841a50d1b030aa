#include "core/jobs/queue/job_run_control.h"

#include <exception>
#include <new>
#include <system_error>

#include "core/jobs/translate_error.h"

namespace kinescope {

std::optional<RunCheckpoint> JobRunControl::load_checkpoint() {
    LoadedCheckpoint loaded = store_.load();
    for (const std::string& warning : loaded.warnings) emit_(LogLine{LogLineLevel::warning, warning});
    return std::move(loaded.checkpoint);
}

Error JobRunControl::warn(const Error& error) {
    if (!has_warned_)
        emit_(LogLine{LogLineLevel::warning,
                      error.message() + "; if the program is killed now, finished steps are lost",
                      LogTopic::unsaved_steps});
    has_warned_ = true;
    return error;
}

/// A thread that cannot start, or memory that is missing, costs only the checkpoint. Errors of the device end the run.
template <class Save>
std::optional<Error> JobRunControl::try_to_save(Save save) {
    try {
        save();
        return std::nullopt;
    } catch (const Error& error) {
        return warn(error);
    } catch (const std::system_error&) {
        return warn(translate_error(std::current_exception()));
    } catch (const std::bad_alloc&) {
        return warn(translate_error(std::current_exception()));
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
