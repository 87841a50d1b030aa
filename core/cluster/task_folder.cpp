#include "core/cluster/task_folder.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/file_presence.h"
#include "core/base/folder_entries.h"
#include "core/base/full_disk.h"
#include "core/base/json_checksum.h"
#include "core/base/log_line.h"
#include "core/base/part_files.h"
#include "core/cluster/batch_folder.h"
#include "core/cluster/read_parts.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

Error not_usable(const fs::path& path, ErrorCode code, const std::string& reason) {
    const bool is_full = code == ErrorCode::disk_full;
    return {is_full ? ErrorCode::disk_full : ErrorCode::output_not_writable,
            "the shared storage is not usable: '" + path.string() + "': " + reason,
            is_full ? "Free space on the shared storage, or ask for a larger quota."
                    : "Check that the folder exists on every node and that you have write permission.",
            {{"path", path.string()}, {"storage", "shared"}}};
}

Error not_usable(const fs::path& path, const std::error_code& reason) {
    const bool is_full = shortage_of(reason.value()) != Shortage::none;
    return not_usable(path, is_full ? ErrorCode::disk_full : ErrorCode::output_not_writable, reason.message());
}

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw not_usable(path, error);
}

/// Copies a file under a temporary name first. std::filesystem::copy_file() would not tell a full disk from other
/// errors.
void copy_whole(const fs::path& from, const fs::path& to) {
    AtomicFile copy(to);
    read_parts(from, [&](std::span<const std::byte> part) { copy.write(part); });
    copy.commit();
}

/// Returns true if the file is there. Throws storage_lost() if the system cannot tell now.
bool is_on_storage(const fs::path& file) {
    const Presence presence = presence_of(file);
    if (presence == Presence::unknown) throw storage_lost(file, "it does not answer");
    return presence == Presence::there;
}

/// Makes a second name of a file that is replaced, never changed. Copies it where the storage has no hard links.
/// Returns false if the file is missing. Throws Error(output_not_writable, disk_full) or storage_lost() if it cannot be
/// copied: an attempt without it would repeat work that is saved.
bool link_or_copy(const fs::path& from, const fs::path& to) {
    constexpr int kMostTries = 2;  // an attempt that has lost the lease may be replacing the file
    for (int i = 1;; ++i) {
        std::error_code has_no_links;
        fs::create_hard_link(from, to, has_no_links);
        if (!has_no_links) return true;
        try {
            copy_whole(from, to);
            return true;
        } catch (const Error& error) {
            if (!is_on_storage(from)) return false;
            if (i == kMostTries) throw not_usable(to, error.code(), error.message());
        }
    }
}

constexpr const char* kDamagedResult = "result-damaged";

/// The file names of FileCheckpointStore.
constexpr std::initializer_list<const char*> kConditioning = {"conditioning.safetensors",
                                                              "conditioning-copy.safetensors"};
constexpr std::initializer_list<const char*> kSteps = {"step.safetensors", "step-before.safetensors"};

std::vector<fs::path> parts_of(const fs::path& job) {
    std::error_code error;
    auto parts = part_folders(job, error);
    if (error) throw storage_lost(job, error.message());
    return parts;
}

void copy_steps(const fs::path& from, const fs::path& to) {
    link_or_copy(from / kContinuedStamp, to / kContinuedStamp);
    for (const char* name : kSteps) link_or_copy(from / name, to / name);
    for (const char* name : kConditioning) link_or_copy(from / name, to / name);
}

void copy_part(const fs::path& from, const fs::path& to) {
    make_folder(to);
    copy_steps(from, to);
    // The part is complete only if it has both. A part that is being made has no video yet.
    if (link_or_copy(from / kPartVideo, to / kPartVideo)) link_or_copy(from / kPartResult, to / kPartResult);
}

/// Copies a job, whose description is `job`, with its steps. `base` is the folder to which its relative paths refer.
void copy_job(Json job, const fs::path& from, const fs::path& to, const fs::path& base) {
    job["base"] = base.string();
    job["pid"] = 0;
    job.erase("saved");  // the video of the other attempt
    job = with_checksum(std::move(job));
    make_folder(to);
    copy_steps(from, to);
    for (const fs::path& part : parts_of(from)) copy_part(part, to / part.filename());
    write_file_atomically(to / "job.json", job.dump(1, ' ', false, Json::error_handler_t::replace),
                          FileAccess::owner_only);
}

/// Copies what a run continues: the logs and the previews. The job writes its video again.
void copy_outputs(const fs::path& from, const fs::path& to) {
    make_folder(to);
    std::error_code ignored;
    for (const char* name : {kNumericLog, kNumericCsv, kPreviews})
        fs::copy(from / name, to / name, fs::copy_options::recursive, ignored);
}

