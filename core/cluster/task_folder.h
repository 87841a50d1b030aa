#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/cluster/attempt.h"

namespace kinescope::cluster {

/// The folder of one task on the shared storage. Each attempt writes only to its own folder, so that a copy that should
/// not run any more cannot damage the work of another one. The complete outputs become the task's result with one
/// rename, which can succeed only once.
///
///     2.1/            an attempt: jobs/ (the job's folder), out/ (its outputs), status.json
///     result/         the complete outputs and result.json
///     result-damaged/ a result that the storage has damaged, until the task is submitted again
///     placed.json     names of the outputs that have their final names, while others have not
///     imported.json   the outputs have their final names
class TaskFolder {
public:
    explicit TaskFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path attempt(const AttemptKey& key) const { return path_ / key.name(); }
    std::filesystem::path outputs(const AttemptKey& key) const { return attempt(key) / "out"; }
    std::filesystem::path jobs(const AttemptKey& key) const { return attempt(key) / "jobs"; }
    std::filesystem::path result() const { return path_ / "result"; }
    std::filesystem::path placed() const { return path_ / "placed.json"; }

    /// Returns the attempts in ascending order. Throws storage_lost() if the folder cannot be read now.
    std::vector<AttemptKey> attempts() const;
    bool has_result() const;
    /// Returns true if no later attempt exists. Throws storage_lost() if this cannot be read now.
    bool holds_lease(const AttemptKey& key) const;

    /// Creates the attempt's folder and so takes the lease. Returns false if this attempt or a later one exists. Throws
    /// Error(output_not_writable, disk_full) or storage_lost().
    bool claim(const AttemptKey& key) const;
    /// Copies the last saved step of the newest earlier attempt that has one into this attempt, with the outputs
    /// written so far. Returns false if there is none: the attempt starts from the beginning. Throws
    /// Error(output_not_writable, disk_full) or storage_lost() if a step or a part is there and cannot be copied.
    bool adopt_saved_step(const AttemptKey& key) const;
    /// Turns the outputs of an attempt into the result. Returns false if the task already has one. Sets a result aside
    /// that has lost its description.
    bool publish(const AttemptKey& key) const;
    /// Publishes the outputs of an earlier attempt that was killed between its end and its publication. Returns true if
    /// the task then has a result. Throws storage_lost() if this cannot be read now.
    bool publish_finished_attempt() const;
    /// Renames a result that is damaged, so that the task can make it again. Replaces one that was set aside before.
    void set_result_aside() const;
    bool has_damaged_result() const;
    void remove_damaged_result() const;
    /// Deletes the folders of all attempts.
    void remove_attempts() const;

    void write_status(const AttemptKey& key, const AttemptStatus& status) const;
    /// Returns nullopt for a file that is missing or damaged.
    std::optional<AttemptStatus> status(const AttemptKey& key) const;

private:
    std::filesystem::path path_;
};

// Names in the folder of the outputs.
constexpr const char* kNumericLog = "numeric.jsonl";
constexpr const char* kNumericCsv = "numeric.csv";
constexpr const char* kPreviews = "previews";

/// The file in a result that describes it. Written last, so outputs with this file are complete.
constexpr const char* kResultFile = "result.json";
/// The name of an attempt's only job.
constexpr const char* kJobName = "1";

}  // namespace kinescope::cluster
