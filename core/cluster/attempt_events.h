#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/api/run_event.h"
#include "core/base/append_file.h"
#include "core/cluster/attempt.h"

// The events of an attempt on shared storage, for a program that shows the run: "events", one message of the engine's
// protocol after the other, and "preview", the newest preview. The status file alone decides what happens to a task.
namespace kinescope::cluster {

/// Writes the events of an attempt. An event that cannot be written is left out; the run goes on.
class AttemptEventWriter {
public:
    explicit AttemptEventWriter(std::filesystem::path attempt) : attempt_(std::move(attempt)) {}

    /// Leaves out what belongs to a queue, log lines, and all but one progress per half second.
    void add(const RunEvent& event);
    /// Replaces the preview.
    void show(const PreviewReady& preview);

private:
    void write(const std::string& event);

    std::filesystem::path attempt_;
    std::optional<AppendFile> events_;
    std::int64_t next_progress_ms_ = 0;
    std::int64_t written_ = 0;  ///< bytes of whole events
    bool has_warned_ = false;
    bool is_broken_ = false;  ///< a part of an event could not be removed
};

/// Reads the events of one attempt as they grow.
class AttemptEventReader {
public:
    /// Returns the events since the last call; those of another attempt from their beginning. Stops for good at bytes
    /// that are not events.
    std::vector<RunEvent> read(const std::filesystem::path& attempt);

private:
    std::filesystem::path attempt_;
    std::uintmax_t read_ = 0;
    std::filesystem::file_time_type preview_time_;
    bool is_damaged_ = false;
};

}  // namespace kinescope::cluster