/// Returns the attempts in the folder of a task, in ascending order.
std::vector<AttemptKey> keys_in(const fs::path& task, std::error_code& error) {
    std::vector<AttemptKey> keys;
    for (const fs::directory_entry& entry : entries_of(task, error))
        if (const auto key = attempt_key_from(entry.path().filename().string())) keys.push_back(*key);
    std::ranges::sort(keys);
    return keys;
}

bool has_conditioning(const fs::path& folder) {
    return std::ranges::any_of(kConditioning, [&](const char* name) { return is_on_storage(folder / name); });
}

/// Throws storage_lost() if this cannot be read now.
bool has_saved_step(const fs::path& job) {
    return is_on_storage(job / "job.json") &&
           (has_conditioning(job) || std::ranges::any_of(parts_of(job), has_conditioning));
}

/// Returns true if a folder exists and can be read, and has no file of this name. A storage that fails for a moment
/// proves nothing.
bool certainly_lacks(const fs::path& folder, const char* name) {
    std::error_code error;
    const auto entries = entries_of(folder, error);
    return !error && std::ranges::none_of(entries, [&](const auto& entry) { return entry.path().filename() == name; });
}

}  // namespace

std::vector<AttemptKey> TaskFolder::attempts() const {
    std::error_code error;
    auto keys = keys_in(path_, error);
    if (error && error != std::errc::no_such_file_or_directory) throw storage_lost(path_, error.message());
    return keys;
}

bool TaskFolder::has_result() const {
    std::error_code ignored;
    return fs::exists(result() / kResultFile, ignored);
}

bool TaskFolder::holds_lease(const AttemptKey& key) const {
    const auto keys = attempts();
    return !keys.empty() && keys.back() == key;
}

bool TaskFolder::claim(const AttemptKey& key) const {
    make_folder(path_);
    const auto keys = attempts();
    if (!keys.empty() && keys.back() >= key) return false;
    std::error_code error;
    const bool is_new = fs::create_directory(attempt(key), error);
    if (error) throw not_usable(attempt(key), error);
    return is_new && holds_lease(key);
}

bool TaskFolder::adopt_saved_step(const AttemptKey& key) const {
    auto earlier = attempts();
    std::erase_if(earlier, [&](const AttemptKey& other) { return other >= key; });
    for (auto other = earlier.rbegin(); other != earlier.rend(); ++other) {
        const fs::path job = jobs(*other) / kJobName;
        if (!has_saved_step(job)) continue;
        Json description = read_json(job / "job.json");
        if (!has_valid_checksum(description)) {  // nobody can discard the job of a task
            log_warning((job / "job.json").string() + " is damaged; its steps are not continued");
            continue;
        }
        // The steps are copied before the log, which then contains all of their records.
        copy_job(std::move(description), job, jobs(key) / kJobName, attempt(key));
        copy_outputs(outputs(*other), outputs(key));
        return true;
    }
    return false;
}

bool TaskFolder::publish(const AttemptKey& key) const {
    std::error_code error;
    fs::rename(outputs(key), result(), error);
    std::error_code ignored;
    if (error && fs::exists(outputs(key) / kResultFile, ignored) && certainly_lacks(result(), kResultFile)) {
        set_result_aside();  // the storage has lost its description
        fs::rename(outputs(key), result(), error);
    }
    if (!error) {
        sync_folder(path_);
        return true;
    }
    if (has_result()) return false;
    throw not_usable(result(), error);
}

bool TaskFolder::publish_finished_attempt() const {
    if (is_on_storage(result() / kResultFile)) return true;
    for (const AttemptKey& key : attempts()) {
        if (!is_on_storage(outputs(key) / kResultFile)) continue;
        publish(key);
        return has_result();
    }
    return false;
}

void TaskFolder::set_result_aside() const {
    std::error_code ignored;
    remove_damaged_result();
    fs::rename(result(), path_ / kDamagedResult, ignored);
    fs::remove(placed(), ignored);
}

bool TaskFolder::has_damaged_result() const {
    std::error_code ignored;
    return fs::exists(path_ / kDamagedResult, ignored);
}

void TaskFolder::remove_damaged_result() const {
    std::error_code ignored;
    fs::remove_all(path_ / kDamagedResult, ignored);
}

void TaskFolder::remove_attempts() const {
    std::error_code ignored;
    for (const AttemptKey& key : keys_in(path_, ignored)) fs::remove_all(attempt(key), ignored);
}

void TaskFolder::write_status(const AttemptKey& key, const AttemptStatus& status) const {
    write_file_atomically(attempt(key) / "status.json",
                          to_json(status).dump(1, ' ', false, Json::error_handler_t::replace));
}

std::optional<AttemptStatus> TaskFolder::status(const AttemptKey& key) const {
    try {
        return attempt_status_from(read_json(attempt(key) / "status.json"));
    } catch (const Error&) {
        return std::nullopt;
    } catch (const JsonError&) {
        return std::nullopt;
    }
}

}  // namespace kinescope::cluster
